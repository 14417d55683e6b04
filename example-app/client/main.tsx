import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './reset.css';
import 'helix-chat/styles.css';
import './styles.css';
import { App } from './App.tsx';
import { readChatAddress } from './chatAddress.ts';

const place = document.getElementById('root');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <App chatId={readChatAddress()} />
    </StrictMode>,
  );
}
