import type { Catalog } from './catalog.ts';

/*
 * Glossary. AI service: serviço de IA. App: app. Connection: conexão. Conversation: conversa. Message: mensagem. Reply:
 * resposta. File: arquivo. The person's answer to a question: resposta à pergunta.
 */

// Sentences of several rows: what a person can do about these is the same, so the words are.
const SERVICE_FAILED = 'Não há uma resposta completa porque o serviço de IA falhou.';
const TOOL_FAILED = 'A resposta não foi concluída porque algo que o assistente usava falhou.';
const CONNECTION_FAILED = 'A conexão com o app falhou.';
const NOT_AS_IT_IS = 'A mensagem não pôde ser aceita como está.';
const APP_FAILED = 'Algo no app falhou.';
const STOPPED = 'A resposta foi interrompida.';
const MOVED_ON = 'A mensagem não foi aceita porque a conversa já tinha avançado.';
const NO_SAVED_POINT = 'O ponto salvo da conversa não foi encontrado.';
const NOT_OFFERED =
  'Não foi possível escrever a resposta porque ela precisa de algo que o app não oferece.';
const SET_UP = 'Não foi possível escrever a resposta por causa da configuração do app.';
const NOT_LOADED =
  'Não foi possível iniciar a resposta porque partes do assistente não foram carregadas.';
const CHECK_FAILED = 'Não foi possível iniciar a resposta porque uma verificação do app falhou.';
const NO_RESULT = 'A resposta terminou sem um resultado utilizável.';
const CUT = 'A resposta foi cortada porque a conexão caiu.';
const NOT_READ = 'A conversa não pôde ser lida por completo.';
const NOT_RESUMED = 'A resposta não pôde continuar de onde tinha parado.';
const ANSWER_REFUSED = 'A resposta a uma pergunta não foi aceita.';
const SILENT = 'A resposta parou de chegar.';

