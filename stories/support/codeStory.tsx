import type { ErrorCode } from 'helix-chat';
import { ChatErrors } from 'helix-chat/ui';
import { chatStory } from './chatStory.tsx';
import { failing, refused } from './faults.ts';

/** A story of one code: what is left on the page once everything that helps by itself has been tried. */
export function codeStory(code: ErrorCode, met: 'refused' | 'reply') {
  return chatStory({
    ...(met === 'refused' ? refused({ code }) : failing({ code })),
    asked: ['What are the three main reasons people cancelled?'],
    parts: { dock: (chat) => <ChatErrors chat={chat} /> },
    async play(stage) {
      await stage.send('How does that differ by plan?');
      await stage.until('idle', 'failed');
      await stage.pass(3_000);
    },
  });
}
