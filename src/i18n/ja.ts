import type { Catalog } from './catalog.ts';

/*
 * Glossary. AI service: AIサービス. App: アプリ. Connection: 接続. Conversation: 会話. Message: メッセージ. Reply: 回答. File:
 * ファイル. The person's answer to a question: 入力内容. Titles end in a noun; a sentence ends in 。, all else without it.
 */

// Sentences of several rows: what a person can do about these is the same, so the words are.
const SERVICE_FAILED = 'AIサービスに問題が起きたため、完全な回答が得られませんでした。';
const TOOL_FAILED = 'アシスタントが使った機能に問題が起きたため、回答が完了しませんでした。';
const CONNECTION_FAILED = 'アプリとの接続に失敗しました。';
const NOT_AS_IT_IS = 'メッセージは現在の形では受け付けられませんでした。';
const APP_FAILED = 'アプリの中で問題が起きました。';
const STOPPED = '回答は停止されました。';
const MOVED_ON = '会話が先に進んでいたため、メッセージは受け付けられませんでした。';
const NO_SAVED_POINT = '会話の保存された地点が見つかりませんでした。';
const NOT_OFFERED = 'アプリにない機能が必要なため、回答を作成できませんでした。';
const SET_UP = 'アプリの設定が原因で、回答を作成できませんでした。';
const NOT_LOADED = 'アシスタントの一部を読み込めなかったため、回答を開始できませんでした。';
const CHECK_FAILED = 'アプリの確認処理が失敗したため、回答を開始できませんでした。';
const NO_RESULT = '回答は、使える結果がないまま終わりました。';
const CUT = '接続が切れたため、回答が途切れました。';
const NOT_READ = '会話をすべて読み込むことはできませんでした。';
const NOT_RESUMED = '回答を、止まった所から再開できませんでした。';
const ANSWER_REFUSED = '入力内容が受け付けられませんでした。';
const SILENT = '回答が届かなくなりました。';

