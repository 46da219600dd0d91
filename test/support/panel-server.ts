// The built page of the panel with the security policy that VS Code would give it.
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const assets = new URL('../../dist/webview/', import.meta.url);
const bundles = new URL('../../l10n/', import.meta.url);

export interface PanelServer {
  readonly origin: string;
  close(): Promise<void>;
}

const NONCE = 'panelPageNonce00000000';

/** What there is for `language`, as JSON; empty for English. */
export async function bundleOf(language = ''): Promise<string> {
  return language && readFile(new URL(`bundle.l10n.${language}.json`, bundles), 'utf8');
}

async function html(origin: string, language: string): Promise<string> {
  const words = await bundleOf(language);
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src ${origin} 'nonce-${NONCE}'; font-src ${origin}; img-src ${origin} data:`;
  return `<!DOCTYPE html>
<html lang="${language || 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${NONCE}">
<title>Harness</title>
<link rel="stylesheet" href="/app.css">
</head>
<body><div id="root"></div><script type="application/json" id="l10n">${words}</script><script nonce="${NONCE}" type="module" src="/main.js"></script></body>
</html>`;
}

/** Scripts and styles, by their paths. */
async function readAssets(): Promise<Record<string, { readonly type: string; readonly body: string }>> {
  const names = (await readdir(assets, { recursive: true })).filter((name) => /\.(js|css)$/.test(name));
  const entries = names.map(async (name) => {
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/css';
    return [`/${name}`, { type, body: await readFile(new URL(name, assets), 'utf8') }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** At `/`, or `/?LANGUAGE`. */
export async function servePanel(): Promise<PanelServer> {
  const files = await readAssets();
  const server = createServer(async (request, response) => {
    const [path = '', language = ''] = (request.url ?? '').split('?');
    const file = files[path];
    const page = path === '/' ? await html(`http://${request.headers.host}`, language) : '';
    response.writeHead(file || page ? 200 : 404, { 'content-type': file?.type ?? 'text/html' });
    response.end(file?.body ?? page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
