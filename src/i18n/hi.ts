import type { Catalog } from './catalog.ts';

/*
 * Glossary. AI service: AI सेवा. App: ऐप. Connection: कनेक्शन. Conversation: बातचीत. Message: मैसेज. Reply: जवाब. File: फ़ाइल.
 * The person's answer to a question: उत्तर. No verb shows the person's gender; labels end in -ें.
 */

// Sentences of several rows: what a person can do about these is the same, so the words are.
const SERVICE_FAILED = 'पूरा जवाब नहीं मिला, क्योंकि AI सेवा में खराबी आ गई।';
const TOOL_FAILED = 'जवाब पूरा नहीं हुआ, क्योंकि असिस्टेंट की एक सुविधा में खराबी आ गई।';
const CONNECTION_FAILED = 'ऐप से कनेक्शन में खराबी आ गई।';
const NOT_AS_IT_IS = 'मैसेज इस रूप में स्वीकार नहीं हो सका।';
const APP_FAILED = 'ऐप में कोई खराबी आ गई।';
const STOPPED = 'जवाब रोक दिया गया।';
const MOVED_ON = 'मैसेज स्वीकार नहीं हुआ, क्योंकि बातचीत आगे बढ़ चुकी थी।';
const NO_SAVED_POINT = 'बातचीत का सेव किया गया पड़ाव नहीं मिला।';
const NOT_OFFERED = 'जवाब नहीं लिखा जा सका, क्योंकि उसके लिए ज़रूरी चीज़ ऐप में नहीं है।';
const SET_UP = 'जवाब नहीं लिखा जा सका, जिसकी वजह ऐप की सेटिंग है।';
const NOT_LOADED = 'जवाब शुरू नहीं हो सका, क्योंकि असिस्टेंट के कुछ हिस्से लोड नहीं हुए।';
const CHECK_FAILED = 'जवाब शुरू नहीं हो सका, क्योंकि ऐप की एक जाँच में खराबी आ गई।';
const NO_RESULT = 'जवाब किसी काम के नतीजे के बिना खत्म हुआ।';
const CUT = 'जवाब बीच में कट गया, क्योंकि कनेक्शन टूट गया।';
const NOT_READ = 'बातचीत पूरी नहीं पढ़ी जा सकी।';
const NOT_RESUMED = 'जवाब जहाँ रुका था, वहाँ से आगे नहीं बढ़ सका।';
const ANSWER_REFUSED = 'एक उत्तर स्वीकार नहीं हुआ।';
const SILENT = 'जवाब आना बंद हो गया।';

