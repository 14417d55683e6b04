import type { Catalog } from './catalog.ts';

/*
 * Glossary. AI service: сервис ИИ. App: приложение. Connection: связь. Conversation: беседа. Message: сообщение. Reply:
 * ответ. File: файл. The person's answer to a question: ответ на вопрос.
 */

// Sentences of several rows: what a person can do about these is the same, so the words are.
const SERVICE_FAILED = 'Полного ответа нет из-за сбоя сервиса ИИ.';
const TOOL_FAILED = 'Ответ не завершён из-за сбоя в том, чем пользовался ассистент.';
const CONNECTION_FAILED = 'Произошёл сбой связи с приложением.';
const NOT_AS_IT_IS = 'Сообщение не удалось принять в таком виде.';
const APP_FAILED = 'Произошёл сбой в приложении.';
const STOPPED = 'Ответ остановлен.';
const MOVED_ON = 'Сообщение не принято, так как беседа уже продвинулась дальше.';
const NO_SAVED_POINT = 'Не удалось найти сохранённую точку беседы.';
const NOT_OFFERED = 'Не удалось написать ответ, так как для него нужно то, чего нет в приложении.';
const SET_UP = 'Не удалось написать ответ из-за того, как настроено приложение.';
const NOT_LOADED = 'Не удалось начать ответ, так как части ассистента не загрузились.';
const CHECK_FAILED = 'Не удалось начать ответ из-за сбоя проверки в приложении.';
const NO_RESULT = 'Ответ закончился без пригодного результата.';
const CUT = 'Ответ оборвался из-за потери связи.';
const NOT_READ = 'Не удалось прочитать беседу полностью.';
const NOT_RESUMED = 'Не удалось продолжить ответ с того места, где он остановился.';
const ANSWER_REFUSED = 'Ответ на вопрос не принят.';
const SILENT = 'Ответ перестал поступать.';

