import { describe, expect, it } from 'vitest';
import {
  CATEGORY_ROWS,
  CODE_ROWS,
  type FailureRow,
  SITUATION_ROWS,
  UNCLASSIFIED_ROW,
} from '../../src/errors/failureTable.ts';
import { type Catalog, catalogProblems, textsOf } from '../../src/i18n/catalog.ts';
import { en } from '../../src/i18n/en.ts';
import { placesOf } from '../../src/i18n/format.ts';
import { CODES } from '../../src/protocol/codes.ts';
import { REASONS } from '../../src/protocol/reasons.ts';

const entries = (texts: object): readonly (readonly [string, string])[] =>
  Object.entries(texts) as [string, string][];
const { reasons, timeouts, situations, codes, categories, unclassified } = en.causes;
const causes = [
  ...entries(reasons),
  ...entries(timeouts),
  ...entries(situations),
  ...entries(codes),
  ...entries(categories),
  ['unclassified', unclassified],
] as const;
const safety = entries(en.safety);
const sentences = [
  ...causes,
  ...safety,
  ...Object.entries(en.conflict).map(
    ([key, { sentence }]) => [`conflict ${key}`, sentence] as const,
  ),
];
const everything = textsOf(en).map(({ path, text }) => [path, text] as const);
const words = (text: string) => text.match(/[\p{L}\p{N}'’-]+/gu) ?? [];

/** The texts of a group that a pattern finds, for a readable failure. */
const found = (texts: readonly (readonly [string, string])[], pattern: RegExp) =>
  texts.filter(([, text]) => pattern.test(text)).map(([key, text]) => `${key}: ${text}`);
const breaking = (
  texts: readonly (readonly [string, string])[],
  holds: (text: string) => boolean,
) => texts.filter(([, text]) => !holds(text)).map(([key, text]) => `${key}: ${text}`);

describe('English is complete', () => {
  it('has a cause for every code and every reason', () => {
    expect(Object.keys(codes).sort()).toEqual(Object.keys(CODES).sort());
    expect(Object.keys(reasons).sort()).toEqual(Object.keys(REASONS).sort());
    expect(Object.keys(en.titles)).toHaveLength(10);
  });

  it('has nothing for a developer to mend', () => {
    expect(catalogProblems(en)).toEqual([]);
  });

  it('survives being sent as JSON', () => {
    expect(JSON.parse(JSON.stringify(en))).toEqual(en);
  });
});

describe('sentences', () => {
  it('are whole: a capital first, one stop, at the end', () => {
    expect(breaking(sentences, (text) => /^[A-Z][^.!?…]*\.$/.test(text))).toEqual([]);
  });

  it('are short', () => {
    expect(breaking(causes, (text) => text.length <= 120)).toEqual([]);
    expect(breaking(safety, (text) => text.length <= 80)).toEqual([]);
    expect(breaking(sentences, (text) => words(text).length <= 20)).toEqual([]);
  });

  it('of a cause blame nobody: no first or second person', () => {
    expect(found(sentences, /\b(you|your|yours|yourself|we|our|ours|us|I|me|my)\b/i)).toEqual([]);
  });

  it('name their subject', () => {
    expect(
      found(
        sentences,
        /^(This|That|It|There|Here|They)\s+(is|was|were|are|has|had|have|could|can|will|did)\b(?! no )/,
      ),
    ).toEqual([]);
    expect(found(sentences, /\b(here|above|below)\b/i)).toEqual([]);
  });

  it('promise nothing', () => {
    expect(
      found(
        sentences,
        /\b(will|soon|shortly|should|fixing|permanent(ly)?|forever|yet again|later today)\b/i,
      ),
    ).toEqual([]);
  });

  it('never say that nothing happened', () => {
    expect(found(sentences, /\bnothing (has )?(happened|changed)\b/i)).toEqual([]);
  });

  it('hold no places: they are the same wherever they stand', () => {
    expect(found(sentences, /[{}]/)).toEqual([]);
  });

  it('call one thing by one noun', () => {
    expect(
      found(
        sentences,
        /\b(chat|thread|answering machine|bot|AI model|LLM|provider|internet|network|Wi-?Fi|prompt|response|upload)\b/i,
      ),
    ).toEqual([]);
  });
});

describe('every text', () => {
  it('keeps inside words inside', () => {
    const inside =
      /\b(code|ids?|status|server|requests?|responses?|tokens?|streams?|snapshots?|runs?(?! out)|sessions?|time-?outs?|URL|path|stack|HTTP|JSON|API|key|null|undefined|exception|errors?|database|cache)\b/i;
    expect(found(everything, inside)).toEqual([]);
    expect(found(everything, /[_/\\<>]|\b\d{3}\b|[a-z][A-Z]/)).toEqual([]);
  });

  it('names no vendor and no model', () => {
    expect(
      found(
        everything,
        /\b(helix|OpenAI|GPT|Anthropic|Claude|Google|Gemini|Mistral|Azure|AWS|Bedrock|Groq|Vercel|Cloudflare|model)\b/i,
      ),
    ).toEqual([]);
  });

  it('is free of filler', () => {
    expect(
      found(
        everything,
        /\b(please|sorry|oops|whoops|uh-oh|unfortunately|apologi[sz]e|invalid|illegal|forbidden|something went wrong)\b/i,
      ),
    ).toEqual([]);
    expect(found(everything, /[!…]|\.\.\.|\p{Extended_Pictographic}/u)).toEqual([]);
  });

  it('stands without capitals for stress', () => {
    expect(found(everything, /\b(?!AI\b)[A-Z]{2,}\b/)).toEqual([]);
  });

  it('holds only the places that are ever filled', () => {
    const allowed = ['when', 'time', 'count', 'file', 'size', 'limit'];
    expect(
      everything.flatMap(([, text]) => placesOf(text)).filter((place) => !allowed.includes(place)),
    ).toEqual([]);
  });
});

describe('titles', () => {
  const titles = [
    ...entries(en.titles),
    ...Object.entries(en.conflict).map(([key, { title }]) => [key, title] as const),
  ];

  it('are short labels in sentence case', () => {
    expect(breaking(titles, (text) => words(text).length <= 4)).toEqual([]);
    expect(breaking(titles, (text) => /^[A-Z][^A-Z.!?:]*$/.test(text))).toEqual([]);
  });

  it('are distinct, and more than a severity', () => {
    expect(new Set(Object.values(en.titles)).size).toBe(10);
    expect(found(titles, /^(error|warning|notice|problem|failure)$/i)).toEqual([]);
  });
});

describe('labels', () => {
  const labels = entries(en.actions);
  const verbs =
    /^(Resend|Redo|Load|Check|Answer|Edit|Restore|Try|Stop|Wait|Continue|Start|Sign|View|Remove|Copy|Show|Reload|Dismiss)\b/;

  it('are one or two words of at most 16 characters, a verb first', () => {
    expect(breaking(labels, (text) => text.length <= 16)).toEqual([]);
    expect(breaking(labels, (text) => words(text).length <= 2)).toEqual([]);
    expect(breaking(labels, (text) => verbs.test(text))).toEqual([]);
    expect(breaking(labels, (text) => /^[A-Z][^A-Z.!?:]*$/.test(text))).toEqual([]);
  });

  it('tell actions apart, and say no OK, Yes, Submit or bare Cancel', () => {
    expect(new Set(labels.map(([, text]) => text)).size).toBe(labels.length);
    expect(found(labels, /^(OK|Okay|Yes|No|Submit|Cancel|Retry)$/i)).toEqual([]);
  });

  it('name what they act on where two could be meant', () => {
    expect(en.actions['send-again']).toMatch(/message/);
    expect(en.actions['new-reply']).toMatch(/reply/);
    expect(en.actions['take-back']).toMatch(/draft/);
    expect(en.actions['stop-send']).toMatch(/stop.*send/i);
    expect(en.actions['reload-page']).toMatch(/page/);
    expect(en.actions.reload).not.toMatch(/page/);
  });
});

describe('status lines', () => {
  const lines = [...entries(en.status), ...entries(en.pending.states)];

  it('are at most 40 characters without a stop', () => {
    expect(breaking(lines, (text) => text.replace('{when}', '10:45 PM').length <= 40)).toEqual([]);
    expect(breaking(lines, (text) => /^[A-Z][^.!?]*$/.test(text))).toEqual([]);
  });

  it('put a time after a colon or alone', () => {
    expect(
      breaking(
        everything.filter(([, text]) => text.includes('{when}')),
        (text) => /(^|: ){when}$/.test(text),
      ),
    ).toEqual([]);
  });

  it('say of being offline what still works', () => {
    expect(en.status.offline).toMatch(/reading.*writing|writing.*reading/);
  });
});

describe('words and actions', () => {
  /** Rows with words of their own, by where their sentence stands. */
  const rows: readonly {
    readonly name: string;
    readonly sentence: string;
    readonly row: FailureRow;
  }[] = [
    ...Object.entries(CODE_ROWS).map(([name, row]) => ({
      name,
      row,
      sentence: codes[name as keyof typeof codes],
    })),
    ...Object.entries(CATEGORY_ROWS).map(([name, row]) => ({
      name,
      row,
      sentence: categories[name as keyof typeof categories],
    })),
    ...Object.entries(SITUATION_ROWS).flatMap(([name, row]) =>
      Object.hasOwn(reasons, name)
        ? [{ name, row, sentence: reasons[name as keyof typeof reasons] }]
        : [],
    ),
    { name: 'unclassified', row: UNCLASSIFIED_ROW, sentence: unclassified },
  ];
  const makesFailure = ({ surface, primary }: FailureRow) =>
    !((surface === 'none' || surface === 'status') && primary.length === 0);

  // One row of the table each, whose cells differ by cause or flag; or said there to share their words.
  const SHARED: readonly (readonly string[])[] = [
    ['validation_error', 'validation'],
    ['state_history_incomplete', 'store_error', 'snapshot_unstable', 'corrupt_row', 'short_read'],
    [
      'framework_completion_protocol_violation',
      'framework_completion_invalid_output',
      'framework_completion_tool_missing',
    ],
  ];
  const mayShare = (a: string, b: string) =>
    SHARED.some((group) => group.includes(a) && group.includes(b));

  it('rows with different actions have different sentences', () => {
    const actionsOf = ({ primary, secondary }: FailureRow) => JSON.stringify([primary, secondary]);
    const shown = rows.filter(({ row }) => makesFailure(row));
    const clashes = shown.flatMap((a, index) =>
      shown
        .slice(index + 1)
        .filter(
          (b) =>
            a.sentence === b.sentence &&
            actionsOf(a.row) !== actionsOf(b.row) &&
            !mayShare(a.name, b.name),
        )
        .map((b) => `${a.name} and ${b.name}: ${a.sentence}`),
    );
    expect(clashes).toEqual([]);
  });

  it('rows that are the same to a person have the same sentence', () => {
    expect(codes.state_checkpoint_foreign).toBe(codes.state_checkpoint_not_found);
    expect(codes.framework_companion_not_supported).toBe(codes.framework_not_supported);
    expect(codes.framework_completion_schema_unsupported).toBe(
      codes.framework_completion_strategy_unavailable,
    );
    for (const group of SHARED) {
      const own = rows.filter(({ name }) => group.includes(name));
      expect(own).toHaveLength(group.length);
      expect(new Set(own.map(({ sentence }) => sentence)).size).toBe(1);
    }
  });

  it('a cause does not repeat its title', () => {
    const titles = Object.values(en.titles).map((title) => `${title}.`.toLowerCase());
    expect(breaking(causes, (text) => !titles.includes(text.toLowerCase()))).toEqual([]);
  });

  it('a kept reply is spoken of without a word of failure', () => {
    const kept = [reasons.filtered, reasons.length];
    for (const sentence of kept) expect(sentence).not.toMatch(/fail|error|wrong|could not|broke/i);
  });

  it('a filter, a refusal and an account stay general', () => {
    const sensitive = [
      codes.provider_content_filtered,
      codes.provider_refused,
      reasons.filtered,
      reasons.forbidden,
      reasons.quota,
    ];
    for (const sentence of sensitive) {
      expect(sentence).not.toMatch(
        /\b(violat\w*|policy|abuse|harm\w*|suspicious|banned|suspended|rule|because of what)\b/i,
      );
    }
  });
});

describe('what a developer has to mend in a catalogue', () => {
  it('is named with its key: an empty text, a place that nothing fills, a missing plural form', () => {
    const broken: Catalog = {
      ...en,
      locale: 'ru',
      titles: { ...en.titles, noReply: ' ' },
      actions: { ...en.actions, edit: 'Edit {name}' },
    };
    const problems = catalogProblems(broken);
    expect(problems.filter((line) => line.includes('"titles.noReply"'))).toHaveLength(1);
    expect(
      problems.filter((line) => line.includes('"actions.edit"') && line.includes('{name}')),
    ).toHaveLength(1);
    expect(problems.filter((line) => line.includes('"few" of "pending.count"'))).toHaveLength(1);
    for (const line of problems) expect(line).toMatch(/^\[helix-chat\] .+\. .+\. .+\.$/);
  });

  it('a locale that is no tag is a problem, not a crash', () => {
    expect(catalogProblems({ ...en, locale: 'en_US!' })).toHaveLength(1);
  });
});
