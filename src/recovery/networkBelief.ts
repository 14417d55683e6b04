import type { World } from '../world.ts';

/** What is believed of the network: the platform's word is a hint, and what gets through or does not is proof. */
export interface NetworkBelief {
  /** The platform says offline, and nothing has got through to disprove it: waits are stretched. */
  hinted(): boolean;
  /** The same, and something went missing or the platform has just said so: worth telling a person. */
  offline(): boolean;
  /** Something got through. True where that disproves the platform. */
  gotThrough(): boolean;
  /** A request got no answer. */
  wentMissing(): void;
  /** The platform has just said offline. */
  lost(): void;
}

/** One a chat. */
export function createNetworkBelief(world: Pick<World, 'online'>): NetworkBelief {
  let proof: 'online' | 'offline' | undefined;
  return {
    hinted: () => !world.online() && proof !== 'online',
    offline: () => !world.online() && proof === 'offline',
    gotThrough() {
      const news = !world.online() && proof !== 'online';
      proof = 'online';
      return news;
    },
    wentMissing() {
      if (!world.online()) proof = 'offline';
    },
    lost() {
      proof = 'offline';
    },
  };
}