/** Brazilian Portuguese. */
export const ptBR: Catalog = {
  locale: 'pt-BR',
  causes: {
    reasons: {
      network: CONNECTION_FAILED,
      offline: 'Este aparelho parece estar sem conexão.',
      'unexpected-response': 'O app devolveu algo que não é uma resposta.',
      timeout: 'O app demorou demais.',
      cut: CUT,
      silent: SILENT,
      're-anchor-limit': 'Não foi possível atualizar a conversa.',
      'answer-rejected': ANSWER_REFUSED,
      patience: 'A resposta anterior ainda não terminou.',
      'empty-reply': 'A resposta chegou vazia.',
      'signed-out': 'O login expirou.',
      forbidden: 'A conta não tem acesso ao que foi pedido.',
      'not-found': 'O app não encontrou o que foi pedido.',
      'too-large': 'A mensagem não foi aceita porque é grande demais com os arquivos.',
      file: 'A mensagem não foi aceita porque tem um arquivo de um tipo que não pode ser usado.',
      'rate-limit': 'O app recebeu mensagens demais por enquanto.',
      quota: 'Não foi possível escrever a resposta porque uma cota acabou.',
      deferred: 'A mensagem está guardada, e a resposta chega mais tarde.',
      filtered: 'A resposta foi encerrada por um filtro de segurança.',
      length: 'A resposta atingiu o tamanho máximo.',
      'finish-error': 'O serviço de IA deixou a resposta pela metade.',
      'too-long': 'Não foi possível escrever a resposta porque a conversa é longa demais.',
      run_not_live: 'A resposta parou antes de terminar.',
      corrupt_row: NOT_READ,
      short_read: NOT_READ,
      store_error: NOT_READ,
      snapshot_unstable: NOT_READ,
      resume_message_unknown: NOT_RESUMED,
      answer_not_stored: ANSWER_REFUSED,
      idempotency_mismatch: MOVED_ON,
      entry_status_changed: MOVED_ON,
      entry_abandoned: MOVED_ON,
      resumed_companion_ref_missing: MOVED_ON,
      request_key_taken: MOVED_ON,
    },
    timeouts: {
      connect: 'O app não respondeu.',
      idle: SILENT,
      total: 'A resposta demorou mais do que o app permite.',
    },
    situations: {
      stopFailed: 'A resposta talvez continue em andamento porque a interrupção não chegou.',
      copyFailed: 'Não foi possível copiar, mas o texto pode ser selecionado.',
      crash: 'Não foi possível mostrar parte da página.',
    },
    codes: {
      provider_overloaded:
        'Não há uma resposta completa porque o serviço de IA estava sobrecarregado.',
      provider_rate_limited:
        'Não há uma resposta completa porque a cota do app no serviço de IA acabou por enquanto.',
      provider_auth_error:
        'Não foi possível escrever a resposta porque o serviço de IA não deu acesso ao app.',
      provider_content_filtered: 'A resposta foi retida por um filtro de segurança.',
      provider_refused: 'Não há resposta porque o assistente preferiu não escrevê-la.',
      provider_timeout: 'Não há uma resposta completa porque o serviço de IA demorou demais.',
      provider_invalid_request:
        'Não foi possível escrever a resposta porque o serviço de IA não aceitou a conversa como está.',
      provider_error: SERVICE_FAILED,
      provider_unreachable:
        'Não foi possível escrever a resposta porque o app não conseguiu acessar o serviço de IA.',
      tool_input_invalid:
        'A resposta não foi concluída porque o assistente usou uma ferramenta de forma errada.',
      tool_execution_failed: TOOL_FAILED,
      tool_not_found:
        'A resposta não foi concluída porque o assistente precisava de uma ferramenta que o app não tem.',
      tool_timeout:
        'A resposta não foi concluída porque algo que o assistente usava demorou demais.',
      state_commit_stopped: STOPPED,
      state_concurrency_conflict:
        'Não há uma resposta completa porque, nesse meio-tempo, a conversa mudou em outro lugar.',
      state_not_stoppable: 'A resposta já tinha terminado.',
      state_session_not_found: 'A conversa não foi encontrada.',
      state_already_running: 'Uma resposta ainda está sendo escrita na conversa.',
      state_not_resumable: NOT_RESUMED,
      state_history_incomplete: NOT_READ,
      state_checkpoint_not_found: NO_SAVED_POINT,
      state_checkpoint_foreign: NO_SAVED_POINT,
      state_checkpoint_sequence_unavailable:
        'Não há uma resposta completa porque o app não conseguiu salvá-la.',
      state_run_start_conflict: MOVED_ON,
      state_run_superseded:
        'A resposta terminou porque algo mais recente na conversa tomou o lugar dela.',
      state_step_messages_uncommitted: 'Parte da resposta não pôde ser guardada.',
      state_agent_type_mismatch:
        'Não foi possível iniciar a resposta porque a conversa pertence a outro assistente.',
      state_request_key_conflict: MOVED_ON,
      state_request_already_completed: 'A mensagem já foi enviada e respondida.',
      transport_error: CONNECTION_FAILED,
      transport_stream_drop: CUT,
      transport_remote_agent_failed:
        'A resposta não foi concluída porque um auxiliar do assistente falhou.',
      validation_error: NOT_AS_IT_IS,
      framework_internal_error: APP_FAILED,
      framework_not_supported: NOT_OFFERED,
      framework_companion_not_supported: NOT_OFFERED,
      framework_cancelled: STOPPED,
      framework_max_steps_exhausted:
        'A resposta ficou inacabada porque o assistente atingiu o limite de etapas.',
      framework_completion_strategy_unavailable: SET_UP,
      framework_completion_schema_unsupported: SET_UP,
      framework_prompt_prefix_changed:
        'A conversa não pode continuar porque o assistente foi alterado.',
      framework_agent_not_found:
        'Não foi possível iniciar a resposta porque o assistente não está disponível.',
      framework_agent_resolution_failed: NOT_LOADED,
      framework_agent_name_conflict: SET_UP,
      framework_auto_resume_exhausted:
        'A resposta ficou inacabada, embora o app tenha tentado continuá-la várias vezes.',
      framework_usage_store_unavailable: CHECK_FAILED,
      framework_hook_failed: CHECK_FAILED,
      framework_skills_unavailable: NOT_LOADED,
      framework_forced_completion_exhausted:
        'A resposta não tem um resultado final, embora o assistente tenha tentado várias vezes.',
      framework_completion_protocol_violation: NO_RESULT,
      framework_completion_invalid_output: NO_RESULT,
      framework_completion_tool_missing: NO_RESULT,
    },
    categories: {
      provider: SERVICE_FAILED,
      tool: TOOL_FAILED,
      state: 'A conversa não pôde continuar porque não estava no estado esperado.',
      transport: CONNECTION_FAILED,
      validation: NOT_AS_IT_IS,
      framework: APP_FAILED,
    },
    unclassified: 'Algo falhou, e a causa não é conhecida.',
  },
  safety: {
    notSent: 'A mensagem não foi enviada, e o texto está guardado.',
    held: 'A mensagem está guardada e aguarda o envio.',
    unknown: 'A mensagem pode ter chegado ou não, e o texto está guardado.',
    kept: 'A mensagem continua na conversa.',
    incomplete: 'A parte da resposta que chegou está guardada.',
    answerKept: 'A resposta à pergunta continua preenchida.',
  },
  titles: {
    notSent: 'Mensagem não enviada',
    noReply: 'Sem resposta',
    replyIncomplete: 'Resposta incompleta',
    notLoaded: 'Conversa não carregada',
    answerNotTaken: 'Resposta à pergunta recusada',
    waiting: 'Ainda em espera',
    notAvailable: 'Não disponível',
    displayProblem: 'Problema de exibição',
    stillRunning: 'Resposta ainda em andamento',
    notCopied: 'Não copiado',
  },
  actions: {
    'send-again': 'Reenviar mensagem',
    'new-reply': 'Refazer resposta',
    reload: 'Carregar de novo',
    check: 'Verificar mensagem',
    'answer-again': 'Responder de novo',
    edit: 'Editar mensagem',
    'take-back': 'Devolver ao rascunho',
    'try-now': 'Tentar agora',
    'stop-waiting': 'Parar de esperar',
    wait: 'Esperar',
    'stop-send': 'Interromper e enviar',
    'stop-again': 'Interromper de novo',
    continue: 'Continuar resposta',
    'start-new': 'Começar do zero',
    'sign-in': 'Fazer login',
    plan: 'Ver plano',
    'remove-file': 'Remover arquivo',
    'copy-ref': 'Copiar referência',
    'show-again': 'Mostrar de novo',
    'reload-page': 'Recarregar página',
    dismiss: 'Fechar',
  },
  severities: {
    notice: 'Aviso',
    warning: 'Alerta',
    blocking: 'Problema',
    recovered: 'Resolvido',
  },
  status: {
    'not-sent-yet': 'Mensagem ainda não enviada',
    loading: 'Carregando a conversa',
    'sending-slowly': 'O envio está demorando mais que o normal',
    'reply-slow': 'A resposta está demorando mais que o normal',
    reconnecting: 'Restabelecendo a conexão',
    offline: 'Sem conexão, dá para ler e escrever',
    back: 'Conexão de volta',
    'waiting-for-reply': 'Aguardando o fim da resposta',
    'next-try': 'Próxima tentativa: {when}',
    trying: 'Tentando de novo',
    'already-ended': 'A resposta já terminou',
    'stopped-elsewhere': 'A resposta está interrompida',
    deferred: 'A resposta chega mais tarde',
    'deferred-until': 'A resposta chega mais tarde: {when}',
  },
  pending: {
    states: {
      sending: 'Enviando',
      waitingForReply: 'Aguardando o fim da resposta',
      awaitingAnswer: 'Aguardando, há uma pergunta em aberto',
      queuePaused: 'Aguardando atrás de outra mensagem',
      asked: 'Aguardando uma escolha',
      slept: 'Não enviada, o aparelho estava em repouso',
      parked: 'Não enviada',
      failed: 'Não enviada',
      restored: 'Não enviada, recuperada após recarregar',
    },
    count: {
      one: '{count} mensagem ainda não enviada',
      many: '{count} de mensagens ainda não enviadas',
      other: '{count} mensagens ainda não enviadas',
    },
    files: { one: '{count} arquivo', many: '{count} de arquivos', other: '{count} arquivos' },
    lostFiles: {
      one: '{count} arquivo não pôde ser guardado',
      many: '{count} de arquivos não puderam ser guardados',
      other: '{count} arquivos não puderam ser guardados',
    },
    lostFile: 'Não guardado: {file}',
  },
  conflict: {
    waiting: {
      title: 'Resposta ainda em andamento',
      sentence: 'A mensagem é enviada quando a resposta termina.',
    },
    asking: {
      title: 'Resposta ainda em andamento',
      sentence: 'A mensagem pode esperar, ou a resposta pode ser interrompida.',
    },
    stopping: {
      title: 'Interrompendo a resposta',
      sentence: 'A mensagem é enviada em seguida.',
    },
  },
  wait: {
    possibleAgain: 'Possível de novo: {when}',
    replyRunning: 'Uma resposta está sendo escrita',
    tries: 'Tentativa {count} de {limit}',
  },
  incompleteMark: 'Incompleta',
  stoppedMark: 'Interrompida',
  names: {
    pendingList: 'Mensagens ainda não enviadas',
    showPlace: 'Mostrar',
    toastRegion: 'Notificações',
    reference: 'Referência',
    referenceCopied: 'Referência copiada',
    details: 'Detalhes',
    copyDetails: 'Copiar detalhes',
    detailsCopied: 'Detalhes copiados',
    moreToasts: { one: 'Mais {count}', many: 'Mais {count}', other: 'Mais {count}' },
    times: { one: '{count} vez', many: '{count} de vezes', other: '{count} vezes' },
  },
};
