import type { Catalog } from './catalog.ts';

/*
 * Glossary. AI service: KI-Dienst. App: App. Connection: Verbindung. Conversation: Unterhaltung. Message: Nachricht.
 * Reply: Antwort. File: Datei. The person's answer to a question: Eingabe. Nobody is addressed.
 */

// Sentences of several rows: what a person can do about these is the same, so the words are.
const SERVICE_FAILED = 'Es gibt keine vollständige Antwort, weil der KI-Dienst versagt hat.';
const TOOL_FAILED =
  'Die Antwort wurde nicht fertig, weil etwas versagt hat, das der Assistent genutzt hat.';
const CONNECTION_FAILED = 'Die Verbindung zur App ist fehlgeschlagen.';
const NOT_AS_IT_IS = 'Die Nachricht konnte so nicht angenommen werden.';
const APP_FAILED = 'In der App ist etwas fehlgeschlagen.';
const STOPPED = 'Die Antwort wurde angehalten.';
const MOVED_ON = 'Die Nachricht wurde nicht angenommen, weil die Unterhaltung schon weiter war.';
const NO_SAVED_POINT = 'Der gespeicherte Stand der Unterhaltung wurde nicht gefunden.';
const NOT_OFFERED =
  'Die Antwort konnte nicht geschrieben werden, weil sie etwas braucht, das die App nicht bietet.';
const SET_UP = 'Die Antwort konnte wegen der Einrichtung der App nicht geschrieben werden.';
const NOT_LOADED =
  'Die Antwort konnte nicht beginnen, weil Teile des Assistenten nicht geladen wurden.';
const CHECK_FAILED =
  'Die Antwort konnte nicht beginnen, weil eine Prüfung in der App fehlgeschlagen ist.';
const NO_RESULT = 'Die Antwort endete ohne brauchbares Ergebnis.';
const CUT = 'Die Antwort wurde abgeschnitten, weil die Verbindung abbrach.';
const NOT_READ = 'Die Unterhaltung konnte nicht vollständig gelesen werden.';
const NOT_RESUMED = 'Die Antwort konnte nicht dort fortgesetzt werden, wo sie aufgehört hatte.';
const ANSWER_REFUSED = 'Eine Eingabe wurde nicht übernommen.';
const SILENT = 'Von der Antwort kam nichts mehr an.';

