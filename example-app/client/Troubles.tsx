import type { HelixChatHandle } from 'helix-chat';
import { ConflictNotice, ErrorBanner } from 'helix-chat/ui';

/** What stands between conversation and composer when the chat cannot simply go on. */
export function Troubles({ chat }: { chat: HelixChatHandle }) {
  return (
    <>
      <ConflictNotice chat={chat} />
      <ErrorBanner chat={chat} />
    </>
  );
}
