import type { Catalog } from './catalog.ts';

/*
 * Glossary. AI service: AI 서비스. App: 앱. Connection: 연결. Conversation: 대화. Message: 메시지. Reply: 답변. File: 파일. The
 * person's answer to a question: 입력한 내용. A sentence ends in -습니다 with a stop, all else is a noun phrase without.
 */

// Sentences of several rows: what a person can do about these is the same, so the words are.
const SERVICE_FAILED = 'AI 서비스에 문제가 생겨 온전한 답변을 받지 못했습니다.';
const TOOL_FAILED = '어시스턴트가 사용한 기능에 문제가 생겨 답변이 완료되지 않았습니다.';
const CONNECTION_FAILED = '앱과의 연결에 실패했습니다.';
const NOT_AS_IT_IS = '메시지를 지금 형태로는 받을 수 없었습니다.';
const APP_FAILED = '앱 안에서 문제가 생겼습니다.';
const STOPPED = '답변이 중지되었습니다.';
const MOVED_ON = '대화가 이미 더 진행되어 메시지를 받지 못했습니다.';
const NO_SAVED_POINT = '대화의 저장된 지점을 찾지 못했습니다.';
const NOT_OFFERED = '앱에 없는 기능이 필요해 답변을 작성하지 못했습니다.';
const SET_UP = '앱의 설정 방식 때문에 답변을 작성하지 못했습니다.';
const NOT_LOADED = '어시스턴트의 일부를 불러오지 못해 답변을 시작하지 못했습니다.';
const CHECK_FAILED = '앱의 확인 절차가 실패해 답변을 시작하지 못했습니다.';
const NO_RESULT = '답변이 쓸 수 있는 결과 없이 끝났습니다.';
const CUT = '연결이 끊겨 답변이 중간에 잘렸습니다.';
const NOT_READ = '대화를 전부 읽지 못했습니다.';
const NOT_RESUMED = '답변을 멈춘 곳에서 이어 가지 못했습니다.';
const ANSWER_REFUSED = '입력한 내용이 반영되지 않았습니다.';
const SILENT = '답변이 더 이상 오지 않았습니다.';

