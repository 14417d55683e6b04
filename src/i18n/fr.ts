import type { Catalog } from './catalog.ts';

/*
 * Glossary. AI service: service d’IA. App: application. Connection: connexion. Conversation: conversation. Message:
 * message. Reply: réponse. File: fichier. The person's answer to a question: saisie. Sign-in: identification, since
 * "connexion" is the connection. Before a colon stands a no-break space, written \u00a0.
 */

// Sentences of several rows: what a person can do about these is the same, so the words are.
const SERVICE_FAILED = 'La réponse n’a pas abouti, car le service d’IA a échoué.';
const TOOL_FAILED = 'La réponse n’a pas abouti, car un élément utilisé par l’assistant a échoué.';
const CONNECTION_FAILED = 'La connexion à l’application a échoué.';
const NOT_AS_IT_IS = 'Le message n’a pas pu être accepté tel quel.';
const APP_FAILED = 'Un élément de l’application a échoué.';
const STOPPED = 'La réponse a été arrêtée.';
const MOVED_ON = 'Le message n’a pas été accepté, car la conversation avait déjà avancé.';
const NO_SAVED_POINT = 'Le point enregistré de la conversation est introuvable.';
const NOT_OFFERED =
  'La réponse n’a pas pu être rédigée, car elle exige un élément absent de l’application.';
const SET_UP = 'La réponse n’a pas pu être rédigée en raison des réglages de l’application.';
const NOT_LOADED =
  'La réponse n’a pas pu démarrer, car des éléments de l’assistant n’ont pas été chargés.';
const CHECK_FAILED =
  'La réponse n’a pas pu démarrer, car une vérification de l’application a échoué.';
const NO_RESULT = 'La réponse s’est terminée sans résultat exploitable.';
const CUT = 'La réponse a été coupée, car la connexion s’est interrompue.';
const NOT_READ = 'La conversation n’a pas pu être lue en entier.';
const NOT_RESUMED = 'La réponse n’a pas pu reprendre là où elle s’était arrêtée.';
const ANSWER_REFUSED = 'Une saisie n’a pas été acceptée.';
const SILENT = 'La réponse a cessé d’arriver.';

