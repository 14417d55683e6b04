import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { locales } from '../../scripts/entryPoints.mjs';
import type { Failure } from '../../src/errors/failure.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import { type Catalog, catalogProblems, textsOf } from '../../src/i18n/catalog.ts';
import {
  describeError,
  describePending,
  describeStatus,
  spokenText,
} from '../../src/i18n/describeError.ts';
import { en } from '../../src/i18n/en.ts';
import { formatCount, placesOf } from '../../src/i18n/format.ts';
import type { Plural } from '../../src/i18n/plural.ts';
import { allSources, importsOf } from '../architecture/sources.ts';
import { LOCALES, type LocaleRules, type Thing } from './localeRules.ts';

type Text = readonly [path: string, text: string];

const now = Date.UTC(2025, 0, 15, 12, 0, 0);
const english = new Map(textsOf(en).map(({ path, text }) => [path, text]));
const PLURAL = /\.(?:zero|one|two|few|many|other)$/;
const isPlural = (path: string) => PLURAL.test(path) && english.has(path.replace(PLURAL, '.other'));
/** The English text that a text stands for; for any plural form the general one. */
const inEnglish = (path: string): string =>
  english.get(path) ?? english.get(path.replace(PLURAL, '.other')) ?? '';
const bare = (text: string) => text.replace(/\{\w+\}/g, '');

const all = (catalog: Catalog): readonly Text[] =>
  textsOf(catalog).map(({ path, text }) => [path, text]);
const under = (texts: readonly Text[], pattern: RegExp) =>
  texts.filter(([path]) => pattern.test(path));

const SENTENCES = /^causes\.|^safety\.|^conflict\.\w+\.sentence$/;
const TITLES = /^titles\.|^conflict\.\w+\.title$/;
const LABELS = /^actions\./;
const LINES = /^status\.|^pending\.states\./;

/** The texts that a pattern finds, or that fail to hold, for a readable failure. */
const found = (texts: readonly Text[], pattern: RegExp) =>
  texts.filter(([, text]) => pattern.test(text)).map(([path, text]) => `${path}: ${text}`);
const breaking = (texts: readonly Text[], holds: (text: string, path: string) => boolean) =>
  texts.filter(([path, text]) => !holds(text, path)).map(([path, text]) => `${path}: ${text}`);

const DENSE: readonly string[] = ['ja', 'zh-CN', 'ko'];
const everyCatalog: readonly (readonly [string, Catalog])[] = [
  ['en', en],
  ...Object.entries(LOCALES).map(([tag, { catalog }]) => [tag, catalog] as const),
];
const others = Object.entries(LOCALES);

describe('the catalogues', () => {
  it('are twelve, each a file named after its tag with one export', () => {
    expect(locales.toSorted()).toEqual(everyCatalog.map(([tag]) => tag).toSorted());
    for (const [tag, { locale }] of everyCatalog) expect(locale).toBe(tag);
    expect(everyCatalog).toHaveLength(12);
  });

  it('are offered by the package under their tags', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
      exports: Record<string, unknown>;
    };
    for (const tag of locales) {
      expect(manifest.exports[`./locales/${tag}`]).toEqual({
        types: `./dist/locales/${tag}.d.ts`,
        default: `./dist/locales/${tag}.js`,
      });
    }
  });

  it('load alone: besides English none imports anything but types', () => {
    const files = others.map(([tag]) => `i18n/${tag}.ts`);
    const sources = allSources().filter(({ path }) => files.includes(path));
    expect(sources).toHaveLength(files.length);
    const imports = sources.flatMap((source) => importsOf(source));
    expect(imports.filter(({ typeOnly }) => !typeOnly)).toEqual([]);
  });

  it('are all that a view needs: putting a failure into words loads no English sentence', () => {
    const byPath = new Map(allSources().map((source) => [source.path, source]));
    const loaded = new Set<string>();
    const load = (path: string) => {
      const source = byPath.get(path);
      if (!source || loaded.has(path)) return;
      loaded.add(path);
      for (const { target, typeOnly } of importsOf(source)) if (target && !typeOnly) load(target);
    };
    load('i18n/describeError.ts');
    expect(loaded).toContain('i18n/format.ts');
    for (const path of ['i18n/en.ts', 'protocol/codes.ts', 'protocol/reasons.ts']) {
      expect(loaded).not.toContain(path);
    }
  });
});

