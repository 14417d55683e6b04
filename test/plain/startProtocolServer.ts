import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createFaultServer,
  type FaultServer,
  type ManualWorld,
  toNodeHandler,
} from 'helix-chat/testing';

/** The protocol server on real TCP. */
export interface ProtocolServer {
  readonly origin: string;
  readonly api: string;
  readonly server: FaultServer;
  close(): Promise<void>;
}

export async function startProtocolServer(world: ManualWorld): Promise<ProtocolServer> {
  const server = createFaultServer({ world });
  const http = createServer(toNodeHandler(server.handle));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    api: `${origin}/api/chat`,
    server,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
