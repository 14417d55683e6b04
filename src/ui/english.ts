import type { Catalog } from '../i18n/catalog.ts';

/*
 * The words where an app names no catalogue. They are fetched by an import of their own when the first such component
 * mounts, long before anything fails: an app that passes its own catalogue never loads them.
 */
let english: Catalog | undefined;
let loading = false;
const listeners = new Set<() => void>();

/** Tells when English has come, and sets off its loading. */
export function subscribeEnglish(listener: () => void): () => void {
  listeners.add(listener);
  load();
  return () => {
    listeners.delete(listener);
  };
}

/** English once it is loaded. */
export function currentEnglish(): Catalog | undefined {
  return english;
}

function load(): void {
  if (english || loading) return;
  loading = true;
  import('../i18n/en.ts').then(
    (module) => {
      english = module.en;
      for (const listener of listeners) listener();
    },
    // A page that lost its network may not get it now; the next component that mounts asks again.
    () => {
      loading = false;
    },
  );
}
