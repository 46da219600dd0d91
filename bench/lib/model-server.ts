import { startLogged } from '../../scripts/lib/logged-process.mjs';
import { inRepository } from '../../scripts/lib/paths.mjs';

export interface ModelServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The scripted model of programs/model-server.ts. */
export async function startModelServer(): Promise<ModelServer> {
  const program = inRepository('bench', 'programs', 'model-server.ts');
  const child = await startLogged('The model server', process.execPath, [program]);
  const [, port] = await child.waitForOutput(/Listening on (\d+)/, 10_000);
  return { url: `http://127.0.0.1:${port}`, stop: child.stop };
}