/** Japanese. */
export const ja: Catalog = {
  locale: 'ja',
  causes: {
    reasons: {
      network: CONNECTION_FAILED,
      offline: 'この端末は接続されていないようです。',
      'unexpected-response': 'アプリから、回答ではないものが返されました。',
      timeout: 'アプリに時間がかかりすぎました。',
      cut: CUT,
      silent: SILENT,
      're-anchor-limit': '会話を最新の状態にできませんでした。',
      'answer-rejected': ANSWER_REFUSED,
      patience: '前の回答がまだ終わっていません。',
      'empty-reply': '回答は空でした。',
      'signed-out': 'ログインの有効期限が切れました。',
      forbidden: 'アカウントには、求められた内容を見る権限がありません。',
      'not-found': 'アプリは、求められた内容を見つけられませんでした。',
      'too-large': 'ファイルを含めて大きすぎるため、メッセージは受け付けられませんでした。',
      file: '使用できない種類のファイルがあるため、メッセージは受け付けられませんでした。',
      'rate-limit': 'アプリに届いたメッセージが、今は多すぎます。',
      quota: '利用枠を使い切ったため、回答を作成できませんでした。',
      deferred: 'メッセージは保存されており、回答は後で届きます。',
      filtered: '回答は、安全フィルターによって途中で終了しました。',
      length: '回答が最大の長さに達しました。',
      'finish-error': '回答はAIサービスの側で途切れました。',
      'too-long': '会話が長すぎるため、回答を作成できませんでした。',
      run_not_live: '回答は、完了する前に止まりました。',
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
      connect: 'アプリから応答がありませんでした。',
      idle: SILENT,
      total: '回答に、アプリが許す以上の時間がかかりました。',
    },
    situations: {
      stopFailed: '停止の指示が届かなかったため、回答はまだ続いている可能性があります。',
      copyFailed: 'コピーできませんでしたが、テキストは選択できます。',
      crash: 'ページの一部を表示できませんでした。',
    },
    codes: {
      provider_overloaded: 'AIサービスが混み合っていたため、完全な回答が得られませんでした。',
      provider_rate_limited:
        'アプリがAIサービスの利用枠をいったん使い切ったため、完全な回答が得られませんでした。',
      provider_auth_error: 'AIサービスがアプリを受け入れなかったため、回答を作成できませんでした。',
      provider_content_filtered: '回答は、安全フィルターによって止められました。',
      provider_refused: 'アシスタントが作成を控えたため、回答はありません。',
      provider_timeout: 'AIサービスに時間がかかりすぎたため、完全な回答が得られませんでした。',
      provider_invalid_request:
        'AIサービスが現在の形の会話を受け付けなかったため、回答を作成できませんでした。',
      provider_error: SERVICE_FAILED,
      provider_unreachable:
        'アプリがAIサービスにつながらなかったため、回答を作成できませんでした。',
      tool_input_invalid: 'アシスタントがツールを誤って使ったため、回答が完了しませんでした。',
      tool_execution_failed: TOOL_FAILED,
      tool_not_found: 'アシスタントに必要なツールがアプリにないため、回答が完了しませんでした。',
      tool_timeout: 'アシスタントが使った機能に時間がかかりすぎたため、回答が完了しませんでした。',
      state_commit_stopped: STOPPED,
      state_concurrency_conflict:
        'その間に会話が別の場所で変更されたため、完全な回答が得られませんでした。',
      state_not_stoppable: '回答はすでに終了していました。',
      state_session_not_found: '会話が見つかりませんでした。',
      state_already_running: '会話では、まだ回答を作成中です。',
      state_not_resumable: NOT_RESUMED,
      state_history_incomplete: NOT_READ,
      state_checkpoint_not_found: NO_SAVED_POINT,
      state_checkpoint_foreign: NO_SAVED_POINT,
      state_checkpoint_sequence_unavailable:
        'アプリが保存できなかったため、完全な回答が得られませんでした。',
      state_run_start_conflict: MOVED_ON,
      state_run_superseded: '会話の中のより新しい内容に置き換わったため、回答は終了しました。',
      state_step_messages_uncommitted: '回答の一部を残せませんでした。',
      state_agent_type_mismatch:
        '会話が別のアシスタントのものであるため、回答を開始できませんでした。',
      state_request_key_conflict: MOVED_ON,
      state_request_already_completed: 'メッセージはすでに送信され、回答も届いています。',
      transport_error: CONNECTION_FAILED,
      transport_stream_drop: CUT,
      transport_remote_agent_failed:
        'アシスタントの補助役に問題が起きたため、回答が完了しませんでした。',
      validation_error: NOT_AS_IT_IS,
      framework_internal_error: APP_FAILED,
      framework_not_supported: NOT_OFFERED,
      framework_companion_not_supported: NOT_OFFERED,
      framework_cancelled: STOPPED,
      framework_max_steps_exhausted: 'アシスタントが手順数の上限に達したため、回答は未完了です。',
      framework_completion_strategy_unavailable: SET_UP,
      framework_completion_schema_unsupported: SET_UP,
      framework_prompt_prefix_changed: 'アシスタントが変更されたため、会話を続けられません。',
      framework_agent_not_found: 'アシスタントを利用できないため、回答を開始できませんでした。',
      framework_agent_resolution_failed: NOT_LOADED,
      framework_agent_name_conflict: SET_UP,
      framework_auto_resume_exhausted: 'アプリが何度か再開を試みましたが、回答は未完了です。',
      framework_usage_store_unavailable: CHECK_FAILED,
      framework_hook_failed: CHECK_FAILED,
      framework_skills_unavailable: NOT_LOADED,
      framework_forced_completion_exhausted:
        'アシスタントが何度か試みましたが、回答に最終的な結果はありません。',
      framework_completion_protocol_violation: NO_RESULT,
      framework_completion_invalid_output: NO_RESULT,
      framework_completion_tool_missing: NO_RESULT,
    },
    categories: {
      provider: SERVICE_FAILED,
      tool: TOOL_FAILED,
      state: '会話が想定された状態ではなかったため、続けられませんでした。',
      transport: CONNECTION_FAILED,
      validation: NOT_AS_IT_IS,
      framework: APP_FAILED,
    },
    unclassified: '問題が起きましたが、原因は分かっていません。',
  },
  safety: {
    notSent: 'メッセージは送信されておらず、テキストは残っています。',
    held: 'メッセージは保存され、送信を待っています。',
    unknown: 'メッセージが届いたかどうかは不明ですが、テキストは残っています。',
    kept: 'メッセージは会話に残っています。',
    incomplete: '届いた分の回答は残っています。',
    answerKept: '入力内容はそのまま残っています。',
  },
  titles: {
    notSent: 'メッセージ未送信',
    noReply: '回答なし',
    replyIncomplete: '回答が未完了',
    notLoaded: '会話が未読み込み',
    answerNotTaken: '入力内容が未反映',
    waiting: 'まだ待機中',
    notAvailable: '利用不可',
    displayProblem: '表示の問題',
    stillRunning: '回答を作成中',
    notCopied: 'コピー失敗',
  },
  actions: {
    'send-again': 'メッセージを再送',
    'new-reply': '回答を作り直す',
    reload: 'もう一度読み込む',
    check: 'メッセージを確認',
    'answer-again': 'もう一度答える',
    edit: 'メッセージを編集',
    'take-back': '下書きに戻す',
    'try-now': '今すぐ試す',
    'stop-waiting': '待つのをやめる',
    wait: '待つ',
    'stop-send': '停止して送信',
    'stop-again': 'もう一度停止',
    continue: '回答を続ける',
    'start-new': '新しく始める',
    'sign-in': 'ログイン',
    plan: 'プランを見る',
    'remove-file': 'ファイルを外す',
    'copy-ref': '参照番号をコピー',
    'show-again': 'もう一度表示',
    'reload-page': 'ページを再読み込み',
    dismiss: '閉じる',
  },
  severities: {
    notice: 'お知らせ',
    warning: '注意',
    blocking: '問題',
    recovered: '解消済み',
  },
  status: {
    'not-sent-yet': 'メッセージは未送信',
    loading: '会話を読み込み中',
    'sending-slowly': '送信にいつもより時間がかかっています',
    'reply-slow': '回答にいつもより時間がかかっています',
    reconnecting: '再接続中',
    offline: 'オフライン、閲覧と入力は可能',
    back: 'オンラインに復帰',
    'waiting-for-reply': '回答の終了を待機中',
    'next-try': '次の試行：{when}',
    trying: '再試行中',
    'already-ended': '回答はすでに終了',
    'stopped-elsewhere': '回答は停止済み',
    deferred: '回答は後で届きます',
    'deferred-until': '回答は後で届きます：{when}',
  },
  pending: {
    states: {
      sending: '送信中',
      waitingForReply: '回答の終了を待機中',
      awaitingAnswer: '未回答の質問があるため待機中',
      queuePaused: '別のメッセージの後で待機中',
      asked: '選択を待機中',
      slept: '未送信、端末がスリープ中でした',
      parked: '未送信',
      failed: '未送信',
      restored: '未送信、再読み込み後に復元',
    },
    count: { other: '未送信のメッセージ{count}件' },
    files: { other: 'ファイル{count}個' },
    lostFiles: { other: '保存できなかったファイル{count}個' },
    lostFile: '保存できなかったファイル：{file}',
  },
  conflict: {
    waiting: {
      title: '回答を作成中',
      sentence: 'メッセージは、回答が終わると送信されます。',
    },
    asking: {
      title: '回答を作成中',
      sentence: 'メッセージを待たせることも、回答を停止することもできます。',
    },
    stopping: {
      title: '回答を停止中',
      sentence: 'メッセージは次に送信されます。',
    },
  },
  wait: {
    possibleAgain: '再び可能：{when}',
    replyRunning: '回答を作成中',
    tries: '{limit}回中{count}回目の試行',
  },
  incompleteMark: '未完了',
  stoppedMark: '停止済み',
  names: {
    pendingList: '未送信のメッセージ',
    showPlace: '表示',
    toastRegion: '通知',
    reference: '参照番号',
    referenceCopied: '参照番号をコピー済み',
    details: '詳細',
    copyDetails: '詳細をコピー',
    detailsCopied: '詳細をコピー済み',
    moreToasts: { other: 'ほか{count}件' },
    times: { other: '{count}回' },
  },
};
