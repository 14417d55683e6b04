/**
 * The forms of a counted phrase. A locale gives every category that `Intl.PluralRules` lists for it; words that agree
 * with the number stand inside the form. May hold `{count}`.
 */
export type Plural = { readonly other: string } & {
  readonly [category in 'zero' | 'one' | 'two' | 'few' | 'many']?: string;
};
