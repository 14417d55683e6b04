import { Icon } from './Icon.tsx';
import { useTheme } from './useTheme.ts';

interface HeaderProps {
  readonly title: string;
  readonly panelOpen: boolean;
  readonly onPanel: () => void;
}

/** The chat's name and the page's switches. */
export function Header({ title, panelOpen, onPanel }: HeaderProps) {
  const [theme, toggleTheme] = useTheme();
  return (
    <header className="head">
      <span className="head-mark">
        <Icon name="helix" size={20} />
      </span>
      <h1>{title || 'New chat'}</h1>
      <nav aria-label="Page">
        <a className="head-button" href="/" title="New chat">
          <Icon name="newChat" />
          <span className="head-label">New chat</span>
        </a>
        <button
          type="button"
          className="head-button"
          aria-label={theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
          onClick={toggleTheme}
        >
          {theme === 'dark' ? <Icon name="sun" /> : <Icon name="moon" />}
        </button>
        <button
          type="button"
          className="head-button"
          aria-expanded={panelOpen}
          aria-label="Faults"
          onClick={onPanel}
        >
          <Icon name="flask" />
          <span className="head-label">Faults</span>
        </button>
      </nav>
    </header>
  );
}
