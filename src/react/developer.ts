/** A note for the developer, once a text. Never shown to people. */
const noted = new Set<string>();

/** Warns on the console, once a text. */
export function reportToDeveloper(text: string): void {
  if (noted.has(text)) return;
  noted.add(text);
  console.warn(text);
}

/** Runs a callback of the app. What it throws is reported as an uncaught error would be, and changes nothing here. */
export function safely(name: string, run: () => unknown): void {
  const report = (error: unknown): void => reportThrown(name, error);
  try {
    const result = run();
    if (result instanceof Promise) result.catch(report);
  } catch (error) {
    report(error);
  }
}

/** Reports what a callback of the app threw. */
export function reportThrown(name: string, error: unknown): void {
  const { reportError } = globalThis as { reportError?: (error: unknown) => void };
  if (reportError !== undefined) {
    reportError(error);
    return;
  }
  console.error(
    `[helix-chat] The callback \`${name}\` threw. The chat goes on without it. Mend the callback.`,
    error,
  );
}
