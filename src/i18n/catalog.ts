import type { FailureAction, Severity } from '../errors/failure.ts';
import type { KnownCategory } from '../errors/failureTable.ts';
import type { ErrorCode } from '../protocol/codes.ts';
import type { Reason, TimeoutLayer } from '../protocol/reasons.ts';
import { placesOf } from './format.ts';
import type { Plural } from './plural.ts';

/** What a surface is headed by: the outcome for the person, never the code. */
export type TitleKey =
  | 'notSent'
  | 'noReply'
  | 'replyIncomplete'
  | 'notLoaded'
  | 'answerNotTaken'
  | 'waiting'
  | 'notAvailable'
  | 'displayProblem'
  | 'stillRunning'
  | 'notCopied';

/** Where the person's message or answer is. */
export type SafetyKey = 'notSent' | 'held' | 'unknown' | 'kept' | 'incomplete' | 'answerKept';

/** A line of the quiet status. */
export type StatusKey =
  | 'not-sent-yet'
  | 'loading'
  | 'sending-slowly'
  | 'reply-slow'
  | 'reconnecting'
  | 'offline'
  | 'back'
  | 'waiting-for-reply'
  | 'next-try'
  | 'trying'
  | 'already-ended'
  | 'stopped-elsewhere'
  | 'deferred'
  | 'deferred-until';

/** What stands under a message that is not sent. */
export type PendingKey =
  | 'sending'
  | 'waitingForReply'
  | 'awaitingAnswer'
  | 'queuePaused'
  | 'asked'
  | 'slept'
  | 'parked'
  | 'failed'
  | 'restored';

/** A title with its sentence. */
export interface Notice {
  readonly title: string;
  readonly sentence: string;
}

/**
 * Every word that helix-chat shows, for one locale. Plain JSON. Texts may hold the named places that their comment
 * gives and no others; nothing else is put into a text. A gap does not compile.
 */
export interface Catalog {
  /** BCP 47 tag of the texts. */
  readonly locale: string;
  /** What happened: one whole sentence, at most 160 characters (English 120), no second person. */
  readonly causes: {
    readonly reasons: Readonly<Record<Reason, string>>;
    readonly timeouts: Readonly<Record<TimeoutLayer, string>>;
    readonly situations: Readonly<Record<'stopFailed' | 'copyFailed' | 'crash', string>>;
    readonly codes: Readonly<Record<ErrorCode, string>>;
    readonly categories: Readonly<Record<KnownCategory, string>>;
    readonly unclassified: string;
  };
  /** What became of the message: one whole sentence, at most 80 characters in English. */
  readonly safety: Readonly<Record<SafetyKey, string>>;
  /** At most 4 words, no stop. */
  readonly titles: Readonly<Record<TitleKey, string>>;
  /** Button labels: a verb first, 1 or 2 words, at most 16 characters in English. Keys are the action ids. */
  readonly actions: Readonly<Record<FailureAction, string>>;
  /** Text alternatives of the severity icons. */
  readonly severities: Readonly<Record<Severity | 'recovered', string>>;
  /** Present tense, no stop, at most 40 characters in English. `next-try`, `deferred-until`: `{when}`, never empty, such as "in 12 seconds" or "3:40 PM". */
  readonly status: Readonly<Record<StatusKey, string>>;
  readonly pending: {
    readonly states: Readonly<Record<PendingKey, string>>;
    /** Spoken when the list changes. `{count}`: how many messages wait. */
    readonly count: Plural;
    /** `{count}`: files of the message. */
    readonly files: Plural;
    /** `{count}`: files that could not be kept over a reload. */
    readonly lostFiles: Plural;
    /** `{file}`: its name, may be any text. */
    readonly lostFile: string;
  };
  readonly conflict: {
    readonly waiting: Notice;
    readonly asking: Notice;
    readonly stopping: Notice;
  };
  readonly wait: {
    /** Under a button that opens at a stated time. `{when}`: as in `next-try`. */
    readonly possibleAgain: string;
    /** Why a repeat is closed while a reply is being written. */
    readonly replyRunning: string;
    /** `{count}`: this try. `{limit}`: how many there are at most. */
    readonly tries: string;
  };
  /** Stands at the end of a reply of which only a part arrived. */
  readonly incompleteMark: string;
  /** Stands at the end of a reply that was stopped. */
  readonly stoppedMark: string;
  /** Names of regions, lists and fields, and the words of small controls. */
  readonly names: {
    readonly pendingList: string;
    /** Label of the button that leads from a toast to where the failure stands. */
    readonly showPlace: string;
    readonly toastRegion: string;
    readonly reference: string;
    readonly referenceCopied: string;
    readonly details: string;
    readonly copyDetails: string;
    readonly detailsCopied: string;
    /** `{count}`: toasts that are not drawn. */
    readonly moreToasts: Plural;
    /** `{count}`: how often one incident has come. */
    readonly times: Plural;
  };
}