/** French. */
export const fr: Catalog = {
  locale: 'fr',
  causes: {
    reasons: {
      network: CONNECTION_FAILED,
      offline: 'Cet appareil semble ne pas avoir de connexion.',
      'unexpected-response': 'L’application a renvoyé autre chose qu’une réponse.',
      timeout: 'L’application a mis trop de temps.',
      cut: CUT,
      silent: SILENT,
      're-anchor-limit': 'La conversation n’a pas pu être mise à jour.',
      'answer-rejected': ANSWER_REFUSED,
      patience: 'La réponse précédente n’est toujours pas terminée.',
      'empty-reply': 'La réponse est arrivée vide.',
      'signed-out': 'L’identification a expiré.',
      forbidden: 'Le compte n’a pas accès à ce qui a été demandé.',
      'not-found': 'L’application n’a pas trouvé ce qui a été demandé.',
      'too-large': 'Le message n’a pas été accepté, car il est trop volumineux avec ses fichiers.',
      file: 'Le message n’a pas été accepté, car il contient un fichier d’un type inutilisable.',
      'rate-limit': 'L’application a reçu trop de messages pour l’instant.',
      quota: 'La réponse n’a pas pu être rédigée, car un quota est épuisé.',
      deferred: 'Le message est conservé, et sa réponse arrive plus tard.',
      filtered: 'La réponse a été interrompue par un filtre de sécurité.',
      length: 'La réponse a atteint sa longueur maximale.',
      'finish-error': 'La réponse s’est interrompue du côté du service d’IA.',
      'too-long': 'La réponse n’a pas pu être rédigée, car la conversation est trop longue.',
      run_not_live: 'La réponse s’est arrêtée avant la fin.',
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
      connect: 'L’application n’a pas répondu.',
      idle: SILENT,
      total: 'La réponse a pris plus de temps que l’application ne le permet.',
    },
    situations: {
      stopFailed: 'La réponse est peut-être encore en cours, car l’arrêt n’a pas été transmis.',
      copyFailed: 'La copie n’a pas fonctionné, mais le texte peut être sélectionné.',
      crash: 'Une partie de la page n’a pas pu être affichée.',
    },
    codes: {
      provider_overloaded: 'La réponse n’a pas abouti, car le service d’IA était trop sollicité.',
      provider_rate_limited:
        'La réponse n’a pas abouti, car l’application avait épuisé pour l’instant sa part du service d’IA.',
      provider_auth_error:
        'La réponse n’a pas pu être rédigée, car le service d’IA n’a pas donné accès à l’application.',
      provider_content_filtered: 'La réponse a été retenue par un filtre de sécurité.',
      provider_refused: 'Il n’y a pas de réponse, car l’assistant a choisi de ne pas en rédiger.',
      provider_timeout: 'La réponse n’a pas abouti, car le service d’IA a mis trop de temps.',
      provider_invalid_request:
        'La réponse n’a pas pu être rédigée, car le service d’IA n’a pas accepté la conversation telle quelle.',
      provider_error: SERVICE_FAILED,
      provider_unreachable:
        'La réponse n’a pas pu être rédigée, car l’application n’a pas pu joindre le service d’IA.',
      tool_input_invalid:
        'La réponse n’a pas abouti, car l’assistant a mal utilisé l’un de ses outils.',
      tool_execution_failed: TOOL_FAILED,
      tool_not_found:
        'La réponse n’a pas abouti, car l’assistant avait besoin d’un outil que l’application n’a pas.',
      tool_timeout:
        'La réponse n’a pas abouti, car un élément utilisé par l’assistant a mis trop de temps.',
      state_commit_stopped: STOPPED,
      state_concurrency_conflict:
        'La réponse n’a pas abouti, car la conversation a été modifiée ailleurs entre-temps.',
      state_not_stoppable: 'La réponse était déjà terminée.',
      state_session_not_found: 'La conversation est introuvable.',
      state_already_running: 'Une réponse est encore en cours de rédaction dans la conversation.',
      state_not_resumable: NOT_RESUMED,
      state_history_incomplete: NOT_READ,
      state_checkpoint_not_found: NO_SAVED_POINT,
      state_checkpoint_foreign: NO_SAVED_POINT,
      state_checkpoint_sequence_unavailable:
        'La réponse n’a pas abouti, car l’application n’a pas pu l’enregistrer.',
      state_run_start_conflict: MOVED_ON,
      state_run_superseded:
        'La réponse a pris fin, car un élément plus récent de la conversation l’a remplacée.',
      state_step_messages_uncommitted: 'Une partie de la réponse n’a pas pu être conservée.',
      state_agent_type_mismatch:
        'La réponse n’a pas pu démarrer, car la conversation appartient à un autre assistant.',
      state_request_key_conflict: MOVED_ON,
      state_request_already_completed: 'Le message a déjà été envoyé et a reçu une réponse.',
      transport_error: CONNECTION_FAILED,
      transport_stream_drop: CUT,
      transport_remote_agent_failed:
        'La réponse n’a pas abouti, car un auxiliaire de l’assistant a échoué.',
      validation_error: NOT_AS_IT_IS,
      framework_internal_error: APP_FAILED,
      framework_not_supported: NOT_OFFERED,
      framework_companion_not_supported: NOT_OFFERED,
      framework_cancelled: STOPPED,
      framework_max_steps_exhausted:
        'La réponse est inachevée, car l’assistant a atteint son nombre maximal d’étapes.',
      framework_completion_strategy_unavailable: SET_UP,
      framework_completion_schema_unsupported: SET_UP,
      framework_prompt_prefix_changed:
        'La conversation ne peut pas continuer, car l’assistant a été modifié.',
      framework_agent_not_found:
        'La réponse n’a pas pu démarrer, car l’assistant n’est pas disponible.',
      framework_agent_resolution_failed: NOT_LOADED,
      framework_agent_name_conflict: SET_UP,
      framework_auto_resume_exhausted:
        'La réponse est inachevée, bien que l’application ait tenté plusieurs fois de la reprendre.',
      framework_usage_store_unavailable: CHECK_FAILED,
      framework_hook_failed: CHECK_FAILED,
      framework_skills_unavailable: NOT_LOADED,
      framework_forced_completion_exhausted:
        'La réponse n’a pas de résultat final, bien que l’assistant ait essayé plusieurs fois.',
      framework_completion_protocol_violation: NO_RESULT,
      framework_completion_invalid_output: NO_RESULT,
      framework_completion_tool_missing: NO_RESULT,
    },
    categories: {
      provider: SERVICE_FAILED,
      tool: TOOL_FAILED,
      state: 'La conversation n’a pas pu continuer, car elle n’était pas dans l’état attendu.',
      transport: CONNECTION_FAILED,
      validation: NOT_AS_IT_IS,
      framework: APP_FAILED,
    },
    unclassified: 'Quelque chose a échoué, et la cause n’est pas connue.',
  },
  safety: {
    notSent: 'Le message n’a pas été envoyé, et son texte est conservé.',
    held: 'Le message est conservé en attente d’envoi.',
    unknown: 'Le message est peut-être arrivé, peut-être pas, et son texte est conservé.',
    kept: 'Le message reste dans la conversation.',
    incomplete: 'La partie de la réponse déjà arrivée est conservée.',
    answerKept: 'La saisie est conservée.',
  },
  titles: {
    notSent: 'Message non envoyé',
    noReply: 'Pas de réponse',
    replyIncomplete: 'Réponse incomplète',
    notLoaded: 'Conversation non chargée',
    answerNotTaken: 'Saisie non acceptée',
    waiting: 'Attente en cours',
    notAvailable: 'Indisponible',
    displayProblem: 'Problème d’affichage',
    stillRunning: 'Réponse encore en cours',
    notCopied: 'Texte non copié',
  },
  actions: {
    'send-again': 'Renvoyer le message',
    'new-reply': 'Refaire la réponse',
    reload: 'Charger à nouveau',
    check: 'Vérifier le message',
    'answer-again': 'Répondre à nouveau',
    edit: 'Modifier le message',
    'take-back': 'Remettre en brouillon',
    'try-now': 'Essayer maintenant',
    'stop-waiting': 'Ne plus attendre',
    wait: 'Attendre',
    'stop-send': 'Arrêter et envoyer',
    'stop-again': 'Arrêter à nouveau',
    continue: 'Continuer la réponse',
    'start-new': 'Recommencer à zéro',
    'sign-in': 'S’identifier',
    plan: 'Voir le forfait',
    'remove-file': 'Retirer le fichier',
    'copy-ref': 'Copier la référence',
    'show-again': 'Afficher à nouveau',
    'reload-page': 'Recharger la page',
    dismiss: 'Fermer',
  },
  severities: {
    notice: 'Information',
    warning: 'Avertissement',
    blocking: 'Problème',
    recovered: 'Résolu',
  },
  status: {
    'not-sent-yet': 'Message pas encore envoyé',
    loading: 'Chargement de la conversation',
    'sending-slowly': 'L’envoi tarde plus que d’habitude',
    'reply-slow': 'La réponse tarde plus que d’habitude',
    reconnecting: 'Reconnexion en cours',
    offline: 'Hors ligne, lecture et écriture possibles',
    back: 'De nouveau en ligne',
    'waiting-for-reply': 'En attente de la fin de la réponse',
    'next-try': 'Prochain essai\u00a0: {when}',
    trying: 'Nouvel essai en cours',
    'already-ended': 'La réponse est déjà terminée',
    'stopped-elsewhere': 'La réponse est arrêtée',
    deferred: 'La réponse arrive plus tard',
    'deferred-until': 'La réponse arrive plus tard\u00a0: {when}',
  },
  pending: {
    states: {
      sending: 'Envoi en cours',
      waitingForReply: 'En attente de la fin de la réponse',
      awaitingAnswer: 'En attente, une question est ouverte',
      queuePaused: 'En attente derrière un autre message',
      asked: 'En attente d’un choix',
      slept: 'Non envoyé, l’appareil était en veille',
      parked: 'Non envoyé',
      failed: 'Non envoyé',
      restored: 'Non envoyé, récupéré après un rechargement',
    },
    count: {
      one: '{count} message pas encore envoyé',
      many: '{count} de messages pas encore envoyés',
      other: '{count} messages pas encore envoyés',
    },
    files: { one: '{count} fichier', many: '{count} de fichiers', other: '{count} fichiers' },
    lostFiles: {
      one: '{count} fichier n’a pas pu être conservé',
      many: '{count} de fichiers n’ont pas pu être conservés',
      other: '{count} fichiers n’ont pas pu être conservés',
    },
    lostFile: 'Non conservé\u00a0: {file}',
  },
  conflict: {
    waiting: {
      title: 'Réponse encore en cours',
      sentence: 'Le message est envoyé dès la fin de la réponse.',
    },
    asking: {
      title: 'Réponse encore en cours',
      sentence: 'Le message peut attendre, ou la réponse peut être arrêtée.',
    },
    stopping: {
      title: 'Arrêt de la réponse',
      sentence: 'Le message est envoyé ensuite.',
    },
  },
  wait: {
    possibleAgain: 'De nouveau possible\u00a0: {when}',
    replyRunning: 'Une réponse est en cours de rédaction',
    tries: 'Essai {count} sur {limit}',
  },
  incompleteMark: 'Incomplète',
  stoppedMark: 'Arrêtée',
  names: {
    pendingList: 'Messages pas encore envoyés',
    showPlace: 'Afficher',
    toastRegion: 'Notifications',
    reference: 'Référence',
    referenceCopied: 'Référence copiée',
    details: 'Détails',
    copyDetails: 'Copier les détails',
    detailsCopied: 'Détails copiés',
    moreToasts: { one: '{count} de plus', many: '{count} de plus', other: '{count} de plus' },
    times: { one: '{count} fois', many: '{count} de fois', other: '{count} fois' },
  },
};
