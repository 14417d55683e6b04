import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './reset.css';
import 'helix-chat/styles.css';
import './styles.css';
import { ChatRoom } from './ChatRoom.tsx';
import { readChatAddress } from './chatAddress.ts';

const place = document.getElementById('root');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <ChatRoom chatId={readChatAddress()} />
    </StrictMode>,
  );
}
