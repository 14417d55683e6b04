import { ar } from '../../src/i18n/ar.ts';
import type { Catalog } from '../../src/i18n/catalog.ts';
import { de } from '../../src/i18n/de.ts';
import { es } from '../../src/i18n/es.ts';
import { fr } from '../../src/i18n/fr.ts';
import { hi } from '../../src/i18n/hi.ts';
import { it } from '../../src/i18n/it.ts';
import { ja } from '../../src/i18n/ja.ts';
import { ko } from '../../src/i18n/ko.ts';
import { ptBR } from '../../src/i18n/pt-BR.ts';
import { ru } from '../../src/i18n/ru.ts';
import { zhCN } from '../../src/i18n/zh-CN.ts';

/** The things that a sentence may speak of, by the English word. */
export type Thing =
  | 'AI service'
  | 'app'
  | 'assistant'
  | 'connection'
  | 'conversation'
  | 'file'
  | 'message'
  | 'reply';

/** What the texts of one language have to keep to. */
export interface LocaleRules {
  readonly catalog: Catalog;
  /** What ends a sentence. */
  readonly stop: '.' | '。' | '।';
  /** The whole sentence, beyond its stop. */
  readonly sentence: RegExp;
  /** The grammar of a button's label. */
  readonly label: RegExp;
  /** What a title ends with. */
  readonly title: RegExp;
  /** The one word for each thing. */
  readonly nouns: Readonly<Record<Thing, RegExp>>;
  /** Other words for these things. */
  readonly rivals: RegExp;
  /** First and second person, and what asks something of the person: not in sentences. */
  readonly persons: RegExp;
  /** Words of the inside. */
  readonly inside: RegExp;
  /** Apologies, pleas and blame. */
  readonly filler: RegExp;
  /** What nobody can promise. */
  readonly promises: RegExp;
  /** Words of failure, which have no place where a reply is kept. */
  readonly failing: RegExp;
  /** Signs that this language writes in another way. */
  readonly wrongSigns: RegExp;
  /** Texts that are spelled as in English, and are not left over from it. */
  readonly asInEnglish: readonly string[];
  /** A sentence with all of that in it, so that no list is blind. */
  readonly everythingWrong: string;
  /** The line of the next try in 1, 2, 5 and 21 seconds and in 3 minutes. */
  readonly waits: readonly [string, string, string, string, string];
}

