import { useEffect, useState } from 'react';

export type Theme = 'light' | 'dark';

function firstTheme(): Theme {
  const kept = localStorage.getItem('helix-example-theme');
  if (kept === 'light' || kept === 'dark') return kept;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Light or dark: the system's until the person chooses, then theirs. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(firstTheme);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.helixTheme = theme;
  }, [theme]);
  const toggle = () => {
    const next = theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem('helix-example-theme', next);
    setTheme(next);
  };
  return [theme, toggle];
}