/** Hindi. */
export const hi: Catalog = {
  locale: 'hi',
  causes: {
    reasons: {
      network: CONNECTION_FAILED,
      offline: 'लगता है कि इस डिवाइस पर कनेक्शन नहीं है।',
      'unexpected-response': 'ऐप से कुछ ऐसा मिला जो जवाब नहीं है।',
      timeout: 'ऐप को बहुत ज़्यादा समय लगा।',
      cut: CUT,
      silent: SILENT,
      're-anchor-limit': 'बातचीत को ताज़ा नहीं किया जा सका।',
      'answer-rejected': ANSWER_REFUSED,
      patience: 'पिछला जवाब अभी तक पूरा नहीं हुआ है।',
      'empty-reply': 'जवाब खाली आया।',
      'signed-out': 'साइन-इन की अवधि खत्म हो गई है।',
      forbidden: 'खाते को माँगी गई चीज़ देखने की अनुमति नहीं है।',
      'not-found': 'माँगी गई चीज़ ऐप को नहीं मिली।',
      'too-large': 'मैसेज स्वीकार नहीं हुआ, क्योंकि फ़ाइलों के साथ वह बहुत बड़ा है।',
      file: 'मैसेज स्वीकार नहीं हुआ, क्योंकि उसमें ऐसी किस्म की फ़ाइल है जो इस्तेमाल नहीं हो सकती।',
      'rate-limit': 'ऐप को फ़िलहाल बहुत ज़्यादा मैसेज मिले हैं।',
      quota: 'जवाब नहीं लिखा जा सका, क्योंकि इस्तेमाल का एक कोटा खत्म हो गया है।',
      deferred: 'मैसेज रखा हुआ है और उसका जवाब बाद में आता है।',
      filtered: 'सुरक्षा फ़िल्टर ने जवाब बीच में खत्म कर दिया।',
      length: 'जवाब अपनी अधिकतम लंबाई तक पहुँच गया।',
      'finish-error': 'जवाब AI सेवा की ओर से बीच में टूट गया।',
      'too-long': 'जवाब नहीं लिखा जा सका, क्योंकि बातचीत बहुत लंबी है।',
      run_not_live: 'जवाब पूरा होने से पहले रुक गया।',
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
      connect: 'ऐप से कोई प्रतिक्रिया नहीं मिली।',
      idle: SILENT,
      total: 'जवाब में ऐप की सीमा से ज़्यादा समय लगा।',
    },
    situations: {
      stopFailed: 'जवाब शायद अभी भी लिखा जा रहा है, क्योंकि रोकने का निर्देश नहीं पहुँचा।',
      copyFailed: 'टेक्स्ट कॉपी नहीं हो सका, लेकिन उसे चुना जा सकता है।',
      crash: 'पेज का एक हिस्सा नहीं दिखाया जा सका।',
    },
    codes: {
      provider_overloaded: 'पूरा जवाब नहीं मिला, क्योंकि AI सेवा बहुत व्यस्त थी।',
      provider_rate_limited: 'पूरा जवाब नहीं मिला, क्योंकि AI सेवा में ऐप का हिस्सा फ़िलहाल खत्म हो गया था।',
      provider_auth_error: 'जवाब नहीं लिखा जा सका, क्योंकि AI सेवा ने ऐप को ऐक्सेस नहीं दिया।',
      provider_content_filtered: 'सुरक्षा फ़िल्टर ने जवाब रोक लिया।',
      provider_refused: 'कोई जवाब नहीं है, क्योंकि असिस्टेंट ने जवाब न लिखना चुना।',
      provider_timeout: 'पूरा जवाब नहीं मिला, क्योंकि AI सेवा को बहुत ज़्यादा समय लगा।',
      provider_invalid_request:
        'जवाब नहीं लिखा जा सका, क्योंकि AI सेवा ने बातचीत को इस रूप में स्वीकार नहीं किया।',
      provider_error: SERVICE_FAILED,
      provider_unreachable: 'जवाब नहीं लिखा जा सका, क्योंकि ऐप AI सेवा तक नहीं पहुँच सका।',
      tool_input_invalid: 'जवाब पूरा नहीं हुआ, क्योंकि असिस्टेंट ने अपने एक टूल का गलत इस्तेमाल किया।',
      tool_execution_failed: TOOL_FAILED,
      tool_not_found: 'जवाब पूरा नहीं हुआ, क्योंकि असिस्टेंट को ऐसा टूल चाहिए था जो ऐप में नहीं है।',
      tool_timeout: 'जवाब पूरा नहीं हुआ, क्योंकि असिस्टेंट की एक सुविधा को बहुत ज़्यादा समय लगा।',
      state_commit_stopped: STOPPED,
      state_concurrency_conflict: 'पूरा जवाब नहीं मिला, क्योंकि इस बीच बातचीत कहीं और बदल गई।',
      state_not_stoppable: 'जवाब पहले ही खत्म हो चुका था।',
      state_session_not_found: 'बातचीत नहीं मिली।',
      state_already_running: 'बातचीत में अभी भी एक जवाब लिखा जा रहा है।',
      state_not_resumable: NOT_RESUMED,
      state_history_incomplete: NOT_READ,
      state_checkpoint_not_found: NO_SAVED_POINT,
      state_checkpoint_foreign: NO_SAVED_POINT,
      state_checkpoint_sequence_unavailable: 'पूरा जवाब नहीं मिला, क्योंकि ऐप उसे सेव नहीं कर सका।',
      state_run_start_conflict: MOVED_ON,
      state_run_superseded: 'जवाब खत्म हुआ, क्योंकि बातचीत में किसी नई चीज़ ने उसकी जगह ले ली।',
      state_step_messages_uncommitted: 'जवाब का एक हिस्सा रखा नहीं जा सका।',
      state_agent_type_mismatch: 'जवाब शुरू नहीं हो सका, क्योंकि बातचीत किसी दूसरे असिस्टेंट की है।',
      state_request_key_conflict: MOVED_ON,
      state_request_already_completed: 'मैसेज पहले ही भेजा जा चुका है और उसका जवाब आ चुका है।',
      transport_error: CONNECTION_FAILED,
      transport_stream_drop: CUT,
      transport_remote_agent_failed: 'जवाब पूरा नहीं हुआ, क्योंकि असिस्टेंट के एक सहायक में खराबी आ गई।',
      validation_error: NOT_AS_IT_IS,
      framework_internal_error: APP_FAILED,
      framework_not_supported: NOT_OFFERED,
      framework_companion_not_supported: NOT_OFFERED,
      framework_cancelled: STOPPED,
      framework_max_steps_exhausted: 'जवाब अधूरा है, क्योंकि असिस्टेंट अपने चरणों की सीमा तक पहुँच गया।',
      framework_completion_strategy_unavailable: SET_UP,
      framework_completion_schema_unsupported: SET_UP,
      framework_prompt_prefix_changed: 'बातचीत आगे नहीं बढ़ सकती, क्योंकि असिस्टेंट बदल गया है।',
      framework_agent_not_found: 'जवाब शुरू नहीं हो सका, क्योंकि असिस्टेंट उपलब्ध नहीं है।',
      framework_agent_resolution_failed: NOT_LOADED,
      framework_agent_name_conflict: SET_UP,
      framework_auto_resume_exhausted: 'जवाब अधूरा है, हालाँकि ऐप ने उसे आगे बढ़ाने की कई बार कोशिश की।',
      framework_usage_store_unavailable: CHECK_FAILED,
      framework_hook_failed: CHECK_FAILED,
      framework_skills_unavailable: NOT_LOADED,
      framework_forced_completion_exhausted:
        'जवाब का अंतिम नतीजा नहीं है, हालाँकि असिस्टेंट ने कई बार कोशिश की।',
      framework_completion_protocol_violation: NO_RESULT,
      framework_completion_invalid_output: NO_RESULT,
      framework_completion_tool_missing: NO_RESULT,
    },
    categories: {
      provider: SERVICE_FAILED,
      tool: TOOL_FAILED,
      state: 'बातचीत आगे नहीं बढ़ सकी, क्योंकि वह अपेक्षित स्थिति में नहीं थी।',
      transport: CONNECTION_FAILED,
      validation: NOT_AS_IT_IS,
      framework: APP_FAILED,
    },
    unclassified: 'कोई खराबी आई, और उसकी वजह पता नहीं है।',
  },
  safety: {
    notSent: 'मैसेज नहीं भेजा गया, और उसका टेक्स्ट रखा हुआ है।',
    held: 'मैसेज रखा हुआ है और भेजे जाने का इंतज़ार कर रहा है।',
    unknown: 'मैसेज पहुँचा या नहीं, यह पता नहीं है, और उसका टेक्स्ट रखा हुआ है।',
    kept: 'मैसेज बातचीत में बना हुआ है।',
    incomplete: 'जवाब का जो हिस्सा आया, वह रखा हुआ है।',
    answerKept: 'उत्तर भरा हुआ ही है।',
  },
  titles: {
    notSent: 'मैसेज नहीं भेजा गया',
    noReply: 'कोई जवाब नहीं',
    replyIncomplete: 'जवाब अधूरा',
    notLoaded: 'बातचीत लोड नहीं हुई',
    answerNotTaken: 'उत्तर स्वीकार नहीं हुआ',
    waiting: 'इंतज़ार जारी है',
    notAvailable: 'उपलब्ध नहीं है',
    displayProblem: 'दिखाने में समस्या',
    stillRunning: 'जवाब अभी जारी है',
    notCopied: 'कॉपी नहीं हुआ',
  },
  actions: {
    'send-again': 'मैसेज फिर से भेजें',
    'new-reply': 'नया जवाब पाएँ',
    reload: 'फिर से लोड करें',
    check: 'मैसेज की जाँच करें',
    'answer-again': 'फिर से उत्तर दें',
    edit: 'मैसेज में बदलाव करें',
    'take-back': 'ड्राफ़्ट में वापस लाएँ',
    'try-now': 'अभी कोशिश करें',
    'stop-waiting': 'इंतज़ार बंद करें',
    wait: 'इंतज़ार करें',
    'stop-send': 'रोककर भेजें',
    'stop-again': 'फिर से रोकें',
    continue: 'जवाब आगे बढ़ाएँ',
    'start-new': 'नए सिरे से शुरू करें',
    'sign-in': 'साइन इन करें',
    plan: 'प्लान देखें',
    'remove-file': 'फ़ाइल हटाएँ',
    'copy-ref': 'संदर्भ नंबर कॉपी करें',
    'show-again': 'फिर से दिखाएँ',
    'reload-page': 'पेज फिर से लोड करें',
    dismiss: 'बंद करें',
  },
  severities: {
    notice: 'सूचना',
    warning: 'चेतावनी',
    blocking: 'समस्या',
    recovered: 'ठीक हो गया',
  },
  status: {
    'not-sent-yet': 'मैसेज अभी तक नहीं भेजा गया',
    loading: 'बातचीत लोड हो रही है',
    'sending-slowly': 'भेजने में सामान्य से ज़्यादा समय लग रहा है',
    'reply-slow': 'जवाब में सामान्य से ज़्यादा समय लग रहा है',
    reconnecting: 'कनेक्शन फिर से जुड़ रहा है',
    offline: 'ऑफ़लाइन, पढ़ना और लिखना चालू है',
    back: 'फिर से ऑनलाइन',
    'waiting-for-reply': 'जवाब खत्म होने का इंतज़ार है',
    'next-try': 'अगली कोशिश: {when}',
    trying: 'फिर से कोशिश हो रही है',
    'already-ended': 'जवाब पहले ही पूरा हो चुका है',
    'stopped-elsewhere': 'जवाब रुका हुआ है',
    deferred: 'जवाब बाद में आता है',
    'deferred-until': 'जवाब बाद में आता है: {when}',
  },
  pending: {
    states: {
      sending: 'भेजा जा रहा है',
      waitingForReply: 'जवाब खत्म होने का इंतज़ार है',
      awaitingAnswer: 'एक सवाल खुला है, इंतज़ार जारी है',
      queuePaused: 'एक दूसरे मैसेज के पीछे कतार में',
      asked: 'चुने जाने का इंतज़ार है',
      slept: 'नहीं भेजा गया, डिवाइस स्लीप मोड में था',
      parked: 'नहीं भेजा गया',
      failed: 'नहीं भेजा गया',
      restored: 'नहीं भेजा गया, फिर से लोड के बाद वापस मिला',
    },
    count: {
      one: '{count} मैसेज अभी तक नहीं भेजा गया',
      other: '{count} मैसेज अभी तक नहीं भेजे गए',
    },
    files: { one: '{count} फ़ाइल', other: '{count} फ़ाइलें' },
    lostFiles: {
      one: '{count} फ़ाइल नहीं रखी जा सकी',
      other: '{count} फ़ाइलें नहीं रखी जा सकीं',
    },
    lostFile: 'यह फ़ाइल नहीं रखी जा सकी: {file}',
  },
  conflict: {
    waiting: {
      title: 'जवाब अभी जारी है',
      sentence: 'जवाब खत्म होने पर मैसेज भेजा जाता है।',
    },
    asking: {
      title: 'जवाब अभी जारी है',
      sentence: 'मैसेज इंतज़ार कर सकता है, या जवाब रोका जा सकता है।',
    },
    stopping: {
      title: 'जवाब रुक रहा है',
      sentence: 'मैसेज इसके बाद भेजा जाता है।',
    },
  },
  wait: {
    possibleAgain: 'फिर से मुमकिन: {when}',
    replyRunning: 'एक जवाब लिखा जा रहा है',
    tries: '{limit} में से कोशिश {count}',
  },
  incompleteMark: 'अधूरा',
  stoppedMark: 'रोका गया',
  names: {
    pendingList: 'अभी तक नहीं भेजे गए मैसेज',
    showPlace: 'दिखाएँ',
    toastRegion: 'सूचनाएँ',
    reference: 'संदर्भ नंबर',
    referenceCopied: 'संदर्भ नंबर कॉपी हो गया',
    details: 'ब्योरा',
    copyDetails: 'ब्योरा कॉपी करें',
    detailsCopied: 'ब्योरा कॉपी हो गया',
    moreToasts: { one: '{count} और', other: '{count} और' },
    times: { one: '{count} बार', other: '{count} बार' },
  },
};
