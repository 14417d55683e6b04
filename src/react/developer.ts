/** A note for the developer, once a text. Never shown to people. */
const noted = new Set<string>();

export function reportToDeveloper(text: string): void {
  if (noted.has(text)) return;
  noted.add(text);
  console.warn(text);
}

/** Runs a callback of the app. What it throws is reported as an uncaught error would be, and changes nothing here. */
export function safely(name: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    const { reportError } = globalThis as { reportError?: (error: unknown) => void };
    if (reportError !== undefined) reportError(error);
    else
      console.error(
        `[helix-chat] The callback \`${name}\` threw. The chat goes on without it. Mend the callback.`,
        error,
      );
  }
}