/** Russian. */
export const ru: Catalog = {
  locale: 'ru',
  causes: {
    reasons: {
      network: CONNECTION_FAILED,
      offline: 'Похоже, у этого устройства нет связи.',
      'unexpected-response': 'Приложение прислало что-то, что не является ответом.',
      timeout: 'Приложение работало слишком долго.',
      cut: CUT,
      silent: SILENT,
      're-anchor-limit': 'Не удалось обновить беседу.',
      'answer-rejected': ANSWER_REFUSED,
      patience: 'Предыдущий ответ всё ещё не закончен.',
      'empty-reply': 'Ответ пришёл пустым.',
      'signed-out': 'Срок действия входа истёк.',
      forbidden: 'У учётной записи нет доступа к тому, что было нужно.',
      'not-found': 'Приложение не нашло того, что было нужно.',
      'too-large': 'Сообщение не принято, так как вместе с файлами оно слишком большое.',
      file: 'Сообщение не принято, так как файл такого типа нельзя использовать.',
      'rate-limit': 'У приложения сейчас слишком много сообщений.',
      quota: 'Не удалось написать ответ, так как лимит использования исчерпан.',
      deferred: 'Сообщение сохранено, а ответ отложен.',
      filtered: 'Ответ прерван фильтром безопасности.',
      length: 'Ответ достиг наибольшей длины.',
      'finish-error': 'Ответ оборвался на стороне сервиса ИИ.',
      'too-long': 'Не удалось написать ответ, так как беседа слишком длинная.',
      run_not_live: 'Ответ прекратился раньше, чем был закончен.',
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
      connect: 'Приложение не ответило.',
      idle: SILENT,
      total: 'Ответ занял больше времени, чем допускает приложение.',
    },
    situations: {
      stopFailed: 'Возможно, ответ ещё пишется, так как команда остановки не дошла.',
      copyFailed: 'Скопировать не удалось, но текст можно выделить.',
      crash: 'Не удалось показать часть страницы.',
    },
    codes: {
      provider_overloaded: 'Полного ответа нет, так как сервис ИИ был перегружен.',
      provider_rate_limited:
        'Полного ответа нет, так как приложение пока исчерпало свою долю сервиса ИИ.',
      provider_auth_error:
        'Не удалось написать ответ, так как сервис ИИ не дал доступа приложению.',
      provider_content_filtered: 'Ответ задержан фильтром безопасности.',
      provider_refused: 'Ответа нет, так как ассистент предпочёл его не писать.',
      provider_timeout: 'Полного ответа нет, так как сервис ИИ работал слишком долго.',
      provider_invalid_request:
        'Не удалось написать ответ, так как сервис ИИ не принял беседу в таком виде.',
      provider_error: SERVICE_FAILED,
      provider_unreachable:
        'Не удалось написать ответ, так как приложение не смогло связаться с сервисом ИИ.',
      tool_input_invalid:
        'Ответ не завершён, так как ассистент неправильно применил один из своих инструментов.',
      tool_execution_failed: TOOL_FAILED,
      tool_not_found:
        'Ответ не завершён, так как ассистенту понадобился инструмент, которого нет в приложении.',
      tool_timeout:
        'Ответ не завершён, так как то, чем пользовался ассистент, заняло слишком много времени.',
      state_commit_stopped: STOPPED,
      state_concurrency_conflict:
        'Полного ответа нет, так как беседа тем временем изменилась в другом месте.',
      state_not_stoppable: 'Ответ уже был закончен.',
      state_session_not_found: 'Не удалось найти беседу.',
      state_already_running: 'В беседе ещё пишется ответ.',
      state_not_resumable: NOT_RESUMED,
      state_history_incomplete: NOT_READ,
      state_checkpoint_not_found: NO_SAVED_POINT,
      state_checkpoint_foreign: NO_SAVED_POINT,
      state_checkpoint_sequence_unavailable:
        'Полного ответа нет, так как приложение не смогло его сохранить.',
      state_run_start_conflict: MOVED_ON,
      state_run_superseded: 'Ответ закончен, так как его место в беседе заняло что-то более новое.',
      state_step_messages_uncommitted: 'Часть ответа не удалось сохранить.',
      state_agent_type_mismatch:
        'Не удалось начать ответ, так как беседа относится к другому ассистенту.',
      state_request_key_conflict: MOVED_ON,
      state_request_already_completed: 'Сообщение уже отправлено, и ответ на него получен.',
      transport_error: CONNECTION_FAILED,
      transport_stream_drop: CUT,
      transport_remote_agent_failed: 'Ответ не завершён из-за сбоя помощника ассистента.',
      validation_error: NOT_AS_IT_IS,
      framework_internal_error: APP_FAILED,
      framework_not_supported: NOT_OFFERED,
      framework_companion_not_supported: NOT_OFFERED,
      framework_cancelled: STOPPED,
      framework_max_steps_exhausted:
        'Ответ не закончен, так как ассистент достиг предела по числу шагов.',
      framework_completion_strategy_unavailable: SET_UP,
      framework_completion_schema_unsupported: SET_UP,
      framework_prompt_prefix_changed: 'Продолжить беседу нельзя, так как ассистент изменён.',
      framework_agent_not_found: 'Не удалось начать ответ, так как ассистент недоступен.',
      framework_agent_resolution_failed: NOT_LOADED,
      framework_agent_name_conflict: SET_UP,
      framework_auto_resume_exhausted:
        'Ответ не закончен, хотя приложение несколько раз пыталось его продолжить.',
      framework_usage_store_unavailable: CHECK_FAILED,
      framework_hook_failed: CHECK_FAILED,
      framework_skills_unavailable: NOT_LOADED,
      framework_forced_completion_exhausted:
        'У ответа нет готового результата, хотя ассистент пытался несколько раз.',
      framework_completion_protocol_violation: NO_RESULT,
      framework_completion_invalid_output: NO_RESULT,
      framework_completion_tool_missing: NO_RESULT,
    },
    categories: {
      provider: SERVICE_FAILED,
      tool: TOOL_FAILED,
      state: 'Не удалось продолжить беседу, так как она не была в ожидаемом состоянии.',
      transport: CONNECTION_FAILED,
      validation: NOT_AS_IT_IS,
      framework: APP_FAILED,
    },
    unclassified: 'Произошёл сбой, и его причина неизвестна.',
  },
  safety: {
    notSent: 'Сообщение не отправлено, но его текст сохранён.',
    held: 'Сообщение сохранено и ожидает отправки.',
    unknown: 'Неизвестно, дошло ли сообщение, но его текст сохранён.',
    kept: 'Сообщение остаётся в беседе.',
    incomplete: 'Полученная часть ответа сохранена.',
    answerKept: 'Ответ на вопрос остаётся заполненным.',
  },
  titles: {
    notSent: 'Сообщение не отправлено',
    noReply: 'Нет ответа',
    replyIncomplete: 'Ответ неполный',
    notLoaded: 'Беседа не загружена',
    answerNotTaken: 'Ответ на вопрос отклонён',
    waiting: 'Ожидание продолжается',
    notAvailable: 'Недоступно',
    displayProblem: 'Проблема с показом',
    stillRunning: 'Ответ ещё пишется',
    notCopied: 'Не скопировано',
  },
  actions: {
    'send-again': 'Отправить сообщение снова',
    'new-reply': 'Получить новый ответ',
    reload: 'Загрузить снова',
    check: 'Проверить сообщение',
    'answer-again': 'Ответить снова',
    edit: 'Изменить сообщение',
    'take-back': 'Вернуть в черновик',
    'try-now': 'Попробовать сейчас',
    'stop-waiting': 'Прекратить ожидание',
    wait: 'Подождать',
    'stop-send': 'Остановить и отправить',
    'stop-again': 'Остановить снова',
    continue: 'Продолжить ответ',
    'start-new': 'Начать заново',
    'sign-in': 'Войти',
    plan: 'Открыть тариф',
    'remove-file': 'Убрать файл',
    'copy-ref': 'Скопировать номер',
    'show-again': 'Показать снова',
    'reload-page': 'Обновить страницу',
    dismiss: 'Закрыть',
  },
  severities: {
    notice: 'Сведения',
    warning: 'Предупреждение',
    blocking: 'Проблема',
    recovered: 'Восстановлено',
  },
  status: {
    'not-sent-yet': 'Сообщение ещё не отправлено',
    loading: 'Беседа загружается',
    'sending-slowly': 'Отправка идёт дольше обычного',
    'reply-slow': 'Ответ идёт дольше обычного',
    reconnecting: 'Связь восстанавливается',
    offline: 'Нет связи, можно читать и писать',
    back: 'Связь снова есть',
    'waiting-for-reply': 'Ожидание конца ответа',
    'next-try': 'Следующая попытка: {when}',
    trying: 'Идёт новая попытка',
    'already-ended': 'Ответ уже закончен',
    'stopped-elsewhere': 'Ответ остановлен',
    deferred: 'Ответ отложен',
    'deferred-until': 'Ответ отложен, ожидается: {when}',
  },
  pending: {
    states: {
      sending: 'Отправляется',
      waitingForReply: 'Ожидание конца ответа',
      awaitingAnswer: 'Ожидание ответа на открытый вопрос',
      queuePaused: 'В очереди за другим сообщением',
      asked: 'Ожидание выбора',
      slept: 'Не отправлено, устройство было в режиме сна',
      parked: 'Не отправлено',
      failed: 'Не отправлено',
      restored: 'Не отправлено, восстановлено после обновления',
    },
    count: {
      one: '{count} сообщение ещё не отправлено',
      few: '{count} сообщения ещё не отправлены',
      many: '{count} сообщений ещё не отправлены',
      other: '{count} сообщения ещё не отправлены',
    },
    files: {
      one: '{count} файл',
      few: '{count} файла',
      many: '{count} файлов',
      other: '{count} файла',
    },
    lostFiles: {
      one: 'Не удалось сохранить {count} файл',
      few: 'Не удалось сохранить {count} файла',
      many: 'Не удалось сохранить {count} файлов',
      other: 'Не удалось сохранить {count} файла',
    },
    lostFile: 'Не сохранён файл: {file}',
  },
  conflict: {
    waiting: {
      title: 'Ответ ещё пишется',
      sentence: 'Сообщение отправляется, когда ответ закончится.',
    },
    asking: {
      title: 'Ответ ещё пишется',
      sentence: 'Сообщение может подождать, или ответ можно остановить.',
    },
    stopping: {
      title: 'Ответ останавливается',
      sentence: 'Сообщение отправляется сразу после этого.',
    },
  },
  wait: {
    possibleAgain: 'Снова возможно: {when}',
    replyRunning: 'Ответ ещё пишется',
    tries: 'Попытка {count} из {limit}',
  },
  incompleteMark: 'Неполный',
  stoppedMark: 'Остановлен',
  names: {
    pendingList: 'Ещё не отправленные сообщения',
    showPlace: 'Показать',
    toastRegion: 'Уведомления',
    reference: 'Номер для поддержки',
    referenceCopied: 'Номер скопирован',
    details: 'Подробности',
    copyDetails: 'Скопировать подробности',
    detailsCopied: 'Подробности скопированы',
    moreToasts: {
      one: 'Ещё {count}',
      few: 'Ещё {count}',
      many: 'Ещё {count}',
      other: 'Ещё {count}',
    },
    times: { one: '{count} раз', few: '{count} раза', many: '{count} раз', other: '{count} раза' },
  },
};