describe.each(everyCatalog)('%s', (tag, catalog) => {
  const texts = all(catalog);

  it('has nothing for a developer to mend', () => {
    expect(catalogProblems(catalog)).toEqual([]);
  });

  it('has the keys of English, and of every counted phrase exactly the forms of the language', () => {
    const plain = (list: readonly Text[]) =>
      list.map(([path]) => path).filter((path) => !isPlural(path));
    expect(plain(texts).toSorted()).toEqual(plain(all(en)).toSorted());
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    const counted = [...english.keys()].filter((path) => /\.other$/.test(path));
    for (const path of counted.map((path) => path.replace(PLURAL, ''))) {
      const forms = texts.map(([own]) => own).filter((own) => own.replace(PLURAL, '') === path);
      expect(forms.map((own) => own.slice(path.length + 1)).toSorted()).toEqual(
        pluralCategories.toSorted(),
      );
    }
  });

  it('has the places of English; a form for one number alone may say the number in words', () => {
    const rules = new Intl.PluralRules(tag);
    const numbers = Array.from({ length: 300 }, (_, count) => rules.select(count));
    const isOneNumber = (form: string) => numbers.filter((own) => own === form).length === 1;
    const holds = (text: string, path: string) => {
      const form = path.split('.').at(-1) ?? '';
      const places = placesOf(text);
      if (isPlural(path) && isOneNumber(form) && places.length === 0) return true;
      return places.toSorted().join() === placesOf(inEnglish(path)).toSorted().join();
    };
    expect(breaking(texts, holds)).toEqual([]);
  });

  it('is written in one normal form, without stray spaces, straight quotes or hidden signs', () => {
    expect(breaking(texts, (text) => text === text.normalize('NFC'))).toEqual([]);
    expect(breaking(texts, (text) => text === text.trim() && !/\s{2}/.test(text))).toEqual([]);
    expect(found(texts, /["'`<>_\\]|\p{Cf}|\p{Cc}/u)).toEqual([]);
    expect(found(texts, /[!…]|\.\.\.|\p{Extended_Pictographic}/u)).toEqual([]);
  });

  it('puts a time at the end, after a colon', () => {
    const timed = texts.filter(([, text]) => text.includes('{when}'));
    expect(timed).toHaveLength(3);
    expect(
      breaking(timed, (text) => /(?:[^\s：]:\s|[^\s]：|\u00a0: )\{when\}$/.test(text)),
    ).toEqual([]);
  });

  it('keeps the name of a file to itself: isolated, and after a colon', () => {
    const file = '‏ملف (1).pdf‏ "x" {when}';
    const { lostFiles } = describePending({ state: 'restored', lostFiles: [file] }, { catalog });
    expect(lostFiles).toMatch(/[:：] ?\u2068[^\u2068\u2069]*\u2069$/);
    expect(lostFiles).toContain(`\u2068${file}\u2069`);
  });

  it('reads a failure aloud as sentences of the language', () => {
    const failure: Failure = {
      id: 'f',
      error: new HelixError({ code: 'provider_overloaded' }),
      phase: 'send',
      committed: 'no',
      severity: 'warning',
      attempts: [],
      actions: ['send-again', 'dismiss'],
    };
    const { title, cause, safety } = describeError(failure, { catalog });
    const stop = cause.at(-1) ?? '';
    const gap = stop === '。' ? '' : ' ';
    expect(spokenText(describeError(failure, { catalog }))).toBe(
      `${title}${stop}${gap}${cause}${gap}${safety}`,
    );
  });
});

describe.each(others)('%s', (tag, rules: LocaleRules) => {
  const { catalog } = rules;
  const texts = all(catalog);
  const sentences = under(texts, SENTENCES);
  const titles = under(texts, TITLES);
  const labels = under(texts, LABELS);
  const lines = under(texts, LINES);

  describe('length', () => {
    const within = (factor: number, least: number) => (text: string, path: string) =>
      text.length <= Math.max(least, factor * inEnglish(path).length);

    it('of sentences: 1.3 times English and at most 160, in scripts of syllables 70', () => {
      const most = DENSE.includes(tag) ? 70 : 160;
      expect(breaking(sentences, (text) => text.length <= most)).toEqual([]);
      // A short sentence may grow to what one of 50 characters comes to: any line has that room.
      expect(breaking(sentences, within(1.3, 1.3 * 50))).toEqual([]);
      const total = (list: readonly string[]) => list.join('').length;
      const own = total(sentences.map(([, text]) => text));
      expect(own / total(sentences.map(([path]) => inEnglish(path)))).toBeLessThanOrEqual(1.3);
    });

    it('of titles: twice English, 4 words', () => {
      expect(breaking(titles, within(2, 0))).toEqual([]);
      expect(breaking(titles, (text) => text.split(' ').length <= 4)).toEqual([]);
    });

    it('of labels, marks and names: 3 times English', () => {
      const small = under(texts, /^actions\.|^severities\.|Mark$|^names\.|^wait\./);
      expect(breaking(small, within(3, 0))).toEqual([]);
    });

    it('of status lines: 1.3 times the 40 that English may have', () => {
      const filled = lines.map(([path, text]): Text => [path, text.replace('{when}', '10:45 PM')]);
      expect(breaking(filled, (text) => text.length <= 52)).toEqual([]);
    });
  });

  describe('sentences', () => {
    it('are whole: one stop, at the end, in the form of the language', () => {
      const { stop, sentence } = rules;
      expect(
        breaking(
          sentences,
          (text) => text.endsWith(stop) && !/[.。।!?！？]/.test(text.slice(0, -1)),
        ),
      ).toEqual([]);
      expect(breaking(sentences, (text) => sentence.test(text))).toEqual([]);
    });

    it('blame nobody and ask for nothing', () => {
      expect(found(sentences, rules.persons)).toEqual([]);
    });

    it('promise nothing', () => {
      expect(found(sentences, rules.promises)).toEqual([]);
    });

    it('speak of a kept reply without a word of failure', () => {
      const kept = under(texts, /^causes\.reasons\.(?:filtered|length)$/);
      expect(kept).toHaveLength(2);
      expect(found(kept, rules.failing)).toEqual([]);
    });

    it('are shared by the same causes as in English, and by no others', () => {
      const causes = under(texts, /^causes\./);
      const ids = (list: readonly string[]) => list.map((text) => list.indexOf(text));
      const own = ids(causes.map(([, text]) => text));
      const theirs = ids(causes.map(([path]) => inEnglish(path)));
      const differing = causes.filter((_, index) => own[index] !== theirs[index]);
      expect(differing).toEqual([]);
    });

    it('do not repeat a title', () => {
      const heads = titles.map(([, text]) => text + rules.stop);
      expect(breaking(sentences, (text) => !heads.includes(text))).toEqual([]);
    });
  });

  it('has rules that see what breaks them', () => {
    const { everythingWrong, persons, promises, failing, rivals, inside, filler } = rules;
    for (const list of [persons, promises, failing, rivals, inside, filler]) {
      expect(everythingWrong).toMatch(list);
    }
  });

  describe('every text', () => {
    it('calls one thing by one noun', () => {
      const things = Object.entries(rules.nouns) as [Thing, RegExp][];
      const missing = things.flatMap(([thing, noun]) =>
        texts
          .filter(([path]) =>
            new RegExp(`\\b${thing}(?:s|es)?\\b`, 'i').test(bare(inEnglish(path))),
          )
          .filter(([, text]) => !noun.test(text))
          .map(([path, text]) => `${thing}, ${path}: ${text}`),
      );
      expect(missing).toEqual([]);
      expect(found(texts, rules.rivals)).toEqual([]);
    });

    it('keeps inside words inside, and names no vendor', () => {
      expect(found(texts, rules.inside)).toEqual([]);
      expect(found(texts, /helix|openai|gpt|anthropic|claude|google|gemini|vercel|azure/i)).toEqual(
        [],
      );
    });

    it('is free of filler', () => {
      expect(found(texts, rules.filler)).toEqual([]);
    });

    it('is punctuated as the language is', () => {
      expect(found(texts, rules.wrongSigns)).toEqual([]);
    });

    it('is not left in English', () => {
      const same = texts.filter(([path, text]) => /\p{L}/u.test(text) && text === inEnglish(path));
      expect(same.map(([path]) => path)).toEqual(rules.asInEnglish);
      expect(found(texts, /\b(?:the|were|because|could|reply|with|from|its|and)\b/i)).toEqual([]);
    });

    it('is written in the script of the language', () => {
      const latin: readonly string[] = ['es', 'fr', 'de', 'pt-BR', 'it'];
      const foreign = latin.includes(tag)
        ? /(?!\p{Script=Latin})\p{L}/u
        : ['ar', 'ru'].includes(tag)
          ? /\p{Script=Latin}/u
          : /(?!AI(?!\p{Script=Latin}))(?<!A)\p{Script=Latin}/u;
      expect(breaking(texts, (text) => !foreign.test(bare(text)))).toEqual([]);
    });
  });

  describe('titles', () => {
    it('are ten, distinct, without a stop', () => {
      expect(new Set(Object.values(catalog.titles)).size).toBe(10);
      expect(found(titles, /[.。।:：!?]/)).toEqual([]);
      expect(breaking(titles, (text) => rules.title.test(text))).toEqual([]);
      const severities = Object.values(catalog.severities);
      expect(breaking(titles, (text) => !severities.includes(text))).toEqual([]);
    });
  });

  describe('labels', () => {
    it('have the grammar of a button', () => {
      expect(breaking(labels, (text) => rules.label.test(text))).toEqual([]);
      expect(found(labels, /[.。।:：!?&]/)).toEqual([]);
    });

    it('tell all actions apart', () => {
      expect(new Set(labels.map(([, text]) => text)).size).toBe(labels.length);
    });
  });

  describe('status lines', () => {
    it('are without a stop', () => {
      expect(found(lines, /[.。।!?]$/)).toEqual([]);
    });

    it('read well with every wait', () => {
      const SECOND = 1_000;
      const plain = (text: string) => text.replace(/\u202f/g, ' ');
      const line = (wait: number) =>
        plain(describeStatus({ kind: 'next-try', at: now + wait }, { catalog, now }).text);
      expect([1, 2, 5, 21, 180].map((seconds) => line(seconds * SECOND))).toEqual(rules.waits);
    });
  });
});

describe('counted phrases', () => {
  const counts = [0, 1, 2, 3, 5, 11, 21, 22, 25, 100, 103, 1_000_000];
  const table = (forms: Plural, tag: string) =>
    counts.map((count) => formatCount(forms, count, tag).replace(/[\u00a0\u202f]/g, ' '));

  it('agree with the number in Russian', () => {
    expect(table(LOCALES.ru?.catalog.pending.count ?? { other: '' }, 'ru')).toEqual([
      '0 сообщений ещё не отправлены',
      '1 сообщение ещё не отправлено',
      '2 сообщения ещё не отправлены',
      '3 сообщения ещё не отправлены',
      '5 сообщений ещё не отправлены',
      '11 сообщений ещё не отправлены',
      '21 сообщение ещё не отправлено',
      '22 сообщения ещё не отправлены',
      '25 сообщений ещё не отправлены',
      '100 сообщений ещё не отправлены',
      '103 сообщения ещё не отправлены',
      '1 000 000 сообщений ещё не отправлены',
    ]);
  });

  it('agree with the number in Arabic: dual, few and many', () => {
    expect(table(LOCALES.ar?.catalog.pending.files ?? { other: '' }, 'ar')).toEqual([
      'لا ملفات',
      'ملف واحد',
      'ملفان',
      '3 ملفات',
      '5 ملفات',
      '11 ملفًا',
      '21 ملفًا',
      '22 ملفًا',
      '25 ملفًا',
      '100 ملف',
      '103 ملفات',
      '1,000,000 ملف',
    ]);
  });

  it('take the preposition of a million where the language has one', () => {
    const million = (tag: string) =>
      table(LOCALES[tag]?.catalog.pending.files ?? { other: '' }, tag).at(-1);
    expect(['es', 'fr', 'pt-BR', 'it', 'de'].map(million)).toEqual([
      '1.000.000 de archivos',
      '1 000 000 de fichiers',
      '1.000.000 de arquivos',
      '1.000.000 di file',
      '1.000.000 Dateien',
    ]);
  });
});
