import type { Catalog } from './catalog.ts';

/*
 * Glossary. AI service: servizio IA. App: app. Connection: connessione. Conversation: conversazione. Message: messaggio.
 * Reply: risposta. File: file. The person's answer to a question: risposta alla domanda. Labels: imperative, no article.
 */

// Sentences of several rows: what a person can do about these is the same, so the words are.
const SERVICE_FAILED = 'Manca una risposta completa perché il servizio IA non ha funzionato.';
const TOOL_FAILED =
  'La risposta non si è conclusa perché qualcosa usato dall’assistente non ha funzionato.';
const CONNECTION_FAILED = 'La connessione all’app non è riuscita.';
const NOT_AS_IT_IS = 'Non è stato possibile accettare il messaggio così com’è.';
const APP_FAILED = 'Qualcosa nell’app non ha funzionato.';
const STOPPED = 'La risposta è stata interrotta.';
const MOVED_ON =
  'Il messaggio non è stato accettato perché la conversazione era già andata avanti.';
const NO_SAVED_POINT = 'Il punto salvato della conversazione non è stato trovato.';
const NOT_OFFERED =
  'Non è stato possibile scrivere la risposta perché richiede qualcosa che l’app non offre.';
const SET_UP = 'Non è stato possibile scrivere la risposta per come è configurata l’app.';
const NOT_LOADED =
  'Non è stato possibile avviare la risposta perché parti dell’assistente non sono state caricate.';
const CHECK_FAILED =
  'Non è stato possibile avviare la risposta perché un controllo dell’app è fallito.';
const NO_RESULT = 'La risposta è terminata senza un risultato utilizzabile.';
const CUT = 'La risposta è stata troncata perché la connessione è caduta.';
const NOT_READ = 'Non è stato possibile leggere tutta la conversazione.';
const NOT_RESUMED = 'La risposta non ha potuto riprendere da dove si era fermata.';
const ANSWER_REFUSED = 'La risposta a una domanda non è stata accettata.';
const SILENT = 'La risposta ha smesso di arrivare.';

