import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { Catalog } from '../../src/i18n/catalog.ts';
import { en } from '../../src/i18n/en.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { ErrorBanner } from '../../src/ui/ErrorBanner.tsx';
import { HelixUIProvider } from '../../src/ui/HelixUIProvider.tsx';
import { failedChat } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { listen, showPage } from './support/page.tsx';

const chat = failedChat(failureOf({ code: 'provider_overloaded' }));
const background = (element: Element) =>
  getComputedStyle(element.querySelector('[data-helix-part="card"]') ?? element).backgroundColor;
const light = 'rgb(255, 255, 255)';
const dark = 'rgb(32, 31, 29)';

describe('HelixUIProvider', () => {
  it('is not needed: English comes by itself', async () => {
    await render(<ErrorBanner chat={chat} />);
    await expect.element(page.getByRole('group', { name: en.titles.notSent })).toBeVisible();
  });

  it('gives English where it carries no catalogue', async () => {
    await showPage(<ErrorBanner chat={chat} />, { catalog: undefined as never });
    await expect.element(page.getByRole('group', { name: en.titles.notSent })).toBeVisible();
  });

  it('gives the words and the language of its catalogue', async () => {
    const catalog: Catalog = {
      ...en,
      locale: 'de',
      titles: { ...en.titles, notSent: 'Nicht gesendet' },
    };
    await showPage(<ErrorBanner chat={chat} />, { catalog });
    await expect
      .element(page.getByRole('group', { name: 'Nicht gesendet' }))
      .toHaveAttribute('lang', 'de');
  });

  it('may be given functions that are new in every render', async () => {
    const world = createManualWorld();
    const page = (
      <HelixUIProvider
        catalog={en}
        world={world}
        composer={() => null}
        announcerContainer={() => null}
      >
        <ErrorBanner chat={chat} />
      </HelixUIProvider>
    );
    const screen = await render(page);
    const heard = listen();
    for (let render = 0; render < 10; render++) {
      await screen.rerender(
        <HelixUIProvider
          catalog={en}
          world={world}
          composer={() => null}
          announcerContainer={() => null}
          actions={() => []}
        >
          <ErrorBanner chat={chat} />
        </HelixUIProvider>,
      );
      await world.advance(50);
    }
    expect(heard).toHaveLength(1);
  });

  it('sets the theme of what it carries', async () => {
    await showPage(<ErrorBanner chat={chat} />, { theme: 'dark' });
    expect(background(page.getByRole('group').element())).toBe(dark);
  });

  it('needs no theme: the nearest one that an ancestor names holds, else what the system prefers', async () => {
    await showPage(
      <div data-helix-theme="dark">
        <ErrorBanner chat={chat} data-testid="dark" />
        <div data-helix-theme="light">
          <ErrorBanner chat={chat} data-testid="light" />
        </div>
      </div>,
    );
    expect(background(page.getByTestId('dark').element())).toBe(dark);
    expect(background(page.getByTestId('light').element())).toBe(light);
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? dark : light;
    await render(
      <HelixUIProvider catalog={en}>
        <ErrorBanner chat={chat} data-testid="system" />
      </HelixUIProvider>,
    );
    expect(background(page.getByTestId('system').element())).toBe(system);
  });

  it('can be given another face by variables and by any rule of the app', async () => {
    const style = document.createElement('style');
    style.textContent =
      '[data-helix-ui] { --helix-surface: rgb(1, 2, 3) } .mine [data-helix-part="card"] { border-radius: 0 }';
    document.head.append(style);
    await showPage(<ErrorBanner chat={chat} className="mine" />);
    const card = document.querySelector('[data-helix-part="card"]') as HTMLElement;
    expect(getComputedStyle(card).backgroundColor).toBe('rgb(1, 2, 3)');
    expect(getComputedStyle(card).borderRadius).toBe('0px');
    style.remove();
  });
});

describe('the stylesheet', () => {
  it('touches nothing but the kit', () => {
    const selectors: string[] = [];
    const collect = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule) selectors.push(rule.selectorText);
        else if (!(rule instanceof CSSKeyframesRule) && 'cssRules' in rule) {
          collect(rule.cssRules as CSSRuleList);
        }
      }
    };
    for (const sheet of document.styleSheets) {
      const layered = [...sheet.cssRules].filter((rule) => rule instanceof CSSLayerBlockRule);
      for (const layer of layered) collect(layer.cssRules);
    }
    expect(selectors.length).toBeGreaterThan(50);
    expect(selectors.filter((text) => !text.includes('[data-helix-'))).toEqual([]);
  });
});
