import type { Catalog } from '../../src/i18n/catalog.ts';
import { en } from '../../src/i18n/en.ts';

/** How much longer than English a text may be in any language, by the path of its key. */
export function growthOf(path: string): number {
  if (/^titles\.|^conflict\.\w+\.title$/.test(path)) return 2;
  return /^actions\.|^severities\.|^wait\.|^names\.|Mark$/.test(path) ? 3 : 1.3;
}

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'å',
  c: 'ç',
  e: 'é',
  i: 'î',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  u: 'û',
  y: 'ý',
};
const accented = (text: string) =>
  text.replace(/\{\w+\}|[aceinosuy]/g, (found) => ACCENTED[found] ?? found);

// Words that wrap, and a compound that has to be broken.
const PADDING = ' åñd öñ îñ wördš thåt wråp zûšåmméñgéšétzt'.repeat(10);

/** A text of an exact length, of the English one and padding; the place or stop at its end stays there. */
function grown(text: string, factor: number): string {
  const [, head = '', tail = ''] = /^(.*?)(\.|:? ?\{\w+\})?$/.exec(text) ?? [];
  const missing = Math.ceil(text.length * factor) - text.length;
  return accented(head) + PADDING.slice(0, missing).replace(/ $/, '~') + tail;
}

const walk = (value: unknown, path: string): unknown =>
  typeof value === 'string'
    ? grown(value, growthOf(path))
    : Object.fromEntries(
        Object.entries(value ?? {}).map(([key, inner]) => [
          key,
          walk(inner, path === '' ? key : `${path}.${key}`),
        ]),
      );

const { locale: _, ...texts } = en;

/**
 * English stretched to what any language may need: sentences and status lines 1.3 times, titles twice, labels, marks and
 * names 3 times as long. Its letters are accented: what is drawn without accents does not come from the catalogue.
 */
export const pseudo: Catalog = {
  locale: 'en-XA',
  ...(walk(texts, '') as Omit<Catalog, 'locale'>),
};
