import { useState } from 'react';
import { ChatRoom } from './ChatRoom.tsx';
import { readTabId } from './chatAddress.ts';
import { createRecoveryLog } from './recoveryLog.ts';
import { useDraft } from './useDraft.ts';
import { useFaults } from './useFaults.ts';

/** The page. A scenario with a policy of its own makes the chat anew; the draft and the log stay. */
export function App({ chatId }: { chatId: string }) {
  const [client] = useState(readTabId);
  const [log] = useState(createRecoveryLog);
  const composer = useDraft(chatId);
  const faults = useFaults(chatId, client);
  return (
    <ChatRoom
      key={JSON.stringify(faults.policy)}
      chatId={chatId}
      client={client}
      log={log}
      composer={composer}
      faults={faults}
      policy={faults.policy}
    />
  );
}
