/** A wish to have the person's sign-in renewed. */
export interface SignInWish {
  /** Chats with an equal name share one sign-in. */
  readonly of: string;
  /** Who asks; `leave` takes its question back. */
  readonly who: object;
  /** Monotonic ms at which the refused request began. */
  readonly since: number;
  readonly mono: () => number;
  /** Asks the app. True: the request may go once more. Never throws at once; a rejection counts as false. */
  readonly question: () => Promise<boolean>;
}

/** Renews sign-ins for all chats that share the object: one question at a time, whose answer counts for all. */
export interface SignIn {
  /** Never rejects. A request that began before the last renewal may go once more without a question. */
  ask(wish: SignInWish): Promise<boolean>;
  /** Who asked has gone, and its question with it: another one that waits asks anew. */
  leave(who: object): void;
}

interface Open {
  readonly wishes: { readonly wish: SignInWish; readonly tell: (ok: boolean) => void }[];
  asker: object;
}

/** One for a provider, or for a page. */
export function createSignIn(): SignIn {
  const open = new Map<string, Open>();
  const renewedAt = new Map<string, number>();

  const put = (line: Open, { of, who, mono, question }: SignInWish): void => {
    line.asker = who;
    const answered = (ok: boolean): void => {
      if (open.get(of) !== line || line.asker !== who) return;
      open.delete(of);
      if (ok) renewedAt.set(of, mono());
      for (const { tell } of line.wishes) tell(ok);
    };
    question().then(answered, () => answered(false));
  };

  return {
    ask(wish) {
      const { of, since } = wish;
      if (since < (renewedAt.get(of) ?? Number.NEGATIVE_INFINITY)) return Promise.resolve(true);
      return new Promise<boolean>((tell) => {
        const line = open.get(of);
        if (line !== undefined) {
          line.wishes.push({ wish, tell });
          return;
        }
        const first: Open = { wishes: [{ wish, tell }], asker: wish.who };
        open.set(of, first);
        put(first, wish);
      });
    },
    leave(who) {
      for (const [of, line] of open) {
        const left = line.wishes.filter(({ wish }) => wish.who !== who);
        line.wishes.splice(0, line.wishes.length, ...left);
        const [next] = left;
        if (next === undefined) open.delete(of);
        else if (line.asker === who) put(line, next.wish);
      }
    },
  };
}
