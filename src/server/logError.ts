import { extractErrorMessage } from '../errors/extractErrorMessage.ts';
import { causesOf } from '../errors/networkFailure.ts';
import { redact } from '../errors/redact.ts';
import { cutText, readField } from '../protocol/readField.ts';

/**
 * Tells the console of a failure that nobody else hears of: the stack of the error and of its causes, without secrets.
 * Other fields are left out: an error of a provider's client holds the whole prompt.
 */
export function logError(
  error: unknown,
  about: { readonly chatId?: string; readonly runId?: string },
): void {
  const { chatId, runId } = about;
  const where = [chatId && ` in chat ${chatId}`, runId && `, run ${runId}`]
    .filter(Boolean)
    .join('');
  const told = causesOf(error).map((link) => cutText(redact(textOf(link))));
  console.error(
    redact(`[helix-chat] A chat route met a failure${where}.`),
    told.join('\ncaused by '),
  );
}

function textOf(link: unknown): string {
  const stack = readField(link, 'stack');
  return typeof stack === 'string' ? stack : extractErrorMessage(link);
}
