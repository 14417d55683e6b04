import '../../../src/ui/styles/styles.css';
import '../../setup/strictConsole.ts';
import axe from 'axe-core';
import type { ReactNode } from 'react';
import { StrictMode } from 'react';
import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { en } from '../../../src/i18n/en.ts';
import type { ManualWorld } from '../../../src/testing/manualWorld.ts';
import { createManualWorld } from '../../../src/testing/manualWorld.ts';
import type { HelixUIProviderProps } from '../../../src/ui/HelixUIProvider.tsx';
import { HelixUIProvider } from '../../../src/ui/HelixUIProvider.tsx';

export interface Shown {
  readonly world: ManualWorld;
  /** Draws something else in the same place. */
  readonly show: (ui: ReactNode) => Promise<void>;
  readonly leave: () => Promise<void>;
}

/** A chat page around `ui`, in StrictMode, with words, a manual clock and a composer. */
export async function showPage(
  ui: ReactNode,
  {
    world = createManualWorld(),
    ...props
  }: Partial<HelixUIProviderProps> & { world?: ManualWorld } = {},
): Promise<Shown> {
  const frame = (content: ReactNode) => (
    <StrictMode>
      <HelixUIProvider catalog={en} world={world} {...props}>
        <main style={{ padding: 16 }}>
          <h1>Chat</h1>
          {content}
          <textarea data-helix-composer="" aria-label="Message" defaultValue="draft" />
          <button type="button" style={{ padding: 8 }}>
            Send
          </button>
        </main>
      </HelixUIProvider>
    </StrictMode>
  );
  const screen = await render(frame(ui));
  return {
    world,
    show: (next) => screen.rerender(frame(next)),
    leave: () => screen.unmount(),
  };
}

/** Every rule that WCAG 2.2 AA can be checked by, target size too, on all that is on the page. */
export async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(document.body, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { 'target-size': { enabled: true }, region: { enabled: false } },
  });
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n')}`,
  );
  expect(found).toEqual([]);
}

/** Records what both live regions say, in order. */
export function listen(): readonly string[] {
  const heard: string[] = [];
  const regions = document.querySelectorAll('[data-helix-announcer] > *');
  for (const region of regions) {
    new MutationObserver(() => {
      if (region.textContent) heard.push(`${region.getAttribute('role')}: ${region.textContent}`);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  }
  return heard;
}
