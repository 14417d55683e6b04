import { readField } from '../protocol/readField.ts';

/** A developer sentence in three parts: what happened, what it causes, what to do. */
export function developerText(happened: string, causes: string, remedy: string): string {
  return `[helix-chat] ${happened} ${causes} ${remedy}`;
}

// Registered, so that it holds across bundles, where `instanceof` does not.
const marker = Symbol.for('helix-chat.developerError');

/** Whether a value is an error made by `developerError`. Never throws. */
export function isDeveloperError(value: unknown): boolean {
  return readField(value, marker) === true;
}

/** An error for the developer, thrown at once where an option or a call cannot be meant. */
export function developerError(
  happened: string,
  causes: string,
  remedy: string,
  cause?: unknown,
): Error {
  const error = new Error(
    developerText(happened, causes, remedy),
    cause === undefined ? undefined : { cause },
  );
  return Object.defineProperty(error, marker, { value: true });
}

/** Tells each text once. Where nobody listens it goes to the console. */
export function createNotes(
  listener: ((text: string) => void) | undefined,
): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    told.add(text);
    if (listener === undefined) console.warn(text);
    else listener(text);
  };
}
