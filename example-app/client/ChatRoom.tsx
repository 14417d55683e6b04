import type { UIMessage } from 'ai';
import { en } from 'helix-chat/locales/en';
import { useHelixChat } from 'helix-chat/react';
import { CLIENT_HEADER } from 'helix-chat/testing';
import { HelixUIProvider } from 'helix-chat/ui';
import { useCallback, useEffect, useState } from 'react';
import { Composer } from './Composer.tsx';
import { Conversation } from './Conversation.tsx';
import { readTabId } from './chatAddress.ts';
import { describeReport } from './describeReport.ts';
import { FaultPanel } from './FaultPanel.tsx';
import { Header } from './Header.tsx';
import { createLoggedFetch } from './loggedFetch.ts';
import { createRecoveryLog } from './recoveryLog.ts';
import { Troubles } from './Troubles.tsx';
import { textOf, useDraft } from './useDraft.ts';
import { useFaults } from './useFaults.ts';
import { useKitActions } from './useKitActions.ts';
import { useServerTruth } from './useServerTruth.ts';
import { useWide } from './useWide.ts';

/** The server sends a sign of life each second, so two seconds of silence are a dead connection. */
const recoveryPolicy = { idleMs: 2000 };

/** One chat on screen: its conversation, its composer, and beside it the panel that breaks it. */
export function ChatRoom({ chatId }: { chatId: string }) {
  const [client] = useState(readTabId);
  const [log] = useState(createRecoveryLog);
  const [loggedFetch] = useState(() => createLoggedFetch(log));
  const wide = useWide();
  const [panelWanted, setPanelWanted] = useState<boolean>();
  const panelOpen = panelWanted ?? wide;
  const { draft, setDraft, clear, put, edit } = useDraft(chatId);
  const faults = useFaults(chatId, client);
  const chat = useHelixChat({
    id: chatId,
    api: '/api/chat',
    headers: { [CLIENT_HEADER]: client },
    fetch: loggedFetch,
    requestKeys: true,
    resync: true,
    storage: 'session',
    pendingInMessages: false,
    recovery: recoveryPolicy,
    onDraft: (message, why, messageId) => {
      const replaces = why === 'edit' && chat.messages.some(({ id }) => id === messageId);
      put(message, replaces ? messageId : undefined);
    },
    onEvent: (report) => {
      const line = describeReport(report);
      if (line) log.add(line);
    },
  });
  const { recovery, messages, offline, regenerate, sendMessage } = chat;
  useEffect(() => log.enter(recovery.name), [log, recovery.name]);
  const settled = recovery.name === 'idle' || recovery.name === 'failed';
  const truth = useServerTruth(chatId, messages, settled && !offline);
  const newReply = useCallback(
    (message: UIMessage) => void regenerate({ messageId: message.id }),
    [regenerate],
  );

  function send() {
    const { text, files, editing } = draft;
    clear();
    faults.disarm();
    void sendMessage({
      text,
      files: [...files],
      ...(editing ? { messageId: editing } : {}),
    });
  }

  const kitActions = useKitActions(draft, chat.pendingSends);
  const first = messages.find((message) => message.role === 'user');
  return (
    <HelixUIProvider catalog={en} actions={kitActions}>
      <div className="page" data-panel={panelOpen || undefined} data-recovery={recovery.name}>
        <main className="chat" inert={panelOpen && !wide}>
          <Header
            title={first ? textOf(first) : ''}
            panelOpen={panelOpen}
            onPanel={() => setPanelWanted(!panelOpen)}
          />
          <Conversation chat={chat} onEdit={edit} onNewReply={newReply} />
          <div className="column dock">
            <Troubles chat={chat} />
            <Composer
              draft={draft}
              onDraft={setDraft}
              onSend={send}
              onCancelEdit={clear}
              onStop={chat.canStop ? () => void chat.stop() : undefined}
            />
          </div>
        </main>
        {panelOpen && (
          <FaultPanel
            state={recovery}
            log={log}
            truth={truth}
            armed={faults.armed}
            onArm={(scenario) => void faults.arm(scenario)}
            onClose={() => setPanelWanted(false)}
            sheet={!wide}
          />
        )}
      </div>
    </HelixUIProvider>
  );
}
