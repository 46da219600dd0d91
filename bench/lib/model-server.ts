import { startLogged } from '../../scripts/lib/logged-process.mjs';
import { inRepository } from '../../scripts/lib/paths.mjs';

export interface ModelServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the scripted models of that program. */
export async function startModelServer(
  program: 'model-server' | 'token-server' | 'reply-server' = 'model-server',
): Promise<ModelServer> {
  const file = inRepository('bench', 'programs', `${program}.ts`);
  const child = await startLogged('The model server', process.execPath, [file]);
  const [, port] = await child.waitForOutput(/Listening on (\d+)/, 10_000);
  return { url: `http://127.0.0.1:${port}`, stop: child.stop };
}
