import type { LiveChat } from './liveChat.tsx';

/** What a person sees of a failure, in one line: where it stands, how severe, which buttons (`*` is filled). */
export function shownFailures(): string[] {
  return [
    ...document.querySelectorAll(
      '[data-helix-severity]:is([data-helix-card], [data-helix-ui="connection-status"])',
    ),
  ]
    .filter((card) => card.getAttribute('data-helix-state') !== 'mark')
    .map((card) => {
      const ui = card.closest('[data-helix-ui]')?.getAttribute('data-helix-ui');
      const buttons = [...card.querySelectorAll('[data-helix-action]')].map(
        (button) =>
          `${button.getAttribute('data-helix-action')}${button.getAttribute('data-helix-button') === 'filled' ? '*' : ''}`,
      );
      return [ui, card.getAttribute('data-helix-severity'), buttons.join(' ')].join(' | ');
    });
}

/** What has become of the person's text: the server has it, it waits among the pending messages, or it is on its way; `-`: there is none. */
export async function fateOf(chat: LiveChat, text: string): Promise<string> {
  const transcript = await chat.server.transcript(chat.chatId);
  const sent = transcript.filter(({ parts }) => parts.some((part) => part.text === text)).length;
  const kept = chat
    .chat()
    .pendingSends.filter(({ message }) =>
      message.parts.some((part) => part.type === 'text' && part.text === text),
    );
  const pending = kept.map(({ state }) => state);
  return (
    [...(sent > 0 ? [sent === 1 ? 'sent' : `sent ${sent} times`] : []), ...pending].join(' and ') ||
    (onScreen(chat, text) ? 'on its way' : '-')
  );
}

const onScreen = (chat: LiveChat, text: string) =>
  chat
    .chat()
    .messages.some(({ parts }) => parts.some((part) => part.type === 'text' && part.text === text));
