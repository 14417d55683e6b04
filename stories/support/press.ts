import { expect, userEvent, waitFor } from 'storybook/test';

/** Presses the button of an action by the keyboard. */
export async function press(page: HTMLElement, action: string): Promise<void> {
  const button = await waitFor(() => {
    const found = page.ownerDocument.querySelector<HTMLElement>(
      `[data-helix-ui] [data-helix-action="${action}"]`,
    );
    if (!found) throw new Error(`There is no button for ${action}.`);
    return found;
  });
  button.focus();
  await expect(button).toHaveFocus();
  await userEvent.keyboard('{Enter}');
}
