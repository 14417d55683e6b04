import type { Catalog } from 'helix-chat';
import { ar } from 'helix-chat/locales/ar';
import { en } from 'helix-chat/locales/en';
import { useSyncExternalStore } from 'react';

/** How a story is looked at: what a person has set in the system, not what the story is about. */
export interface Look {
  readonly theme: 'light' | 'dark';
  readonly catalog: Catalog;
}

/** The locales of the toolbar, each loaded when it is chosen. */
export const LOCALES = {
  en: async () => en,
  es: () => import('helix-chat/locales/es').then(({ es }) => es),
  fr: () => import('helix-chat/locales/fr').then(({ fr }) => fr),
  de: () => import('helix-chat/locales/de').then(({ de }) => de),
  'pt-BR': () => import('helix-chat/locales/pt-BR').then(({ ptBR }) => ptBR),
  it: () => import('helix-chat/locales/it').then(({ it }) => it),
  ja: () => import('helix-chat/locales/ja').then(({ ja }) => ja),
  'zh-CN': () => import('helix-chat/locales/zh-CN').then(({ zhCN }) => zhCN),
  ko: () => import('helix-chat/locales/ko').then(({ ko }) => ko),
  hi: () => import('helix-chat/locales/hi').then(({ hi }) => hi),
  ar: async () => ar,
  ru: () => import('helix-chat/locales/ru').then(({ ru }) => ru),
  // English, as long as any language may be.
  'en-XA': () => import('../../test/i18n/pseudo.ts').then(({ pseudo }) => pseudo),
} satisfies Record<string, () => Promise<Catalog>>;

let look: Look = { theme: 'light', catalog: en };
const listeners = new Set<() => void>();

/** Looks at what stands on the page in another way, without playing the story anew. */
export function setLook(next: Look): void {
  look = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The look of now. */
export function currentLook(): Look {
  return look;
}

/** The look of now, drawn anew when it changes. */
export function useLook(): Look {
  return useSyncExternalStore(subscribe, () => look);
}

/** The direction of writing of a catalogue. */
export function directionOf({ locale }: Catalog): 'ltr' | 'rtl' {
  return locale.startsWith('ar') ? 'rtl' : 'ltr';
}
