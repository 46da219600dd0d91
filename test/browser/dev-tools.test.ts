// What a test asks of a frame that VS Code takes away meanwhile, as it does with each page that is made anew.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launchProfile } from '../../scripts/lib/vscode/browser.mjs';
import { tempDir } from '../support/temp-dir.ts';
import { DevTools } from '../support/vscode/dev-tools.ts';

const HOST = 'frame.localhost';

/** The address of a page that holds a frame of another host. */
async function servePage(): Promise<string> {
  const server = createServer(({ url, headers: { host = '' } }, response) => {
    const frame = `<iframe src="http://${host.replace('localhost', HOST)}/frame"></iframe>`;
    response.setHeader('content-type', 'text/html').end(url === '/' ? frame : 'The frame');
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `http://localhost:${typeof address === 'object' ? address?.port : ''}/`;
}

test('a question to a frame that goes before it has answered fails, and the next one can be asked', async () => {
  const folder = await tempDir();
  const args = [`--isolate-origins=http://${HOST}`, '--remote-debugging-port=0'];
  const context = await launchProfile(folder, { viewport: { width: 640, height: 480 }, args });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(await servePage());
  const [port] = (await readFile(path.join(folder, 'DevToolsActivePort'), 'utf8')).split('\n');
  const tools = await DevTools.connect(Number(port));
  onTestFinished(() => tools.close());
  const frames = () => tools.targets('iframe', (url) => URL.parse(url)?.hostname === HOST);

  const [frame] = await frames();
  expect(await frame?.evaluate('document.body.textContent')).toBe('The frame');
  const asked = expect(frame?.evaluate('for (;;);')).rejects.toThrow();
  await page.evaluate(() => document.querySelector('iframe')?.remove());
  await asked;
  expect(await frames()).toEqual([]);
});
