/** Automatic repeats an endpoint may still take, shared by all chats that share the object. */
export interface Budget {
  /** Ms until the next automatic repeat is allowed; 0: now. `mono` is monotonic ms. */
  waitMs(endpoint: string, mono: number): number;
  /** Records one automatic repeat. */
  spend(endpoint: string, mono: number): void;
}

/** A rolling-window budget: `moves` automatic repeats an endpoint in `perMs`. */
export function createBudget(limit: { moves: number; perMs: number }): Budget {
  const spent = new Map<string, number[]>();
  const recent = (endpoint: string, mono: number): number[] => {
    const kept = (spent.get(endpoint) ?? []).filter((at) => mono - at < limit.perMs);
    if (kept.length > 0) spent.set(endpoint, kept);
    else spent.delete(endpoint);
    return kept;
  };
  return {
    waitMs(endpoint, mono) {
      const kept = recent(endpoint, mono);
      if (kept.length < limit.moves) return 0;
      const frees = kept[kept.length - limit.moves] ?? mono;
      return Math.max(0, frees + limit.perMs - mono);
    },
    spend(endpoint, mono) {
      spent.set(endpoint, [...recent(endpoint, mono), mono]);
    },
  };
}
