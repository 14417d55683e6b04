import { describe, expect, it } from 'vitest';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { holdAnnouncer } from '../../src/ui/announcer.ts';
import { ErrorBanner } from '../../src/ui/ErrorBanner.tsx';
import { chatOf, failedChat } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { listen, showPage } from './support/page.tsx';

const polite = (incident: string, text: string) => ({ incident, text, assertive: false });
const loud = (incident: string, text: string) => ({ incident, text, assertive: true });

function begin() {
  const world = createManualWorld();
  const announcer = holdAnnouncer(document.body, world);
  return { world, announcer, heard: listen() };
}
const end = async ({ world, announcer }: ReturnType<typeof begin>) => {
  announcer.release();
  await world.settle();
};

describe('the announcer', () => {
  it('is mounted empty before any failure, once a document, and is the same after one', async () => {
    const { show, world } = await showPage(
      <>
        <ErrorBanner chat={chatOf()} />
        <ErrorBanner chat={chatOf({ id: 'chat-2' })} />
      </>,
    );
    const regions = [...document.querySelectorAll('[data-helix-announcer] > *')];
    expect(regions.map((region) => region.getAttribute('role'))).toEqual(['status', 'alert']);
    expect(regions.map((region) => region.getAttribute('aria-atomic'))).toEqual(['true', 'true']);
    expect(regions.map((region) => region.textContent)).toEqual(['', '']);
    await show(<ErrorBanner chat={failedChat(failureOf({ code: 'provider_overloaded' }))} />);
    await world.advance(150);
    expect([...document.querySelectorAll('[data-helix-announcer] > *')]).toEqual(regions);
    expect(regions[1]?.textContent).not.toBe('');
  });

  it('goes with its last holder and leaves no timer', async () => {
    const world = createManualWorld();
    const { leave } = await showPage(
      <ErrorBanner chat={failedChat(failureOf({ code: 'provider_overloaded' }))} />,
      { world },
    );
    await world.advance(200);
    await leave();
    await world.settle();
    expect(document.querySelector('[data-helix-announcer]')).toBeNull();
    expect(world.pending()).toBe(0);
  });

  it('stands in the container that is named', async () => {
    const dialog = document.createElement('div');
    document.body.append(dialog);
    const { world, leave } = await showPage(
      <ErrorBanner chat={failedChat(failureOf({ code: 'provider_overloaded' }))} />,
      { announcerContainer: () => dialog },
    );
    await world.advance(200);
    expect(dialog.querySelector('[role="alert"]')?.textContent).toMatch(/^Message not sent\./);
    expect(document.querySelectorAll('[data-helix-announcer]')).toHaveLength(1);
    await leave();
    dialog.remove();
  });

  it('waits until a reader has seen the empty region, and clears after seven seconds', async () => {
    const voice = begin();
    const { world, announcer } = voice;
    announcer.say(polite('a', 'One'));
    await world.advance(149);
    const region = document.querySelector('[role="status"]');
    expect(region?.textContent).toBe('');
    await world.advance(1);
    expect(region?.textContent).toBe('One');
    await world.advance(6_999);
    expect(region?.textContent).toBe('One');
    await world.advance(1);
    expect(region?.textContent).toBe('');
    await end(voice);
  });

  it('says the same text once an incident, and again after a new try or in a new one', async () => {
    const voice = begin();
    const { world, announcer, heard } = voice;
    for (const incident of ['a', 'a', 'b']) {
      announcer.say(loud(incident, 'Failed'));
      await world.advance(500);
    }
    announcer.forget('a');
    announcer.say(loud('a', 'Failed'));
    await world.advance(500);
    expect(heard).toEqual(['alert: Failed', 'alert: Failed', 'alert: Failed']);
    await end(voice);
  });

  it('lets an assertive text pass, and drop the polite ones of its incident', async () => {
    const voice = begin();
    const { world, announcer, heard } = voice;
    announcer.say(polite('other', 'First'));
    await world.advance(200);
    announcer.say(polite('a', 'Trying'));
    announcer.say(polite('other', 'Second'));
    announcer.say(loud('a', 'Failed'));
    await world.advance(5_000);
    expect(heard).toEqual(['status: First', 'alert: Failed', 'status: Second']);
    await end(voice);
  });

  it('does not say what was withdrawn', async () => {
    const voice = begin();
    const { world, announcer, heard } = voice;
    announcer.say(polite('a', 'One'))();
    await world.advance(5_000);
    expect(heard).toEqual([]);
    await end(voice);
  });

  it('is silent in a hidden tab, and then tells only what still holds', async () => {
    const voice = begin();
    const { world, announcer, heard } = voice;
    world.setVisible(false);
    const withdraw = announcer.say(polite('a', 'Reconnecting'));
    announcer.say(loud('b', 'Failed'));
    await world.advance(60_000);
    withdraw();
    expect(heard).toEqual([]);
    world.setVisible(true);
    await world.advance(5_000);
    expect(heard).toEqual(['alert: Failed']);
    await end(voice);
  });
});
