/** As much of a client of the `redis` package (5 or 6) as a store uses; by structure, so that nothing is imported. */
export interface RedisClient {
  sendCommand(
    args: readonly string[],
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<unknown>;
  /** Another client of the same settings, for a connection that only listens. */
  duplicate(): RedisListeningClient;
}

/** A connection that listens. */
export interface RedisListeningClient {
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => unknown): Promise<unknown>;
  unsubscribe(channel: string, listener: (message: string) => unknown): Promise<unknown>;
  on(event: 'ready' | 'error', listener: (error?: unknown) => void): unknown;
  destroy(): void;
}
