import { en } from 'helix-chat/locales/en';
import type { Page } from 'playwright';
import { expect } from 'vitest';

/** A message as a person or a reader of the server sees it: its role and its text without white space. */
export interface Said {
  readonly role: string;
  readonly text: string;
}

const squeeze = (text: string) => text.replace(/\s+/g, '');

/** What a test expects of a message whose text it knows. */
export const said = (role: string, text: string): Said => ({ role, text: squeeze(text) });

interface SnapshotLike {
  readonly status: string;
  readonly messages: readonly {
    readonly role: string;
    readonly parts: readonly { readonly type: string; readonly text?: string }[];
  }[];
}

/** One tab on one chat of the example, driven as a person would. */
export class Tab {
  readonly page: Page;
  readonly chatId: string;
  /** Console errors and uncaught ones, without the browser's own remark on a refused request. */
  readonly complaints: string[] = [];
  readonly #origin: string;
  readonly #wire: Promise<string>[] = [];

  constructor(page: Page, origin: string, chatId: string) {
    this.page = page;
    this.chatId = chatId;
    this.#origin = origin;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (line) => {
      if (line.type() !== 'error' && line.type() !== 'warning') return;
      if (line.text().startsWith('Failed to load resource')) return;
      this.complaints.push(line.text());
    });
    page.on('response', (response) => {
      if (response.url().includes('/api/chat')) {
        this.#wire.push(response.text().catch(() => ''));
      }
    });
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.#origin}/?chat=${this.chatId}`);
    await this.composer().waitFor();
    await this.until('idle');
  }

  composer() {
    return this.page.getByRole('textbox', { name: 'Message', exact: true });
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Presses the button that offers this action of a failure, a conflict or a pending message. */
  async act(action: keyof typeof en.actions): Promise<void> {
    await this.button(en.actions[action]).click();
  }

  conversation() {
    return this.page.getByRole('log', { name: 'Conversation', exact: true });
  }

  replies() {
    return this.conversation().locator('[data-role="assistant"]');
  }

  async arm(scenario: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Fault', exact: true }).selectOption(scenario);
    await this.button('Arm').click();
    await this.page.getByText('Armed for the next send').waitFor();
  }

  async send(text: string): Promise<void> {
    await this.composer().fill(text);
    await this.button('Send').click();
  }

  /** Waits until recovery stands in one of these states. */
  async until(...names: string[]): Promise<void> {
    const tag = names.map((name) => `[data-recovery="${name}"]`).join(', ');
    await this.page.locator(tag).waitFor();
  }

  /** Waits until so many replies are on screen and nothing is under way. */
  async settled(replies: number): Promise<void> {
    await this.replies()
      .nth(replies - 1)
      .waitFor();
    await this.until('idle');
  }

  /** The messages on screen; the pending ones are no part of it. */
  async screen(): Promise<Said[]> {
    const rows = this.conversation().locator('[data-message-id]');
    const read = await rows.evaluateAll((elements) =>
      elements.map((element) => ({
        role: element.getAttribute('data-role') ?? '',
        text: element.querySelector('.bubble, .prose')?.textContent ?? '',
      })),
    );
    return read.map(({ role, text }) => said(role, text));
  }

  /** The messages that the server holds, read as a stranger reads them. */
  async truth(): Promise<Said[]> {
    const { messages } = await this.snapshot();
    return messages.map(({ role, parts }) =>
      said(role, parts.map((part) => part.text ?? '').join('')),
    );
  }

  async snapshot(): Promise<SnapshotLike> {
    const answer = await fetch(`${this.#origin}/api/chat/${this.chatId}/snapshot`);
    if (answer.status === 404) return { status: 'ended', messages: [] };
    expect(answer.status).toBe(200);
    return (await answer.json()) as SnapshotLike;
  }

  /** Waits until the server has nothing running in this chat. */
  async quietServer(): Promise<void> {
    await expect
      .poll(async () => (await this.snapshot()).status, { timeout: 15_000 })
      .not.toBe('active');
  }

  /** What holds at the end of every story: the screen is the server's, and nobody complained. */
  async expectTruth(): Promise<Said[]> {
    await this.quietServer();
    const truth = await this.truth();
    await expect.poll(() => this.screen(), { timeout: 10_000 }).toEqual(truth);
    expect(this.complaints).toEqual([]);
    return truth;
  }

  /** No sentence of a refusal, of its details or of an error event stands anywhere on the page. */
  async expectNoServerText(): Promise<void> {
    const shown = squeeze((await this.page.locator('#root').textContent()) ?? '');
    for (const sentence of (await Promise.all(this.#wire)).flatMap(sentencesOf)) {
      if (!ownSentences.includes(sentence)) expect(shown).not.toContain(squeeze(sentence));
    }
  }
}

/** What the catalogue says itself: a server of ours puts the same sentences into its bodies. */
const ownSentences = JSON.stringify(en);

/** Developer texts in an answer: `detail`, `errorText` and the text of an HTML page. */
function sentencesOf(body: string): string[] {
  const quoted = [
    ...body.matchAll(/"(?:error|detail|errorText|message|stack)":("(?:[^"\\]|\\.)*")/g),
  ];
  const texts = quoted.map((match) => String(JSON.parse(match[1] ?? '""')));
  const html = body.trimStart().startsWith('<') ? body.split(/<[^>]*>/) : [];
  return [...texts, ...html].filter((text) => text.includes(' '));
}
