import type { Catalog } from './catalog.ts';

/*
 * Glossary. AI service: servicio de IA. App: aplicación. Connection: conexión. Conversation: conversación. Message:
 * mensaje. Reply: respuesta. File: archivo. The person's answer to a question: contestación.
 */

// Sentences of several rows: what a person can do about these is the same, so the words are.
const SERVICE_FAILED = 'No hay una respuesta completa porque falló el servicio de IA.';
const TOOL_FAILED = 'La respuesta no se completó porque falló algo que usaba el asistente.';
const CONNECTION_FAILED = 'Falló la conexión con la aplicación.';
const NOT_AS_IT_IS = 'El mensaje no se pudo aceptar tal como está.';
const APP_FAILED = 'Falló algo en la aplicación.';
const STOPPED = 'La respuesta se detuvo.';
const MOVED_ON = 'El mensaje no se aceptó porque la conversación ya había avanzado.';
const NO_SAVED_POINT = 'No se encontró el punto guardado de la conversación.';
const NOT_OFFERED =
  'La respuesta no se pudo escribir porque necesita algo que la aplicación no ofrece.';
const SET_UP =
  'La respuesta no se pudo escribir por la forma en que está configurada la aplicación.';
const NOT_LOADED = 'La respuesta no se pudo iniciar porque no se cargaron partes del asistente.';
const CHECK_FAILED =
  'La respuesta no se pudo iniciar porque falló una comprobación de la aplicación.';
const NO_RESULT = 'La respuesta terminó sin un resultado utilizable.';
const CUT = 'La respuesta se cortó porque se interrumpió la conexión.';
const NOT_READ = 'La conversación no se pudo leer por completo.';
const NOT_RESUMED = 'La respuesta no pudo continuar desde donde se había detenido.';
const ANSWER_REFUSED = 'No se aceptó una contestación.';
const SILENT = 'La respuesta dejó de llegar.';

