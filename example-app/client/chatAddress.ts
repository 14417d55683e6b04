/** The chat id in the page's address, `/?chat=<id>`. A page without one gets a new chat, named in its address at once. */
export function readChatAddress(): string {
  const address = new URL(location.href);
  const given = address.searchParams.get('chat');
  if (given) return given;
  const created = crypto.randomUUID();
  address.searchParams.set('chat', created);
  history.replaceState(null, '', address);
  return created;
}

/** A page that tells its requests apart from all others, so that only they meet its faults. One a tab; a reload keeps it. */
export function readTabId(): string {
  const kept = sessionStorage.getItem('helix-example-tab');
  if (kept) return kept;
  const created = crypto.randomUUID();
  sessionStorage.setItem('helix-example-tab', created);
  return created;
}