/** Korean. */
export const ko: Catalog = {
  locale: 'ko',
  causes: {
    reasons: {
      network: CONNECTION_FAILED,
      offline: '이 기기는 연결되어 있지 않은 것 같습니다.',
      'unexpected-response': '앱이 답변이 아닌 것을 보냈습니다.',
      timeout: '앱이 너무 오래 걸렸습니다.',
      cut: CUT,
      silent: SILENT,
      're-anchor-limit': '대화를 최신 내용으로 맞추지 못했습니다.',
      'answer-rejected': ANSWER_REFUSED,
      patience: '이전 답변이 아직 끝나지 않았습니다.',
      'empty-reply': '빈 답변이 왔습니다.',
      'signed-out': '로그인이 만료되었습니다.',
      forbidden: '계정에 해당 내용을 볼 권한이 없습니다.',
      'not-found': '앱이 해당 내용을 찾지 못했습니다.',
      'too-large': '파일을 포함한 크기가 너무 커서 메시지를 받지 못했습니다.',
      file: '사용할 수 없는 종류의 파일이 있어 메시지를 받지 못했습니다.',
      'rate-limit': '앱이 지금 받은 메시지가 너무 많습니다.',
      quota: '사용 한도가 소진되어 답변을 작성하지 못했습니다.',
      deferred: '메시지는 보관되어 있고 답변은 나중에 옵니다.',
      filtered: '안전 필터가 답변을 도중에 끝냈습니다.',
      length: '답변이 최대 길이에 도달했습니다.',
      'finish-error': '답변이 AI 서비스 쪽에서 끊겼습니다.',
      'too-long': '대화가 너무 길어 답변을 작성하지 못했습니다.',
      run_not_live: '답변이 완료되기 전에 멈췄습니다.',
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
      connect: '앱에서 아무 반응이 없었습니다.',
      idle: SILENT,
      total: '답변이 앱에서 허용하는 시간보다 오래 걸렸습니다.',
    },
    situations: {
      stopFailed: '중지가 전달되지 않아 답변이 아직 진행 중일 수 있습니다.',
      copyFailed: '복사하지 못했지만 텍스트를 선택할 수 있습니다.',
      crash: '페이지의 일부를 표시하지 못했습니다.',
    },
    codes: {
      provider_overloaded: 'AI 서비스가 너무 붐벼 온전한 답변을 받지 못했습니다.',
      provider_rate_limited:
        '앱이 쓸 수 있는 AI 서비스 사용량을 지금은 다 써서 온전한 답변을 받지 못했습니다.',
      provider_auth_error: 'AI 서비스가 앱의 접근을 허용하지 않아 답변을 작성하지 못했습니다.',
      provider_content_filtered: '안전 필터가 답변을 막았습니다.',
      provider_refused: '어시스턴트가 답변을 작성하지 않기로 해 답변이 없습니다.',
      provider_timeout: 'AI 서비스가 너무 오래 걸려 온전한 답변을 받지 못했습니다.',
      provider_invalid_request:
        'AI 서비스가 대화를 지금 형태로 받지 않아 답변을 작성하지 못했습니다.',
      provider_error: SERVICE_FAILED,
      provider_unreachable: '앱이 AI 서비스에 연결하지 못해 답변을 작성하지 못했습니다.',
      tool_input_invalid: '어시스턴트가 도구를 틀리게 사용해 답변이 완료되지 않았습니다.',
      tool_execution_failed: TOOL_FAILED,
      tool_not_found: '어시스턴트에 필요한 도구가 앱에 없어 답변이 완료되지 않았습니다.',
      tool_timeout: '어시스턴트가 사용한 기능이 너무 오래 걸려 답변이 완료되지 않았습니다.',
      state_commit_stopped: STOPPED,
      state_concurrency_conflict:
        '그사이 대화가 다른 곳에서 변경되어 온전한 답변을 받지 못했습니다.',
      state_not_stoppable: '답변은 이미 끝나 있었습니다.',
      state_session_not_found: '대화를 찾지 못했습니다.',
      state_already_running: '대화에서 아직 답변을 작성하고 있습니다.',
      state_not_resumable: NOT_RESUMED,
      state_history_incomplete: NOT_READ,
      state_checkpoint_not_found: NO_SAVED_POINT,
      state_checkpoint_foreign: NO_SAVED_POINT,
      state_checkpoint_sequence_unavailable: '앱이 저장하지 못해 온전한 답변을 받지 못했습니다.',
      state_run_start_conflict: MOVED_ON,
      state_run_superseded: '대화의 더 새로운 내용이 자리를 대신해 답변이 끝났습니다.',
      state_step_messages_uncommitted: '답변의 일부를 보관하지 못했습니다.',
      state_agent_type_mismatch: '대화가 다른 어시스턴트의 것이어서 답변을 시작하지 못했습니다.',
      state_request_key_conflict: MOVED_ON,
      state_request_already_completed: '메시지는 이미 전송되었고 답변도 왔습니다.',
      transport_error: CONNECTION_FAILED,
      transport_stream_drop: CUT,
      transport_remote_agent_failed:
        '어시스턴트의 도우미에 문제가 생겨 답변이 완료되지 않았습니다.',
      validation_error: NOT_AS_IT_IS,
      framework_internal_error: APP_FAILED,
      framework_not_supported: NOT_OFFERED,
      framework_companion_not_supported: NOT_OFFERED,
      framework_cancelled: STOPPED,
      framework_max_steps_exhausted: '어시스턴트가 단계 한도에 도달해 답변이 미완성입니다.',
      framework_completion_strategy_unavailable: SET_UP,
      framework_completion_schema_unsupported: SET_UP,
      framework_prompt_prefix_changed: '어시스턴트가 변경되어 대화를 계속할 수 없습니다.',
      framework_agent_not_found: '어시스턴트를 사용할 수 없어 답변을 시작하지 못했습니다.',
      framework_agent_resolution_failed: NOT_LOADED,
      framework_agent_name_conflict: SET_UP,
      framework_auto_resume_exhausted: '앱이 여러 번 이어 가려 했지만 답변이 미완성입니다.',
      framework_usage_store_unavailable: CHECK_FAILED,
      framework_hook_failed: CHECK_FAILED,
      framework_skills_unavailable: NOT_LOADED,
      framework_forced_completion_exhausted:
        '어시스턴트가 여러 번 시도했지만 답변에 최종 결과가 없습니다.',
      framework_completion_protocol_violation: NO_RESULT,
      framework_completion_invalid_output: NO_RESULT,
      framework_completion_tool_missing: NO_RESULT,
    },
    categories: {
      provider: SERVICE_FAILED,
      tool: TOOL_FAILED,
      state: '대화가 예상된 상태가 아니어서 계속할 수 없었습니다.',
      transport: CONNECTION_FAILED,
      validation: NOT_AS_IT_IS,
      framework: APP_FAILED,
    },
    unclassified: '문제가 생겼고 원인은 알 수 없습니다.',
  },
  safety: {
    notSent: '메시지가 전송되지 않았고 텍스트는 보관되어 있습니다.',
    held: '메시지가 보관되어 있고 전송을 기다립니다.',
    unknown: '메시지가 도착했는지 알 수 없고 텍스트는 보관되어 있습니다.',
    kept: '메시지는 대화에 남아 있습니다.',
    incomplete: '도착한 만큼의 답변은 보관되어 있습니다.',
    answerKept: '입력한 내용은 그대로 남아 있습니다.',
  },
  titles: {
    notSent: '메시지 전송 안 됨',
    noReply: '답변 없음',
    replyIncomplete: '미완성 답변',
    notLoaded: '대화를 불러오지 못함',
    answerNotTaken: '입력한 내용 미반영',
    waiting: '아직 대기 중',
    notAvailable: '사용 불가',
    displayProblem: '표시 문제',
    stillRunning: '답변 작성 중',
    notCopied: '복사 안 됨',
  },
  actions: {
    'send-again': '메시지 다시 보내기',
    'new-reply': '답변 다시 받기',
    reload: '다시 불러오기',
    check: '메시지 확인하기',
    'answer-again': '다시 답하기',
    edit: '메시지 수정하기',
    'take-back': '초안으로 되돌리기',
    'try-now': '지금 시도하기',
    'stop-waiting': '그만 기다리기',
    wait: '기다리기',
    'stop-send': '중지하고 보내기',
    'stop-again': '다시 중지하기',
    continue: '답변 이어 쓰기',
    'start-new': '새로 시작하기',
    'sign-in': '로그인하기',
    plan: '요금제 보기',
    'remove-file': '파일 빼기',
    'copy-ref': '참조 번호 복사하기',
    'show-again': '다시 표시하기',
    'reload-page': '페이지 새로 고치기',
    dismiss: '닫기',
  },
  severities: {
    notice: '알림',
    warning: '주의',
    blocking: '문제',
    recovered: '해결됨',
  },
  status: {
    'not-sent-yet': '아직 보내지 않은 메시지',
    loading: '대화 불러오는 중',
    'sending-slowly': '전송이 평소보다 오래 걸리는 중',
    'reply-slow': '답변이 평소보다 오래 걸리는 중',
    reconnecting: '다시 연결하는 중',
    offline: '오프라인, 읽기와 쓰기 가능',
    back: '다시 온라인',
    'waiting-for-reply': '답변이 끝나기를 기다리는 중',
    'next-try': '다음 시도: {when}',
    trying: '다시 시도하는 중',
    'already-ended': '이미 끝난 답변',
    'stopped-elsewhere': '중지된 답변',
    deferred: '나중에 오는 답변',
    'deferred-until': '나중에 오는 답변: {when}',
  },
  pending: {
    states: {
      sending: '보내는 중',
      waitingForReply: '답변이 끝나기를 기다리는 중',
      awaitingAnswer: '답하지 않은 질문 때문에 대기 중',
      queuePaused: '다른 메시지 뒤에서 대기 중',
      asked: '선택을 기다리는 중',
      slept: '전송 안 됨, 기기 절전 상태였음',
      parked: '전송 안 됨',
      failed: '전송 안 됨',
      restored: '전송 안 됨, 새로 고친 뒤 복구',
    },
    count: { other: '아직 보내지 않은 메시지 {count}개' },
    files: { other: '파일 {count}개' },
    lostFiles: { other: '보관하지 못한 파일 {count}개' },
    lostFile: '보관하지 못한 파일: {file}',
  },
  conflict: {
    waiting: {
      title: '답변 작성 중',
      sentence: '메시지는 답변이 끝나면 전송됩니다.',
    },
    asking: {
      title: '답변 작성 중',
      sentence: '메시지를 기다리게 하거나 답변을 중지할 수 있습니다.',
    },
    stopping: {
      title: '답변 중지하는 중',
      sentence: '메시지는 이어서 전송됩니다.',
    },
  },
  wait: {
    possibleAgain: '다시 가능: {when}',
    replyRunning: '답변 작성 중',
    tries: '{limit}번 중 {count}번째 시도',
  },
  incompleteMark: '미완성',
  stoppedMark: '중지됨',
  names: {
    pendingList: '아직 보내지 않은 메시지',
    showPlace: '보기',
    toastRegion: '알림',
    reference: '참조 번호',
    referenceCopied: '참조 번호 복사됨',
    details: '세부 정보',
    copyDetails: '세부 정보 복사하기',
    detailsCopied: '세부 정보 복사됨',
    moreToasts: { other: '{count}개 더' },
    times: { other: '{count}번' },
  },
};