/** German. */
export const de: Catalog = {
  locale: 'de',
  causes: {
    reasons: {
      network: CONNECTION_FAILED,
      offline: 'Dieses Gerät scheint keine Verbindung zu haben.',
      'unexpected-response': 'Die App hat etwas geliefert, das keine Antwort ist.',
      timeout: 'Die App hat zu lange gebraucht.',
      cut: CUT,
      silent: SILENT,
      're-anchor-limit': 'Die Unterhaltung ließ sich nicht aktualisieren.',
      'answer-rejected': ANSWER_REFUSED,
      patience: 'Die vorige Antwort ist noch nicht fertig.',
      'empty-reply': 'Die Antwort kam leer an.',
      'signed-out': 'Die Anmeldung ist abgelaufen.',
      forbidden: 'Das Konto hat keinen Zugriff auf das Gewünschte.',
      'not-found': 'Die App konnte das Gewünschte nicht finden.',
      'too-large': 'Die Nachricht wurde nicht angenommen, weil sie mit ihren Dateien zu groß ist.',
      file: 'Die Nachricht wurde nicht angenommen, weil die Art einer Datei nicht verwendbar ist.',
      'rate-limit': 'Die App hat vorerst zu viele Nachrichten erhalten.',
      quota: 'Die Antwort konnte nicht geschrieben werden, weil ein Kontingent erschöpft ist.',
      deferred: 'Die Nachricht bleibt erhalten, und die Antwort kommt später.',
      filtered: 'Die Antwort wurde von einem Sicherheitsfilter beendet.',
      length: 'Die Antwort hat ihre größte Länge erreicht.',
      'finish-error': 'Die Antwort brach beim KI-Dienst ab.',
      'too-long': 'Die Antwort konnte nicht geschrieben werden, weil die Unterhaltung zu lang ist.',
      run_not_live: 'Die Antwort hörte auf, bevor sie fertig war.',
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
      connect: 'Die App hat nicht geantwortet.',
      idle: SILENT,
      total: 'Die Antwort dauerte länger, als die App erlaubt.',
    },
    situations: {
      stopFailed: 'Die Antwort läuft vielleicht noch, weil das Anhalten nicht durchkam.',
      copyFailed: 'Kopieren war nicht möglich, aber der Text lässt sich markieren.',
      crash: 'Ein Teil der Seite konnte nicht angezeigt werden.',
    },
    codes: {
      provider_overloaded: 'Es gibt keine vollständige Antwort, weil der KI-Dienst überlastet war.',
      provider_rate_limited:
        'Es gibt keine vollständige Antwort, weil die App ihren Anteil am KI-Dienst vorerst aufgebraucht hatte.',
      provider_auth_error:
        'Die Antwort konnte nicht geschrieben werden, weil der KI-Dienst die App nicht zugelassen hat.',
      provider_content_filtered: 'Die Antwort wurde von einem Sicherheitsfilter zurückgehalten.',
      provider_refused: 'Es gibt keine Antwort, weil der Assistent davon abgesehen hat.',
      provider_timeout:
        'Es gibt keine vollständige Antwort, weil der KI-Dienst zu lange gebraucht hat.',
      provider_invalid_request:
        'Die Antwort konnte nicht geschrieben werden, weil der KI-Dienst die Unterhaltung so nicht angenommen hat.',
      provider_error: SERVICE_FAILED,
      provider_unreachable:
        'Die Antwort konnte nicht geschrieben werden, weil die App den KI-Dienst nicht erreichen konnte.',
      tool_input_invalid:
        'Die Antwort wurde nicht fertig, weil der Assistent eines seiner Werkzeuge falsch benutzt hat.',
      tool_execution_failed: TOOL_FAILED,
      tool_not_found:
        'Die Antwort wurde nicht fertig, weil der Assistent ein Werkzeug brauchte, das die App nicht hat.',
      tool_timeout:
        'Die Antwort wurde nicht fertig, weil etwas zu lange gedauert hat, das der Assistent genutzt hat.',
      state_commit_stopped: STOPPED,
      state_concurrency_conflict:
        'Es gibt keine vollständige Antwort, weil die Unterhaltung inzwischen anderswo geändert wurde.',
      state_not_stoppable: 'Die Antwort war schon zu Ende.',
      state_session_not_found: 'Die Unterhaltung wurde nicht gefunden.',
      state_already_running: 'In der Unterhaltung wird noch eine Antwort geschrieben.',
      state_not_resumable: NOT_RESUMED,
      state_history_incomplete: NOT_READ,
      state_checkpoint_not_found: NO_SAVED_POINT,
      state_checkpoint_foreign: NO_SAVED_POINT,
      state_checkpoint_sequence_unavailable:
        'Es gibt keine vollständige Antwort, weil die App sie nicht speichern konnte.',
      state_run_start_conflict: MOVED_ON,
      state_run_superseded:
        'Die Antwort endete, weil etwas Neueres in der Unterhaltung an ihre Stelle trat.',
      state_step_messages_uncommitted: 'Ein Teil der Antwort ist nicht erhalten geblieben.',
      state_agent_type_mismatch:
        'Die Antwort konnte nicht beginnen, weil die Unterhaltung zu einem anderen Assistenten gehört.',
      state_request_key_conflict: MOVED_ON,
      state_request_already_completed: 'Die Nachricht wurde bereits gesendet und beantwortet.',
      transport_error: CONNECTION_FAILED,
      transport_stream_drop: CUT,
      transport_remote_agent_failed:
        'Die Antwort wurde nicht fertig, weil ein Helfer des Assistenten versagt hat.',
      validation_error: NOT_AS_IT_IS,
      framework_internal_error: APP_FAILED,
      framework_not_supported: NOT_OFFERED,
      framework_companion_not_supported: NOT_OFFERED,
      framework_cancelled: STOPPED,
      framework_max_steps_exhausted:
        'Die Antwort ist unfertig, weil der Assistent die höchste Zahl von Schritten erreicht hat.',
      framework_completion_strategy_unavailable: SET_UP,
      framework_completion_schema_unsupported: SET_UP,
      framework_prompt_prefix_changed:
        'Die Unterhaltung kann nicht weitergehen, weil der Assistent geändert wurde.',
      framework_agent_not_found:
        'Die Antwort konnte nicht beginnen, weil der Assistent nicht verfügbar ist.',
      framework_agent_resolution_failed: NOT_LOADED,
      framework_agent_name_conflict: SET_UP,
      framework_auto_resume_exhausted:
        'Die Antwort ist unfertig, obwohl die App mehrmals versucht hat, sie fortzusetzen.',
      framework_usage_store_unavailable: CHECK_FAILED,
      framework_hook_failed: CHECK_FAILED,
      framework_skills_unavailable: NOT_LOADED,
      framework_forced_completion_exhausted:
        'Die Antwort hat kein fertiges Ergebnis, obwohl der Assistent es mehrmals versucht hat.',
      framework_completion_protocol_violation: NO_RESULT,
      framework_completion_invalid_output: NO_RESULT,
      framework_completion_tool_missing: NO_RESULT,
    },
    categories: {
      provider: SERVICE_FAILED,
      tool: TOOL_FAILED,
      state: 'Die Unterhaltung konnte nicht weitergehen, weil sie nicht im erwarteten Zustand war.',
      transport: CONNECTION_FAILED,
      validation: NOT_AS_IT_IS,
      framework: APP_FAILED,
    },
    unclassified: 'Etwas ist fehlgeschlagen, und die Ursache ist nicht bekannt.',
  },
  safety: {
    notSent: 'Die Nachricht wurde nicht gesendet, und ihr Text bleibt erhalten.',
    held: 'Die Nachricht bleibt erhalten und wartet auf das Senden.',
    unknown: 'Ob die Nachricht ankam, ist offen, und ihr Text bleibt erhalten.',
    kept: 'Die Nachricht bleibt in der Unterhaltung.',
    incomplete: 'Der angekommene Teil der Antwort bleibt erhalten.',
    answerKept: 'Die Eingabe bleibt erhalten.',
  },
  titles: {
    notSent: 'Nachricht nicht gesendet',
    noReply: 'Keine Antwort',
    replyIncomplete: 'Antwort unvollständig',
    notLoaded: 'Unterhaltung nicht geladen',
    answerNotTaken: 'Eingabe nicht übernommen',
    waiting: 'Wartet noch',
    notAvailable: 'Nicht verfügbar',
    displayProblem: 'Anzeigeproblem',
    stillRunning: 'Antwort läuft noch',
    notCopied: 'Nicht kopiert',
  },
  actions: {
    'send-again': 'Nachricht erneut senden',
    'new-reply': 'Neue Antwort erstellen',
    reload: 'Erneut laden',
    check: 'Nachricht prüfen',
    'answer-again': 'Erneut antworten',
    edit: 'Nachricht bearbeiten',
    'take-back': 'Als Entwurf zurückholen',
    'try-now': 'Jetzt versuchen',
    'stop-waiting': 'Nicht mehr warten',
    wait: 'Warten',
    'stop-send': 'Anhalten und senden',
    'stop-again': 'Erneut anhalten',
    continue: 'Antwort fortsetzen',
    'start-new': 'Neu beginnen',
    'sign-in': 'Anmelden',
    plan: 'Tarif ansehen',
    'remove-file': 'Datei entfernen',
    'copy-ref': 'Referenz kopieren',
    'show-again': 'Erneut anzeigen',
    'reload-page': 'Seite neu laden',
    dismiss: 'Schließen',
  },
  severities: {
    notice: 'Hinweis',
    warning: 'Warnung',
    blocking: 'Problem',
    recovered: 'Behoben',
  },
  status: {
    'not-sent-yet': 'Nachricht noch nicht gesendet',
    loading: 'Unterhaltung wird geladen',
    'sending-slowly': 'Das Senden dauert länger als üblich',
    'reply-slow': 'Die Antwort dauert länger als üblich',
    reconnecting: 'Verbindung wird wiederhergestellt',
    offline: 'Offline, Lesen und Schreiben sind möglich',
    back: 'Wieder online',
    'waiting-for-reply': 'Wartet auf das Ende der Antwort',
    'next-try': 'Nächster Versuch: {when}',
    trying: 'Neuer Versuch läuft',
    'already-ended': 'Die Antwort ist schon fertig',
    'stopped-elsewhere': 'Die Antwort ist angehalten',
    deferred: 'Die Antwort kommt später',
    'deferred-until': 'Die Antwort kommt später: {when}',
  },
  pending: {
    states: {
      sending: 'Wird gesendet',
      waitingForReply: 'Wartet auf das Ende der Antwort',
      awaitingAnswer: 'Wartet, eine Frage ist noch offen',
      queuePaused: 'Wartet hinter einer anderen Nachricht',
      asked: 'Wartet auf eine Entscheidung',
      slept: 'Nicht gesendet, das Gerät war im Ruhezustand',
      parked: 'Nicht gesendet',
      failed: 'Nicht gesendet',
      restored: 'Nicht gesendet, nach Neuladen wiederhergestellt',
    },
    count: {
      one: '{count} Nachricht noch nicht gesendet',
      other: '{count} Nachrichten noch nicht gesendet',
    },
    files: { one: '{count} Datei', other: '{count} Dateien' },
    lostFiles: {
      one: '{count} Datei konnte nicht aufbewahrt werden',
      other: '{count} Dateien konnten nicht aufbewahrt werden',
    },
    lostFile: 'Nicht aufbewahrt: {file}',
  },
  conflict: {
    waiting: {
      title: 'Antwort läuft noch',
      sentence: 'Die Nachricht wird gesendet, wenn die Antwort endet.',
    },
    asking: {
      title: 'Antwort läuft noch',
      sentence: 'Die Nachricht kann warten, oder die Antwort lässt sich anhalten.',
    },
    stopping: {
      title: 'Antwort wird angehalten',
      sentence: 'Die Nachricht wird danach gesendet.',
    },
  },
  wait: {
    possibleAgain: 'Wieder möglich: {when}',
    replyRunning: 'Eine Antwort wird geschrieben',
    tries: 'Versuch {count} von {limit}',
  },
  incompleteMark: 'Unvollständig',
  stoppedMark: 'Angehalten',
  names: {
    pendingList: 'Noch nicht gesendete Nachrichten',
    showPlace: 'Anzeigen',
    toastRegion: 'Benachrichtigungen',
    reference: 'Referenz',
    referenceCopied: 'Referenz kopiert',
    details: 'Details',
    copyDetails: 'Details kopieren',
    detailsCopied: 'Details kopiert',
    moreToasts: { one: '{count} weitere Meldung', other: '{count} weitere Meldungen' },
    times: { one: '{count} Mal', other: '{count} Mal' },
  },
};
