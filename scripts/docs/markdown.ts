/** A table in Markdown. A bar in a cell would end it, so none is let through. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A word of the code. */
export const code = (word: string | number): string => `\`${word}\``;

/** Several of them. */
export const codes = (words: readonly (string | number)[]): string => words.map(code).join(', ');

/** Blocks with one empty line between them, as the text of a file. */
export const page = (...blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;

/** The first line of a page that nobody edits by hand. */
export const GENERATED =
  '<!-- Written by `npm run docs`. Edit the tables in the source instead. -->';