/** Whole words, in any script that parts words by spaces. */
const words = (source: string, flags = 'iu') =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${source})(?![\\p{L}\\p{M}])`, flags);

const CASED = /^\p{Lu}[^.]*\.$/u;
const ANY = /./u;

/** The eleven languages beside English. */
export const LOCALES: Readonly<Record<string, LocaleRules>> = {
  es: {
    catalog: es,
    stop: '.',
    sentence: CASED,
    label: /^\p{L}+[aei]r(?= |$)/u,
    title: ANY,
    nouns: {
      'AI service': /servicio de IA/,
      app: /aplicación/,
      assistant: /asistente/,
      connection: /conexión/i,
      conversation: /conversación/i,
      file: /archivo/,
      message: /mensaje/i,
      reply: /respuesta/i,
    },
    rivals: words('chat|charla|hilo|red|internet|apps?|ficheros?|bot|modelo|contestador'),
    persons: words(
      'yo|mi|mis|me|nosotros|nos|nuestr[oa]s?|tú|tu|tus|te|ti|contigo|tuy[oa]s?|vos|usted|ustedes|vosotros|vuestr[oa]s?|\\p{L}+(?:aste|iste)',
    ),
    inside: words(
      'código|identificador|id|servidor|petición|solicitud|token|flujo|instantánea|(?<!(?:inicio de|iniciar) )sesión|tiempo de espera|url|ruta|pila|api|clave|excepción|error(?:es)?|base de datos|caché',
    ),
    filler: words(
      'por favor|lo sentimos|sentimos|perdón|disculpas?|ups|vaya|lamentablemente|desgraciadamente|inválid[oa]|no válid[oa]|ilegal|prohibid[oa]|algo salió mal',
    ),
    promises: words('pronto|enseguida|en breve|debería|permanentemente|para siempre'),
    failing: words('fall\\p{L}+|error|mal|no se pudo|se cortó'),
    wrongSigns: /['"]|(?<![¿])\b[^.]*\?|(?<!¡)\b[^.]*!/,
    everythingWrong: 'Por favor, tu chat falló por un error del servidor y pronto debería volver.',
    asInEnglish: [],
    waits: [
      'Próximo intento: dentro de 1 segundo',
      'Próximo intento: dentro de 2 segundos',
      'Próximo intento: dentro de 5 segundos',
      'Próximo intento: dentro de 21 segundos',
      'Próximo intento: dentro de 3 minutos',
    ],
  },
  fr: {
    catalog: fr,
    stop: '.',
    sentence: CASED,
    label: /^(?:Ne plus |S’)?\p{L}+(?:er|ir|re)(?= |$)/u,
    title: ANY,
    nouns: {
      'AI service': /service d’IA/,
      app: /application/,
      assistant: /assistant/,
      connection: /connexion/,
      conversation: /conversation/i,
      file: /fichier/,
      message: /message/i,
      reply: /réponse/i,
    },
    rivals: words(
      'chat|discussion|fil|réseau|internet|applis?|apps?|bot|modèle|pièces? jointes?|se connecter',
    ),
    persons: words(
      'je|j|me|moi|mon|ma|mes|nous|notre|nos|tu|te|toi|ton|ta|tes|vous|votre|vos|on|veuillez',
    ),
    inside: words(
      'code|identifiants?|id|serveur|requêtes?|jeton|flux|instantané|session|délai d’attente|url|chemin|pile|api|clé|exception|erreurs?|base de données|cache',
    ),
    filler: words(
      's’il vous plaît|désolée?s?|pardon|excus\\p{L}*|oups|hélas|malheureusement|invalide|non valide|illégale?|interdite?|une erreur est survenue',
    ),
    promises: words('bientôt|sous peu|prochainement|devrait|définitivement|pour toujours'),
    failing: words('échou\\p{L}+|échec|erreur|n’a pas pu|mal'),
    wrongSigns: /['"]|(?<![\u00a0\u202f])[:;!?]|[\u00a0\u202f](?![:;!?])/,
    everythingWrong:
      'Désolé, votre chat a échoué à cause d’une erreur du serveur, et devrait bientôt revenir.',
    asInEnglish: ['names.toastRegion'],
    waits: [
      'Prochain essai\u00a0: dans 1 seconde',
      'Prochain essai\u00a0: dans 2 secondes',
      'Prochain essai\u00a0: dans 5 secondes',
      'Prochain essai\u00a0: dans 21 secondes',
      'Prochain essai\u00a0: dans 3 minutes',
    ],
  },
  de: {
    catalog: de,
    stop: '.',
    sentence: CASED,
    label: /en$/,
    title: ANY,
    nouns: {
      'AI service': /KI-Dienst/,
      app: /App/,
      assistant: /Assistent/,
      connection: /Verbindung/,
      conversation: /Unterhaltung/,
      file: /Datei/,
      message: /Nachricht/,
      reply: /Antwort/,
    },
    rivals: words(
      'Chats?|Gespräch\\p{L}*|Konversation|Verlauf|Netz\\p{L}*|Internet|Anwendung|Bot|Modell|Anh[aä]ng\\p{L}*|Rückmeldung',
    ),
    persons: words(
      'ich|mir|mich|mein\\p{L}*|wir|uns|unser\\p{L}*|du|dir|dich|dein\\p{L}*|euch|euer|Sie|Ihr|Ihr(?:e|en|em|er|es)|Ihnen|man|[Bb]itte',
      'u',
    ),
    inside: words(
      'Code|Kennung|ID|Server|Anfrage\\p{L}*|Anforderung\\p{L}*|Token|Datenstrom|Stream|Momentaufnahme|Schnappschuss|Sitzung|Zeitüberschreitung|Timeout|URL|Pfad|Stapel|API|Schlüssel|Ausnahme|Fehler|Datenbank|Cache|Zwischenspeicher',
    ),
    filler: words(
      'bitte|leider|sorry|entschuldig\\p{L}*|ups|hoppla|ungültig\\p{L}*|illegal|verboten|etwas ist schiefgelaufen',
    ),
    promises: words('bald|gleich|in Kürze|demnächst|sollte|dauerhaft|für immer'),
    failing: words('fehl\\p{L}*|Fehler|versag\\p{L}*|konnte nicht|falsch|abgebrochen'),
    wrongSigns: /['"]/,
    everythingWrong: 'Leider ist Ihr Chat fehlgeschlagen, der Server sollte bald wieder da sein.',
    asInEnglish: ['severities.blocking', 'names.details'],
    waits: [
      'Nächster Versuch: in 1 Sekunde',
      'Nächster Versuch: in 2 Sekunden',
      'Nächster Versuch: in 5 Sekunden',
      'Nächster Versuch: in 21 Sekunden',
      'Nächster Versuch: in 3 Minuten',
    ],
  },
  'pt-BR': {
    catalog: ptBR,
    stop: '.',
    sentence: CASED,
    label: /^\p{L}+[aei]r(?= |$)/u,
    title: ANY,
    nouns: {
      'AI service': /serviço de IA/,
      app: /\bapp\b/,
      assistant: /assistente/,
      connection: /conexão/,
      conversation: /conversa/i,
      file: /arquivo/,
      message: /mensage/i,
      reply: /resposta/i,
    },
    rivals: words(
      'chat|bate-papo|rede|internet|aplicativo|aplicação|bot|modelo|anexos?|ficheiros?|ligação|telemóvel|utilizador\\p{L}*|ecrã',
    ),
    persons: words(
      'eu|meus?|minhas?|me|mim|nós|nossos?|nossas?|você|vocês|seus?|suas?|tu|teus?|tuas?|te|ti',
    ),
    inside: words(
      'código|identificador|id|servidor|requisição|solicitação|token|fluxo|instantâneo|sessão|tempo limite|tempo esgotado|url|caminho|pilha|api|chave|exceção|erros?|banco de dados|cache',
    ),
    filler: words(
      'por favor|desculpe|desculpas?|sentimos|lamentamos|ops|opa|infelizmente|inválid[oa]s?|ilegal|proibid[oa]s?|algo deu errado',
    ),
    promises: words('em breve|logo|já já|deveria|deve funcionar|permanentemente|para sempre'),
    failing: words('falh\\p{L}+|erro|errad[oa]|não foi possível|não pôde'),
    wrongSigns: /['"]/,
    everythingWrong: 'Desculpe, seu chat falhou no servidor e logo volta.',
    asInEnglish: [],
    waits: [
      'Próxima tentativa: em 1 segundo',
      'Próxima tentativa: em 2 segundos',
      'Próxima tentativa: em 5 segundos',
      'Próxima tentativa: em 21 segundos',
      'Próxima tentativa: em 3 minutos',
    ],
  },
  it: {
    catalog: it,
    stop: '.',
    sentence: CASED,
    label: /^\p{L}+[ai](?: (?!(?:il|lo|la|i|gli|le) |l’)\p{L}+)*$/u,
    title: ANY,
    nouns: {
      'AI service': /servizio IA/,
      app: /\bapp\b/,
      assistant: /assistente/,
      connection: /connessione/,
      conversation: /conversazione/i,
      file: /\bfile\b/,
      message: /messagg/i,
      reply: /rispost[ao]/i,
    },
    rivals: words('chat|discussione|rete|internet|applicazione|bot|modello|allegat[oi]|riscontro'),
    persons: words(
      'io|mi|mio|mia|miei|mie|noi|nostr[oaie]|tu|te|ti|tuo|tua|tuoi|tue|lei|voi|vostr[oaie]',
    ),
    inside: words(
      'codice|identificativo|id|server|richieste?|token|flusso|istantanea|sessione|timeout|tempo scaduto|url|percorso|pila|api|chiave|eccezione|error[ei]|database|cache',
    ),
    filler: words(
      'per favore|per piacere|spiacent[ei]|ci dispiace|scus\\p{L}+|ops|purtroppo|non valid[oa]|illegale|vietat[oa]|proibit[oa]|qualcosa è andato storto',
    ),
    promises: words('presto|a breve|tra poco|dovrebbe|permanentemente|per sempre'),
    failing: words('error[ei]|guasto|non è stato possibile|non ha funzionato|male'),
    wrongSigns: /['"]/,
    everythingWrong: 'Purtroppo la tua chat ha avuto un errore del server, ma presto torna.',
    asInEnglish: ['pending.files.one'],
    waits: [
      'Prossimo tentativo: tra 1 secondo',
      'Prossimo tentativo: tra 2 secondi',
      'Prossimo tentativo: tra 5 secondi',
      'Prossimo tentativo: tra 21 secondi',
      'Prossimo tentativo: tra 3 minuti',
    ],
  },
  ja: {
    catalog: ja,
    stop: '。',
    sentence: /(?:ました|ません(?:でした)?|ます|です|でした)。$/,
    label: /(?:[るすくむつう]|読み込み|[\p{Script=Han}\p{Script=Katakana}ー])$/u,
    title: /(?:[\p{Script=Han}\p{Script=Katakana}ー]|なし|読み込み)$/u,
    nouns: {
      'AI service': /AIサービス/,
      app: /アプリ/,
      assistant: /アシスタント/,
      connection: /接続/,
      conversation: /会話/,
      file: /ファイル/,
      message: /メッセージ/,
      reply: /回答/,
    },
    rivals:
      /チャット|スレッド|ネットワーク|インターネット|アプリケーション|ボット|モデル|返信|返答|添付/,
    persons: /あなた|貴方|お客|皆様|お使い|ご利用|ご確認|ください|下さい|私|当社|弊社/,
    inside:
      /サーバー?|エラー|コード|リクエスト|レスポンス|トークン|ストリーム|スナップショット|セッション|タイムアウト|パス|スタック|キー|例外|データベース|キャッシュ|要求を/,
    filler: /申し訳|すみません|ごめん|恐れ入り|残念|あいにく|無効|不正|違法|禁止|お手数/,
    promises: /まもなく|間もなく|すぐに|もうすぐ|はずです|永久/,
    failing: /失敗|エラー|問題|できません/,
    wrongSigns: /[,.:;!?()[\]'"\s！？]/,
    everythingWrong:
      '申し訳ありませんが、あなたのチャットはサーバーの問題で失敗し、まもなく戻ります。',
    asInEnglish: [],
    waits: [
      '次の試行：1 秒後',
      '次の試行：2 秒後',
      '次の試行：5 秒後',
      '次の試行：21 秒後',
      '次の試行：3 分後',
    ],
  },
  'zh-CN': {
    catalog: zhCN,
    stop: '。',
    sentence: ANY,
    label: /^\p{Script=Han}{2,4}$/u,
    title: ANY,
    nouns: {
      'AI service': /AI 服务/,
      app: /应用/,
      assistant: /助手/,
      connection: /连接/,
      conversation: /对话/,
      file: /文件/,
      message: /消息/,
      reply: /回复/,
    },
    rivals: /聊天|会话|网络|互联网|应用程序|机器人|模型|答复|附件|讯息|信息/,
    persons: /你|您|我|咱|请/,
    inside:
      /服务器|错误|代码|请求|响应|令牌|数据流|快照|会话|超时|路径|堆栈|密钥|异常|接口|数据库|缓存/,
    filler: /抱歉|对不起|不好意思|遗憾|哎呀|糟糕|无效|非法|禁止|不幸/,
    promises: /即将|马上|很快|应该|永久|永远/,
    failing: /故障|失败|未能|错/,
    wrongSigns:
      /[,.:;!?()'"！]|\p{Script=Han}[A-Za-z{]|[A-Za-z}]\p{Script=Han}|\p{Script=Han}\s\p{Script=Han}/u,
    everythingWrong: '抱歉，你的聊天因服务器故障失败，很快会恢复。',
    asInEnglish: [],
    waits: [
      '下次尝试：1秒钟后',
      '下次尝试：2秒钟后',
      '下次尝试：5秒钟后',
      '下次尝试：21秒钟后',
      '下次尝试：3分钟后',
    ],
  },
  ko: {
    catalog: ko,
    stop: '.',
    sentence: /(?<!까|시)니다\.$/,
    label: /기$/,
    title: /[^다요]$/,
    nouns: {
      'AI service': /AI 서비스/,
      app: /앱/,
      assistant: /어시스턴트/,
      connection: /연결/,
      conversation: /대화/,
      file: /파일/,
      message: /메시지/,
      reply: /답변/,
    },
    rivals: /채팅|네트워크|인터넷|애플리케이션|어플|챗봇|모델|응답|회신|첨부/,
    persons: /당신|귀하|고객|회원|사용자님|우리|저희|세요|십시오|주시/,
    inside:
      /서버|오류|에러|코드|요청|응답|토큰|스트림|스냅샷|세션|시간 초과|타임아웃|경로|스택|예외|데이터베이스|캐시/,
    filler: /죄송|미안|유감|아쉽|앗|이런|잘못|유효하지|불법|금지|안타깝/,
    promises: /곧|금방|영구|영원|될 것입니다/,
    failing: /실패|문제|못했/,
    // A particle depends on the sound before it, and nobody knows what a place holds.
    wrongSigns: /['"，。：]|\}(?:이|가|은|는|을|를|와|과|로|으로|의|에)(?![\p{L}])/u,
    everythingWrong: '죄송하지만 당신의 채팅은 서버 문제로 실패했고 곧 돌아옵니다.',
    asInEnglish: [],
    waits: [
      '다음 시도: 1초 후',
      '다음 시도: 2초 후',
      '다음 시도: 5초 후',
      '다음 시도: 21초 후',
      '다음 시도: 3분 후',
    ],
  },
  hi: {
    catalog: hi,
    stop: '।',
    sentence: ANY,
    label: /(?:ें|एँ)$/,
    title: ANY,
    nouns: {
      'AI service': /AI सेवा/,
      app: /ऐप/,
      assistant: /असिस्टेंट/,
      connection: /कनेक्शन/,
      conversation: /बातचीत/,
      file: /फ़ाइल/,
      message: /मैसेज/,
      reply: /जवाब/,
    },
    rivals: words('चैट|नेटवर्क|इंटरनेट|एप्लिकेशन|बॉट|मॉडल|संदेश|रिप्लाई|अटैचमेंट|प्रत्युत्तर'),
    persons: words(
      'मैं|मुझे|मेर[ाीे]|हम|हमें|हमार[ाीे]|तू|तुम|तुम्हें|तुम्हार[ाीे]|आप|आपको|आपक[ाीे]|आपने|अपन[ाीे] (?:मैसेज|खात[ाे]|डिवाइस)',
    ),
    inside: words(
      'सर्वर|एरर|त्रुटि|त्रुटियाँ|कोड|आईडी|अनुरोध|रिक्वेस्ट|रिस्पॉन्स|टोकन|स्ट्रीम|स्नैपशॉट|सत्र|सेशन|टाइमआउट|यूआरएल|पाथ|स्टैक|कुंजी|अपवाद|डेटाबेस|कैश',
    ),
    filler: words('कृपया|माफ़\\p{L}*|क्षमा|खेद|अफ़सोस|दुर्भाग्य\\p{L}*|ओह|अमान्य|अवैध|निषिद्ध|वर्जित'),
    promises: words('जल्द|जल्दी|शीघ्र|हमेशा के लिए|स्थायी'),
    failing: words('खराबी|विफल|गड़बड़ी|गलत|नहीं'),
    wrongSigns: /['".;|]/,
    everythingWrong: 'माफ़ करें, आपकी चैट सर्वर की खराबी से रुकी और जल्द लौटेगी।',
    asInEnglish: [],
    waits: [
      'अगली कोशिश: 1 सेकंड में',
      'अगली कोशिश: 2 सेकंड में',
      'अगली कोशिश: 5 सेकंड में',
      'अगली कोशिश: 21 सेकंड में',
      'अगली कोशिश: 3 मिनट में',
    ],
  },
  ar: {
    catalog: ar,
    stop: '.',
    sentence: ANY,
    label:
      /^(?:ال)?(?:إعادة|إنشاء|إجابة|تحقق|تعديل|استعادة|محاولة|إيقاف|انتظار|متابعة|بدء|تسجيل|عرض|إزالة|نسخ|إغلاق)(?= |$)/,
    title: ANY,
    nouns: {
      'AI service': /خدمة الذكاء الاصطناعي/,
      app: /تطبيق/,
      assistant: /مساعد/,
      connection: /[اا]?تصال/,
      conversation: /محادثة/,
      file: /ملف/,
      message: /رسالة|رسائل|رسالتان/,
      // "And answered": the verbal noun of the same word.
      reply: /رد/,
    },
    rivals: words(
      '(?:ال)?(?:دردشة|شبكة|إنترنت|روبوت|نموذج|مرفق(?:ات)?|جواب|استجابة|محاورة|برنامج)',
    ),
    persons: words(
      'أنا|نحن|أنت|أنتِ|أنتم|لك|لكم|لديك|(?:رسالت|محادثت|حساب|جهاز|ملف|ملفات|رد|اتصال|إجابت|اشتراك|نص)ك|(?:خدمت|تطبيق)نا|يرجى|يُرجى|الرجاء|أرسل|حاول(?! متابعته| عدة)',
    ),
    inside: words(
      '(?:ال)?(?:خادم|خطأ|أخطاء|رمز|معرّف|معرف|طلب|استجابة|دفق|لقطة|جلسة|مهلة|رابط|مسار|مفتاح|استثناء|ذاكرة|قاعدة بيانات)',
    ),
    filler: words(
      'عذرًا|عفوًا|نعتذر|معذرة|المعذرة|آسف\\p{L}*|نأسف|للأسف|يرجى|يُرجى|الرجاء|رجاءً|من فضلك|غير صالح\\p{L}*|غير قانوني|محظور\\p{L}*|ممنوع\\p{L}*',
    ),
    promises: words('قريبًا|حالًا|سوف|ينبغي|نهائيًا|إلى الأبد|س(?:يصل|يعود|تعود|يُرسل)\\p{L}*'),
    failing: words('(?:ال)?(?:تعذّر\\p{L}*|تعطّل|عطل|فشل\\p{L}*|خطأ)'),
    wrongSigns: /['",;?%]/,
    everythingWrong: 'عذرًا، فشلت الدردشة في حسابك بسبب الخادم وتعود قريبًا.',
    asInEnglish: [],
    waits: [
      'المحاولة التالية: خلال ثانية واحدة',
      'المحاولة التالية: خلال ثانيتين',
      'المحاولة التالية: خلال 5 ثوانٍ',
      'المحاولة التالية: خلال 21 ثانية',
      'المحاولة التالية: خلال 3 دقائق',
    ],
  },
  ru: {
    catalog: ru,
    stop: '.',
    sentence: CASED,
    label: /^\p{L}+(?:ть|ти|чь)(?= |$)/u,
    title: ANY,
    nouns: {
      'AI service': /сервис\p{L}* ИИ/u,
      app: /приложени/i,
      assistant: /ассистент/,
      connection: /связ/i,
      conversation: /бесед/i,
      file: /файл/,
      message: /сообщени/i,
      reply: /ответ/i,
    },
    rivals: words(
      'чат\\p{L}*|диалог\\p{L}*|разговор\\p{L}*|сет[ьи]|интернет\\p{L}*|соединени\\p{L}*|подключени\\p{L}*|бот\\p{L}*|модел\\p{L}*|вложени\\p{L}*',
    ),
    persons: words(
      'я|мне|меня|мо[йяеи]|мы|нам|нас|нами|наш(?!л)\\p{L}*|ты|тебя|тебе|тво\\p{L}+|вы|вас|вам|вами|ваш\\p{L}*|\\p{L}+(?:йте|ите)(?:сь)?',
    ),
    inside: words(
      'код\\p{L}{0,3}|идентификатор\\p{L}*|сервер\\p{L}*|запрос\\p{L}{0,3}|токен\\p{L}*|поток\\p{L}*|снимок|снимк\\p{L}+|сеанс\\p{L}*|сесси\\p{L}*|тайм-?аут\\p{L}*|путь|стек\\p{L}*|ключ\\p{L}{0,3}|исключени\\p{L}+|ошибк\\p{L}+|ошибок|баз\\p{L} данных|кэш\\p{L}*|статус\\p{L}*',
    ),
    filler: words(
      'пожалуйста|извин\\p{L}+|прост[иі]\\p{L}*|к сожалению|увы|ой|недействительн\\p{L}+|неверн\\p{L}+|недопустим\\p{L}+|незаконн\\p{L}+|запрещ\\p{L}+|что-то пошло не так',
    ),
    promises: words('скоро|вскоре|сейчас же|должн\\p{L}+|навсегда|окончательно|буд[еу]т'),
    failing: words('сбо[йяюе]\\p{L}*|ошибк\\p{L}+|не удалось|неправильно'),
    wrongSigns: /['"]/,
    everythingWrong: 'К сожалению, ваш чат прервался из-за сбоя сервера и скоро вернётся.',
    asInEnglish: [],
    waits: [
      'Следующая попытка: через 1 секунду',
      'Следующая попытка: через 2 секунды',
      'Следующая попытка: через 5 секунд',
      'Следующая попытка: через 21 секунду',
      'Следующая попытка: через 3 минуты',
    ],
  },
};
