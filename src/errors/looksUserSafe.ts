const MAX_LENGTH = 200;

// Signs that a text was written for a developer.
const INSIDE: readonly RegExp[] = [
  /[\r\n\t]/,
  /[{}[\]<>`\\|]/, // data, markup, code
  /:\/\/|\bwww\./i, // a URL
  /(?:^|\s)(?:\.{0,2}\/|~\/)[\w.-]/, // a path
  /[\w-]+\/[\w.-]+\/[\w./-]*/, // a path
  /\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|sql|json)\b/i, // a file
  /\b[a-z0-9]+_[a-z0-9_]+\b/i, // a snake_case or upper-case code
  /\b[a-z]+[A-Z]\w*\(/, // a call
  /\bat \w[\w.]*\s?\(/, // a stack line
  /\b[A-Z]\w*(?:Error|Exception)\b/, // a class
  /\b(?=[\w-]*\d)(?=[\w-]*[a-zA-Z])[\w-]{10,}\b/, // an id
  /\b\d{7,}\b/, // an id
  /\*\*\*/, // something was masked
];

/** Whether a stranger's text can stand before a person: one line of at most 200 characters without inside words. */
export function looksUserSafe(text: string): boolean {
  return (
    text.length <= MAX_LENGTH &&
    text.trim() !== '' &&
    !INSIDE.some((sign) => sign.test(text)) &&
    !hasControls(text)
  );
}

// Controls and direction marks could make a sentence read as another one.
function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text);
}
