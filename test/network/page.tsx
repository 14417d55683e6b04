import { type ClientSettings, type NetworkClient, openNetworkClient } from './networkClient.tsx';

declare global {
  interface Window {
    client: NetworkClient;
    openClient: (settings: ClientSettings) => Promise<void>;
  }
}

/** The same client in a browser, driven from outside. */
window.openClient = async (settings) => {
  window.client = await openNetworkClient(settings);
};
