import { ensurePackages } from './packages.mjs';

/** `npm start`: installs what is missing, then serves the example on PORT (5173) and HOST (localhost). */
ensurePackages();
const { serveExample } = await import('./exampleServer.mjs');

const port = Number(process.env.PORT ?? 5173);
const host = process.env.HOST ?? 'localhost';

function explain(error) {
  if (error.code === 'EADDRINUSE') {
    return `[helix-chat] Port ${port} is in use. The example was not started. Set another one: PORT=5174 npm start.`;
  }
  return `[helix-chat] The example could not be started. No page is served. ${error.stack ?? error}`;
}

try {
  const example = await serveExample({ port, host });
  process.stdout.write(`helix-chat example: ${example.url}/\n`);
  const end = () => example.close().finally(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