type Place = 'when' | 'time' | 'count' | 'file' | 'limit';

/** The places that a text may hold, by the path of its key. Texts that are not named here hold none. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  'status.next-try': ['when'],
  'status.deferred-until': ['when'],
  'wait.possibleAgain': ['when'],
  'wait.tries': ['count', 'limit'],
  'pending.count': ['count'],
  'pending.files': ['count'],
  'pending.lostFiles': ['count'],
  'pending.lostFile': ['file'],
  'names.moreToasts': ['count'],
  'names.times': ['count'],
};

const PLURALS: readonly string[] = [
  'pending.count',
  'pending.files',
  'pending.lostFiles',
  'names.moreToasts',
  'names.times',
];

/** Every text of a catalogue with the path of its key, plural forms one by one. */
export function textsOf(
  catalog: Catalog,
): readonly { readonly path: string; readonly text: string }[] {
  const walk = (value: unknown, path: string): { path: string; text: string }[] => {
    if (typeof value === 'string') return [{ path, text: value }];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) =>
      walk(inner, path === '' ? key : `${path}.${key}`),
    );
  };
  const { locale: _, ...texts } = catalog;
  return walk(texts, '');
}

const pluralOf = (path: string): string | undefined =>
  PLURALS.find((plural) => path.startsWith(`${plural}.`));

function pluralGaps(catalog: Catalog, paths: readonly string[]): readonly string[] {
  let categories: readonly string[];
  try {
    categories = new Intl.PluralRules(catalog.locale).resolvedOptions().pluralCategories;
  } catch {
    return [
      `[helix-chat] The catalogue's locale "${catalog.locale}" is no language tag. Times and numbers are written in English. Give a BCP 47 tag such as "en" or "pt-BR".`,
    ];
  }
  return PLURALS.flatMap((plural) =>
    categories
      .filter((category) => !paths.includes(`${plural}.${category}`))
      .map(
        (category) =>
          `[helix-chat] The catalogue "${catalog.locale}" has no form "${category}" of "${plural}". Some counts are shown with the wrong words. Add the form.`,
      ),
  );
}

/**
 * What a developer has to mend in a catalogue, one sentence in three parts each: empty texts, unknown places, missing
 * plural forms. For tests and for a development build; a view never fails on any of them.
 */
export function catalogProblems(catalog: Catalog): readonly string[] {
  const texts = textsOf(catalog);
  const of = ({ path, text }: { path: string; text: string }): string[] => {
    const allowed: readonly string[] = PLACES[pluralOf(path) ?? path] ?? [];
    const empty = text.trim() === '';
    return [
      ...(empty
        ? [
            `[helix-chat] The text "${path}" of the catalogue "${catalog.locale}" is empty. A surface stays without its words. Write the text.`,
          ]
        : []),
      ...placesOf(text)
        .filter((place) => !allowed.includes(place))
        .map(
          (place) =>
            `[helix-chat] The text "${path}" of the catalogue "${catalog.locale}" holds {${place}}, which nothing fills. It is left out on the screen. Use ${allowed.length === 0 ? 'no places there' : allowed.map((name) => `{${name}}`).join(', ')}.`,
        ),
    ];
  };
  return [
    ...texts.flatMap(of),
    ...pluralGaps(
      catalog,
      texts.map(({ path }) => path),
    ),
  ];
}
