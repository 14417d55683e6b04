/** Automatic repeats an endpoint may still take, shared by all chats that share the object. Times are monotonic ms. */
export interface Budget {
  /**
   * Ms until `who` may make its next automatic repeat; 0: now. Who stands in line is served in that order; anybody else
   * comes behind the line. `Infinity` where no repeat is allowed at all.
   */
  waitMs(endpoint: string, mono: number, who: object): number;
  /** Records one automatic repeat. */
  spend(endpoint: string, mono: number): void;
  /** Takes a place at the end of the line, unless it has one already. */
  queue(endpoint: string, who: object): void;
  /** Leaves every line. */
  leave(who: object): void;
  /** Ms until a chat that something woke may move without meeting one that it woke too. */
  apartMs(endpoint: string, mono: number): number;
  /** Takes that moment: the next one to be woken keeps away from it. */
  keepApart(endpoint: string, mono: number): void;
}

/** What wakes many chats at once lets them go one after another. */
const APART_MS = 20;

/** A rolling-window budget: `moves` automatic repeats an endpoint in `perMs`. */
export function createBudget(limit: { moves: number; perMs: number }): Budget {
  const spent = new Map<string, number[]>();
  const lines = new Map<string, object[]>();
  const woken = new Map<string, number>();
  const recent = (endpoint: string, mono: number): number[] => {
    const kept = (spent.get(endpoint) ?? []).filter((at) => mono - at < limit.perMs);
    if (kept.length > 0) spent.set(endpoint, kept);
    else spent.delete(endpoint);
    return kept;
  };
  return {
    waitMs(endpoint, mono, who) {
      if (limit.moves === 0) return Number.POSITIVE_INFINITY;
      const line = lines.get(endpoint) ?? [];
      const place = line.indexOf(who);
      const ahead = place === -1 ? line.length : place;
      const kept = recent(endpoint, mono);
      const free = Math.max(0, limit.moves - kept.length);
      if (ahead < free) return 0;
      // What is free now is taken by those ahead; then one move comes back after another, round after round.
      const taken = [...kept, ...Array<number>(free).fill(mono)].slice(-limit.moves);
      const turn = ahead - free;
      const round = Math.floor(turn / limit.moves);
      const frees = taken[turn % limit.moves] ?? mono;
      return Math.max(0, frees + limit.perMs * (1 + round) - mono);
    },
    spend(endpoint, mono) {
      spent.set(endpoint, [...recent(endpoint, mono), mono]);
    },
    queue(endpoint, who) {
      const line = lines.get(endpoint) ?? [];
      if (!line.includes(who)) lines.set(endpoint, [...line, who]);
    },
    leave(who) {
      for (const [endpoint, line] of lines) {
        const others = line.filter((other) => other !== who);
        if (others.length > 0) lines.set(endpoint, others);
        else lines.delete(endpoint);
      }
    },
    apartMs: (endpoint, mono) => Math.max(0, (woken.get(endpoint) ?? 0) - mono),
    keepApart(endpoint, mono) {
      woken.set(endpoint, Math.max(mono, woken.get(endpoint) ?? 0) + APART_MS);
    },
  };
}
