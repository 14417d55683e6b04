import type { StoreChange } from './chatStore.ts';
import type { RedisClient, RedisListeningClient } from './redisClient.ts';

/** What a process hears over one connection of its own. */
export interface RedisNews {
  /** Hears of a channel until the returned function is called; of both changes whenever some may have been missed. */
  listen(channel: string, listener: (change: StoreChange) => void): () => void;
  /** Closes the connection; nobody hears anything any more. */
  close(): void;
}

interface Channel {
  readonly listeners: Set<(change: StoreChange) => void>;
  readonly onMessage: (message: string) => void;
  /** Redis has been asked, and has said yes. */
  subscribed: boolean;
}

/** Listens over a duplicate of this client, which connects when somebody listens first. */
export function createRedisNews(client: RedisClient): RedisNews {
  const channels = new Map<string, Channel>();
  let connection: Promise<RedisListeningClient> | undefined;
  // One at a time: whoever leaves and comes back is asked for in that order.
  let last: Promise<unknown> = Promise.resolve();

  const tell = ({ listeners }: Channel, change: StoreChange) => {
    for (const listener of [...listeners]) listener(change);
  };
  const tellAll = (channel: Channel) => {
    tell(channel, 'log');
    tell(channel, 'stop');
  };
  const connected = (): Promise<RedisListeningClient> => {
    connection ??= connect().catch((error: unknown) => {
      connection = undefined;
      throw error;
    });
    return connection;
  };
  const connect = async (): Promise<RedisListeningClient> => {
    const listening = client.duplicate();
    let ready = 0;
    // The main client's host hears of a Redis that is away; this connection comes back by itself.
    listening.on('error', () => {});
    listening.on('ready', () => {
      ready += 1;
      if (ready > 1) for (const [name, channel] of channels) reconnected(name, channel);
    });
    await listening.connect();
    return listening;
  };
  const reconnected = (name: string, channel: Channel) => {
    if (channel.subscribed) tellAll(channel);
    else settle(name);
  };
  /** Brings what Redis sends in line with who listens. What fails now is done when the connection is back. */
  const settle = (name: string) => {
    last = last.then(async () => {
      const channel = channels.get(name);
      if (!channel) return;
      const wanted = channel.listeners.size > 0;
      if (!wanted) channels.delete(name);
      if (wanted === channel.subscribed) return;
      const listening = await connected();
      channel.subscribed = wanted;
      if (!wanted) return listening.unsubscribe(name, channel.onMessage);
      try {
        await listening.subscribe(name, channel.onMessage);
        tellAll(channel);
      } catch {
        channel.subscribed = false;
      }
    });
    last = last.catch(() => {});
  };

  return {
    listen(name, listener) {
      const entry = (change: StoreChange) => listener(change);
      const known = channels.get(name);
      const channel = known ?? createChannel(tell);
      channels.set(name, channel);
      channel.listeners.add(entry);
      if (channel.listeners.size === 1) settle(name);
      return () => {
        if (channel.listeners.delete(entry) && channel.listeners.size === 0) settle(name);
      };
    },
    close() {
      const closing = connection;
      connection = undefined;
      channels.clear();
      closing?.then((listening) => listening.destroy()).catch(() => {});
    },
  };
}

function createChannel(tell: (channel: Channel, change: StoreChange) => void): Channel {
  const channel: Channel = {
    listeners: new Set(),
    onMessage: (message) => tell(channel, message === 'stop' ? 'stop' : 'log'),
    subscribed: false,
  };
  return channel;
}