/** Italian. */
export const it: Catalog = {
  locale: 'it',
  causes: {
    reasons: {
      network: CONNECTION_FAILED,
      offline: 'Questo dispositivo sembra non avere connessione.',
      'unexpected-response': 'L’app ha restituito qualcosa che non è una risposta.',
      timeout: 'L’app ha impiegato troppo tempo.',
      cut: CUT,
      silent: SILENT,
      're-anchor-limit': 'Non è stato possibile aggiornare la conversazione.',
      'answer-rejected': ANSWER_REFUSED,
      patience: 'La risposta precedente non è ancora terminata.',
      'empty-reply': 'La risposta è arrivata vuota.',
      'signed-out': 'L’accesso è scaduto.',
      forbidden: 'L’account non può accedere a ciò che è stato chiesto.',
      'not-found': 'L’app non ha trovato ciò che è stato chiesto.',
      'too-large': 'Il messaggio non è stato accettato perché è troppo grande con i suoi file.',
      file: 'Il messaggio non è stato accettato perché contiene un tipo di file non utilizzabile.',
      'rate-limit': 'L’app ha ricevuto troppi messaggi per ora.',
      quota: 'Non è stato possibile scrivere la risposta perché una quota è esaurita.',
      deferred: 'Il messaggio è conservato e la risposta arriva più tardi.',
      filtered: 'La risposta è stata chiusa da un filtro di sicurezza.',
      length: 'La risposta ha raggiunto la lunghezza massima.',
      'finish-error': 'Il servizio IA ha lasciato la risposta a metà.',
      'too-long':
        'Non è stato possibile scrivere la risposta perché la conversazione è troppo lunga.',
      run_not_live: 'La risposta si è fermata prima di finire.',
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
      connect: 'L’app non ha risposto.',
      idle: SILENT,
      total: 'La risposta ha richiesto più tempo di quanto l’app consenta.',
    },
    situations: {
      stopFailed: 'La risposta potrebbe essere ancora in corso perché lo stop non è arrivato.',
      copyFailed: 'La copia non è riuscita, ma il testo si può selezionare.',
      crash: 'Non è stato possibile mostrare una parte della pagina.',
    },
    codes: {
      provider_overloaded: 'Manca una risposta completa perché il servizio IA era sovraccarico.',
      provider_rate_limited:
        'Manca una risposta completa perché l’app aveva esaurito per ora la sua quota del servizio IA.',
      provider_auth_error:
        'Non è stato possibile scrivere la risposta perché il servizio IA non ha dato accesso all’app.',
      provider_content_filtered: 'La risposta è stata trattenuta da un filtro di sicurezza.',
      provider_refused: 'Non c’è risposta perché l’assistente ha scelto di non scriverla.',
      provider_timeout:
        'Manca una risposta completa perché il servizio IA ha impiegato troppo tempo.',
      provider_invalid_request:
        'Non è stato possibile scrivere la risposta perché il servizio IA non ha accettato la conversazione così com’è.',
      provider_error: SERVICE_FAILED,
      provider_unreachable:
        'Non è stato possibile scrivere la risposta perché l’app non ha potuto raggiungere il servizio IA.',
      tool_input_invalid:
        'La risposta non si è conclusa perché l’assistente ha usato male uno dei suoi strumenti.',
      tool_execution_failed: TOOL_FAILED,
      tool_not_found:
        'La risposta non si è conclusa perché all’assistente serviva uno strumento che l’app non ha.',
      tool_timeout:
        'La risposta non si è conclusa perché qualcosa usato dall’assistente ha impiegato troppo tempo.',
      state_commit_stopped: STOPPED,
      state_concurrency_conflict:
        'Manca una risposta completa perché nel frattempo la conversazione è cambiata altrove.',
      state_not_stoppable: 'La risposta era già terminata.',
      state_session_not_found: 'La conversazione non è stata trovata.',
      state_already_running: 'Nella conversazione è ancora in corso una risposta.',
      state_not_resumable: NOT_RESUMED,
      state_history_incomplete: NOT_READ,
      state_checkpoint_not_found: NO_SAVED_POINT,
      state_checkpoint_foreign: NO_SAVED_POINT,
      state_checkpoint_sequence_unavailable:
        'Manca una risposta completa perché l’app non ha potuto salvarla.',
      state_run_start_conflict: MOVED_ON,
      state_run_superseded:
        'La risposta è terminata perché qualcosa di più recente ne ha preso il posto nella conversazione.',
      state_step_messages_uncommitted: 'Non è stato possibile conservare una parte della risposta.',
      state_agent_type_mismatch:
        'Non è stato possibile avviare la risposta perché la conversazione appartiene a un altro assistente.',
      state_request_key_conflict: MOVED_ON,
      state_request_already_completed: 'Il messaggio è già stato inviato e ha avuto risposta.',
      transport_error: CONNECTION_FAILED,
      transport_stream_drop: CUT,
      transport_remote_agent_failed:
        'La risposta non si è conclusa perché un aiutante dell’assistente non ha funzionato.',
      validation_error: NOT_AS_IT_IS,
      framework_internal_error: APP_FAILED,
      framework_not_supported: NOT_OFFERED,
      framework_companion_not_supported: NOT_OFFERED,
      framework_cancelled: STOPPED,
      framework_max_steps_exhausted:
        'La risposta è incompiuta perché l’assistente ha raggiunto il limite di passaggi.',
      framework_completion_strategy_unavailable: SET_UP,
      framework_completion_schema_unsupported: SET_UP,
      framework_prompt_prefix_changed:
        'La conversazione non può proseguire perché l’assistente è stato modificato.',
      framework_agent_not_found:
        'Non è stato possibile avviare la risposta perché l’assistente non è disponibile.',
      framework_agent_resolution_failed: NOT_LOADED,
      framework_agent_name_conflict: SET_UP,
      framework_auto_resume_exhausted:
        'La risposta è incompiuta, anche se l’app ha provato più volte a riprenderla.',
      framework_usage_store_unavailable: CHECK_FAILED,
      framework_hook_failed: CHECK_FAILED,
      framework_skills_unavailable: NOT_LOADED,
      framework_forced_completion_exhausted:
        'La risposta non ha un risultato finale, anche se l’assistente ha provato più volte.',
      framework_completion_protocol_violation: NO_RESULT,
      framework_completion_invalid_output: NO_RESULT,
      framework_completion_tool_missing: NO_RESULT,
    },
    categories: {
      provider: SERVICE_FAILED,
      tool: TOOL_FAILED,
      state: 'La conversazione non ha potuto proseguire perché non era nello stato previsto.',
      transport: CONNECTION_FAILED,
      validation: NOT_AS_IT_IS,
      framework: APP_FAILED,
    },
    unclassified: 'Qualcosa non ha funzionato e la causa non è nota.',
  },
  safety: {
    notSent: 'Il messaggio non è stato inviato e il testo è conservato.',
    held: 'Il messaggio è conservato in attesa dell’invio.',
    unknown: 'Il messaggio può essere arrivato o no, e il testo è conservato.',
    kept: 'Il messaggio resta nella conversazione.',
    incomplete: 'La parte della risposta già arrivata è conservata.',
    answerKept: 'La risposta alla domanda resta compilata.',
  },
  titles: {
    notSent: 'Messaggio non inviato',
    noReply: 'Nessuna risposta',
    replyIncomplete: 'Risposta incompleta',
    notLoaded: 'Conversazione non caricata',
    answerNotTaken: 'Risposta alla domanda rifiutata',
    waiting: 'Attesa in corso',
    notAvailable: 'Non disponibile',
    displayProblem: 'Problema di visualizzazione',
    stillRunning: 'Risposta ancora in corso',
    notCopied: 'Testo non copiato',
  },
  actions: {
    'send-again': 'Reinvia messaggio',
    'new-reply': 'Rigenera risposta',
    reload: 'Carica di nuovo',
    check: 'Controlla messaggio',
    'answer-again': 'Rispondi di nuovo',
    edit: 'Modifica messaggio',
    'take-back': 'Riporta in bozza',
    'try-now': 'Prova ora',
    'stop-waiting': 'Smetti di aspettare',
    wait: 'Aspetta',
    'stop-send': 'Interrompi e invia',
    'stop-again': 'Interrompi di nuovo',
    continue: 'Continua risposta',
    'start-new': 'Ricomincia da capo',
    'sign-in': 'Accedi',
    plan: 'Vedi piano',
    'remove-file': 'Rimuovi file',
    'copy-ref': 'Copia riferimento',
    'show-again': 'Mostra di nuovo',
    'reload-page': 'Ricarica pagina',
    dismiss: 'Chiudi',
  },
  severities: {
    notice: 'Avviso',
    warning: 'Attenzione',
    blocking: 'Problema',
    recovered: 'Risolto',
  },
  status: {
    'not-sent-yet': 'Messaggio non ancora inviato',
    loading: 'Caricamento della conversazione in corso',
    'sending-slowly': 'L’invio richiede più tempo del solito',
    'reply-slow': 'La risposta richiede più tempo del solito',
    reconnecting: 'Riconnessione in corso',
    offline: 'Senza connessione, si può leggere e scrivere',
    back: 'Connessione ripristinata',
    'waiting-for-reply': 'In attesa della fine della risposta',
    'next-try': 'Prossimo tentativo: {when}',
    trying: 'Nuovo tentativo in corso',
    'already-ended': 'La risposta è già terminata',
    'stopped-elsewhere': 'La risposta è interrotta',
    deferred: 'La risposta arriva più tardi',
    'deferred-until': 'La risposta arriva più tardi: {when}',
  },
  pending: {
    states: {
      sending: 'Invio in corso',
      waitingForReply: 'In attesa della fine della risposta',
      awaitingAnswer: 'In attesa, c’è una domanda aperta',
      queuePaused: 'In attesa dietro un altro messaggio',
      asked: 'In attesa di una scelta',
      slept: 'Non inviato, il dispositivo era in standby',
      parked: 'Non inviato',
      failed: 'Non inviato',
      restored: 'Non inviato, recuperato dopo un ricaricamento',
    },
    count: {
      one: '{count} messaggio non ancora inviato',
      many: '{count} di messaggi non ancora inviati',
      other: '{count} messaggi non ancora inviati',
    },
    files: { one: '{count} file', many: '{count} di file', other: '{count} file' },
    lostFiles: {
      one: '{count} file non si è potuto conservare',
      many: '{count} di file non si sono potuti conservare',
      other: '{count} file non si sono potuti conservare',
    },
    lostFile: 'Non conservato: {file}',
  },
  conflict: {
    waiting: {
      title: 'Risposta ancora in corso',
      sentence: 'Il messaggio viene inviato quando la risposta finisce.',
    },
    asking: {
      title: 'Risposta ancora in corso',
      sentence: 'Il messaggio può aspettare, o la risposta si può interrompere.',
    },
    stopping: {
      title: 'Interruzione della risposta',
      sentence: 'Il messaggio viene inviato subito dopo.',
    },
  },
  wait: {
    possibleAgain: 'Di nuovo possibile: {when}',
    replyRunning: 'Una risposta è in corso',
    tries: 'Tentativo {count} di {limit}',
  },
  incompleteMark: 'Incompleta',
  stoppedMark: 'Interrotta',
  names: {
    pendingList: 'Messaggi non ancora inviati',
    showPlace: 'Mostra',
    toastRegion: 'Notifiche',
    reference: 'Riferimento',
    referenceCopied: 'Riferimento copiato',
    details: 'Dettagli',
    copyDetails: 'Copia dettagli',
    detailsCopied: 'Dettagli copiati',
    moreToasts: { one: '{count} in più', many: '{count} in più', other: '{count} in più' },
    times: { one: '{count} volta', many: '{count} di volte', other: '{count} volte' },
  },
};