/** Spanish, regionally neutral. */
export const es: Catalog = {
  locale: 'es',
  causes: {
    reasons: {
      network: CONNECTION_FAILED,
      offline: 'Este dispositivo parece no tener conexión.',
      'unexpected-response': 'La aplicación devolvió algo que no es una respuesta.',
      timeout: 'La aplicación tardó demasiado.',
      cut: CUT,
      silent: SILENT,
      're-anchor-limit': 'La conversación no se pudo poner al día.',
      'answer-rejected': ANSWER_REFUSED,
      patience: 'La respuesta anterior aún no ha terminado.',
      'empty-reply': 'La respuesta llegó vacía.',
      'signed-out': 'El inicio de sesión ha caducado.',
      forbidden: 'La cuenta no tiene acceso a lo que se pidió.',
      'not-found': 'La aplicación no encontró lo que se pidió.',
      'too-large': 'El mensaje no se aceptó porque es demasiado grande con sus archivos.',
      file: 'El mensaje no se aceptó porque tiene un archivo de un tipo que no se puede usar.',
      'rate-limit': 'La aplicación ha recibido demasiados mensajes por ahora.',
      quota: 'La respuesta no se pudo escribir porque se agotó un cupo de uso.',
      deferred: 'El mensaje se conserva y su respuesta llega más tarde.',
      filtered: 'Un filtro de seguridad puso fin a la respuesta.',
      length: 'La respuesta alcanzó su tamaño máximo.',
      'finish-error': 'La respuesta se interrumpió en el servicio de IA.',
      'too-long': 'La respuesta no se pudo escribir porque la conversación es demasiado larga.',
      run_not_live: 'La respuesta se detuvo antes de terminar.',
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
      connect: 'La aplicación no respondió.',
      idle: SILENT,
      total: 'La respuesta tardó más de lo que permite la aplicación.',
    },
    situations: {
      stopFailed:
        'Es posible que la respuesta siga en curso porque la orden de detenerla no llegó.',
      copyFailed: 'No se pudo copiar, pero el texto se puede seleccionar.',
      crash: 'No se pudo mostrar una parte de la página.',
    },
    codes: {
      provider_overloaded:
        'No hay una respuesta completa porque el servicio de IA estaba saturado.',
      provider_rate_limited:
        'No hay una respuesta completa porque la aplicación agotó por ahora su parte del servicio de IA.',
      provider_auth_error:
        'La respuesta no se pudo escribir porque el servicio de IA no dio acceso a la aplicación.',
      provider_content_filtered: 'Un filtro de seguridad retuvo la respuesta.',
      provider_refused: 'No hay respuesta porque el asistente declinó escribirla.',
      provider_timeout: 'No hay una respuesta completa porque el servicio de IA tardó demasiado.',
      provider_invalid_request:
        'La respuesta no se pudo escribir porque el servicio de IA no aceptó la conversación tal como está.',
      provider_error: SERVICE_FAILED,
      provider_unreachable:
        'La respuesta no se pudo escribir porque la aplicación no pudo contactar con el servicio de IA.',
      tool_input_invalid:
        'La respuesta no se completó porque el asistente usó mal una de sus herramientas.',
      tool_execution_failed: TOOL_FAILED,
      tool_not_found:
        'La respuesta no se completó porque el asistente necesitaba una herramienta que la aplicación no tiene.',
      tool_timeout:
        'La respuesta no se completó porque algo que usaba el asistente tardó demasiado.',
      state_commit_stopped: STOPPED,
      state_concurrency_conflict:
        'No hay una respuesta completa porque, entretanto, la conversación cambió en otro lugar.',
      state_not_stoppable: 'La respuesta ya había terminado.',
      state_session_not_found: 'No se encontró la conversación.',
      state_already_running: 'Todavía se está escribiendo una respuesta en la conversación.',
      state_not_resumable: NOT_RESUMED,
      state_history_incomplete: NOT_READ,
      state_checkpoint_not_found: NO_SAVED_POINT,
      state_checkpoint_foreign: NO_SAVED_POINT,
      state_checkpoint_sequence_unavailable:
        'No hay una respuesta completa porque la aplicación no pudo guardarla.',
      state_run_start_conflict: MOVED_ON,
      state_run_superseded:
        'La respuesta terminó porque algo más reciente ocupó su lugar en la conversación.',
      state_step_messages_uncommitted: 'Una parte de la respuesta no se pudo conservar.',
      state_agent_type_mismatch:
        'La respuesta no se pudo iniciar porque la conversación pertenece a otro asistente.',
      state_request_key_conflict: MOVED_ON,
      state_request_already_completed: 'El mensaje ya se envió y tiene respuesta.',
      transport_error: CONNECTION_FAILED,
      transport_stream_drop: CUT,
      transport_remote_agent_failed:
        'La respuesta no se completó porque falló un ayudante del asistente.',
      validation_error: NOT_AS_IT_IS,
      framework_internal_error: APP_FAILED,
      framework_not_supported: NOT_OFFERED,
      framework_companion_not_supported: NOT_OFFERED,
      framework_cancelled: STOPPED,
      framework_max_steps_exhausted:
        'La respuesta quedó sin terminar porque el asistente alcanzó su límite de pasos.',
      framework_completion_strategy_unavailable: SET_UP,
      framework_completion_schema_unsupported: SET_UP,
      framework_prompt_prefix_changed:
        'La conversación no puede seguir porque el asistente ha cambiado.',
      framework_agent_not_found:
        'La respuesta no se pudo iniciar porque el asistente no está disponible.',
      framework_agent_resolution_failed: NOT_LOADED,
      framework_agent_name_conflict: SET_UP,
      framework_auto_resume_exhausted:
        'La respuesta quedó sin terminar, aunque la aplicación intentó varias veces continuarla.',
      framework_usage_store_unavailable: CHECK_FAILED,
      framework_hook_failed: CHECK_FAILED,
      framework_skills_unavailable: NOT_LOADED,
      framework_forced_completion_exhausted:
        'La respuesta no tiene un resultado final, aunque el asistente lo intentó varias veces.',
      framework_completion_protocol_violation: NO_RESULT,
      framework_completion_invalid_output: NO_RESULT,
      framework_completion_tool_missing: NO_RESULT,
    },
    categories: {
      provider: SERVICE_FAILED,
      tool: TOOL_FAILED,
      state: 'La conversación no pudo seguir porque no estaba en el estado esperado.',
      transport: CONNECTION_FAILED,
      validation: NOT_AS_IT_IS,
      framework: APP_FAILED,
    },
    unclassified: 'Algo falló y no se conoce la causa.',
  },
  safety: {
    notSent: 'El mensaje no se envió y su texto se conserva.',
    held: 'El mensaje se conserva y espera su envío.',
    unknown: 'Puede que el mensaje haya llegado o no, y su texto se conserva.',
    kept: 'El mensaje permanece en la conversación.',
    incomplete: 'La parte de la respuesta que llegó se conserva.',
    answerKept: 'La contestación sigue escrita.',
  },
  titles: {
    notSent: 'Mensaje no enviado',
    noReply: 'Sin respuesta',
    replyIncomplete: 'Respuesta incompleta',
    notLoaded: 'Conversación no cargada',
    answerNotTaken: 'Contestación no aceptada',
    waiting: 'Espera en curso',
    notAvailable: 'No disponible',
    displayProblem: 'Problema de visualización',
    stillRunning: 'Respuesta aún en curso',
    notCopied: 'No copiado',
  },
  actions: {
    'send-again': 'Enviar mensaje de nuevo',
    'new-reply': 'Rehacer respuesta',
    reload: 'Volver a cargar',
    check: 'Comprobar mensaje',
    'answer-again': 'Contestar de nuevo',
    edit: 'Editar mensaje',
    'take-back': 'Recuperar borrador',
    'try-now': 'Intentar ahora',
    'stop-waiting': 'Dejar de esperar',
    wait: 'Esperar',
    'stop-send': 'Detener y enviar',
    'stop-again': 'Detener de nuevo',
    continue: 'Continuar respuesta',
    'start-new': 'Empezar de cero',
    'sign-in': 'Iniciar sesión',
    plan: 'Ver plan',
    'remove-file': 'Quitar archivo',
    'copy-ref': 'Copiar referencia',
    'show-again': 'Mostrar de nuevo',
    'reload-page': 'Recargar página',
    dismiss: 'Cerrar',
  },
  severities: {
    notice: 'Aviso',
    warning: 'Advertencia',
    blocking: 'Problema',
    recovered: 'Resuelto',
  },
  status: {
    'not-sent-yet': 'Mensaje aún sin enviar',
    loading: 'Cargando la conversación',
    'sending-slowly': 'El envío tarda más de lo habitual',
    'reply-slow': 'La respuesta tarda más de lo habitual',
    reconnecting: 'Restableciendo la conexión',
    offline: 'Sin conexión, se puede leer y escribir',
    back: 'Conexión recuperada',
    'waiting-for-reply': 'Esperando a que termine la respuesta',
    'next-try': 'Próximo intento: {when}',
    trying: 'Intentando de nuevo',
    'already-ended': 'La respuesta ya terminó',
    'stopped-elsewhere': 'La respuesta está detenida',
    deferred: 'La respuesta llega más tarde',
    'deferred-until': 'La respuesta llega más tarde: {when}',
  },
  pending: {
    states: {
      sending: 'Enviando',
      waitingForReply: 'Esperando a que termine la respuesta',
      awaitingAnswer: 'En espera por una pregunta abierta',
      queuePaused: 'En espera detrás de otro mensaje',
      asked: 'En espera de una decisión',
      slept: 'Sin enviar, el dispositivo estaba en reposo',
      parked: 'Sin enviar',
      failed: 'Sin enviar',
      restored: 'Sin enviar, recuperado tras una recarga',
    },
    count: {
      one: '{count} mensaje aún sin enviar',
      many: '{count} de mensajes aún sin enviar',
      other: '{count} mensajes aún sin enviar',
    },
    files: { one: '{count} archivo', many: '{count} de archivos', other: '{count} archivos' },
    lostFiles: {
      one: '{count} archivo no se pudo conservar',
      many: '{count} de archivos no se pudieron conservar',
      other: '{count} archivos no se pudieron conservar',
    },
    lostFile: 'No conservado: {file}',
  },
  conflict: {
    waiting: {
      title: 'Respuesta aún en curso',
      sentence: 'El mensaje se envía cuando termina la respuesta.',
    },
    asking: {
      title: 'Respuesta aún en curso',
      sentence: 'El mensaje puede esperar, o la respuesta se puede detener.',
    },
    stopping: {
      title: 'Deteniendo la respuesta',
      sentence: 'El mensaje se envía a continuación.',
    },
  },
  wait: {
    possibleAgain: 'Posible de nuevo: {when}',
    replyRunning: 'Se está escribiendo una respuesta',
    tries: 'Intento {count} de {limit}',
  },
  incompleteMark: 'Incompleta',
  stoppedMark: 'Detenida',
  names: {
    pendingList: 'Mensajes aún sin enviar',
    showPlace: 'Mostrar',
    toastRegion: 'Notificaciones',
    reference: 'Referencia',
    referenceCopied: 'Referencia copiada',
    details: 'Detalles',
    copyDetails: 'Copiar detalles',
    detailsCopied: 'Detalles copiados',
    moreToasts: { one: '{count} más', many: '{count} más', other: '{count} más' },
    times: { one: '{count} vez', many: '{count} de veces', other: '{count} veces' },
  },
};
