import { expect, test } from 'vitest';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { call, request, result, text } from '../support/panel-events.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const canary = 'http://127.0.0.1:9/canary';
const attacks = [
  '<script>window.pwned = 1</script>',
  `<img src="${canary}" srcset="${canary} 2x" onerror="window.pwned = 1">`,
  `![picture](${canary}?secret)`,
  `![picture][ref]\n\n[ref]: ${canary}`,
  `<svg><image href="${canary}"/></svg><svg onload="window.pwned = 1">`,
  `<iframe src="${canary}"></iframe><object data="${canary}"></object><embed src="${canary}">`,
  `<style>@import "${canary}"; body { background: url(${canary}) }</style>`,
  `<link rel="dns-prefetch" href="//canary.example"><base href="${canary}"><meta http-equiv="refresh" content="0;url=${canary}">`,
  `<form action="${canary}"><input autofocus onfocus="window.pwned = 1"></form>`,
  '<details open ontoggle="window.pwned = 1"><p style="color:red">',
  '<math><mtext></table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  '[x](javascript:window.pwned=1) <javascript:window.pwned=1> [y](data:text/html,<script>window.pwned=1</script>)',
  '"><script>window.pwned = 1</script>',
  `\`\`\`"><img src=${canary} onerror=window.pwned=1>\ncode\n\`\`\``,
  '| a |\n| :-: |\n| <img src=x onerror=window.pwned=1> |',
];
const all = attacks.join('\n\n');

/** One event of every kind, with `attack` in each of its texts. */
function everyField(attack: string): EventDraft[] {
  const action = { title: attack, detail: attack, warnings: [attack], remember: attack };
  return [
    { type: 'user', content: attack, attachments: [attack] },
    { type: 'turn_started', turn: 1 },
    request(1),
    { type: 'reasoning', content: attack },
    text(attack),
    call('c1', attack, { path: attack, [attack]: attack }),
    result('c1', { error: attack }, { isError: true }),
    call('c2', 'bash', { command: attack }),
    result('c2', { stdout: attack, stderr: attack, exitCode: 1 }),
    { type: 'plan', steps: [{ title: attack, status: 'pending' }] },
    { type: 'notice', message: attack },
    { type: 'status', state: 'thinking', message: attack },
    { type: 'permission_request', id: 'c3', tool: attack, risk: 'high', action },
    {
      type: 'permission',
      id: 'c2',
      tool: attack,
      risk: 'high',
      decision: 'allow_once',
      by: 'user',
      rule: attack,
      action: 'hash',
    },
    { type: 'retry', attempt: 1, delayMs: 1, code: attack, message: attack },
    { type: 'error', message: attack, code: attack, retryable: true },
  ];
}

const dangers = () => ({
  elements: [
    ...document.querySelectorAll(
      'script:not([nonce]):not([type="application/json"]), iframe, object, embed, base, form, img, image, video, style:not([nonce]), link:not([rel="stylesheet"]), meta[http-equiv="refresh"]',
    ),
  ].map((element) => element.outerHTML),
  attributes: [...document.querySelectorAll('body *:not(script[nonce])')].flatMap((element) =>
    element
      .getAttributeNames()
      .filter((name) => name.startsWith('on') || name === 'style' || name === 'href' || name === 'src')
      .map((name) => `${element.tagName} ${name} ${element.getAttribute(name)}`)
      // What is far from the viewport is empty, and only as high as it was.
      .filter((found) => !/ style (?:height: [\d.]+px;)?$/.test(found)),
  ),
  pwned: Reflect.get(window, 'pwned'),
});
const none = { elements: [], attributes: [], pwned: undefined };
const own = /^http:\/\/127\.0\.0\.1:\d+\/(?:main\.js|chunks\/(?:chunk|parser|languages)-\w+\.js|app\.css)?$/;

test('markup in any field is text: nothing runs, nothing is asked for, nothing is against the policy', async () => {
  const panel = await open({
    events: everyField(all),
    state: { header: all, model: all, modelName: all, suggestions: [all], history: [all] },
  });
  await panel.part('error').waitFor();
  for (const line of await panel.page.locator('.disclosure[aria-expanded="false"]').all()) await line.click();
  await panel.emit(...everyField(all));
  expect(await panel.page.evaluate(dangers)).toEqual(none);
  await panel.reload();
  await panel.part('error').last().waitFor();
  expect(await panel.page.evaluate(dangers)).toEqual(none);
  expect(panel.requests.filter((address) => !own.test(address) && !address.endsWith('/favicon.ico'))).toEqual(
    [],
  );
});

test('neither does it harm when it arrives in pieces', async () => {
  const panel = await open({ events: everyField('x').slice(0, 3) });
  const pieces = all.match(/[\s\S]{1,7}/g) ?? [];
  for (let at = 0; at < pieces.length; at += 10) {
    const deltas = pieces
      .slice(at, at + 10)
      .map((piece): Delta => ({ type: 'text_delta', session: 'session-1', text: piece }));
    await panel.stream(...deltas);
    expect(await panel.page.evaluate(dangers)).toEqual(none);
  }
  await panel.emit(text(all));
  expect(await panel.page.evaluate(dangers)).toEqual(none);
  expect(panel.requests.filter((address) => !own.test(address) && !address.endsWith('/favicon.ico'))).toEqual(
    [],
  );
});

test('links to anything but http(s) are no links, and a click on one does nothing', async () => {
  const links = [
    'command:x',
    'vscode:x',
    'file:///etc/passwd',
    '\\\\host\\s',
    'javascript:1',
    'data:text/html,x',
    'https://good@evil.example',
    'https://xn--80ak6aa92e.com',
  ];
  const panel = await open({
    events: [text(links.map((address, index) => `[link${index}](${address})`).join(' '))],
  });
  await panel.part('text').waitFor();
  for (const link of await panel.page.getByRole('link').all()) {
    expect(await link.getAttribute('title')).toMatch(/^https:\/\//);
    await link.click();
  }
  await panel.part('text').locator('p').click();
  expect((await panel.messages('link/open')).map(({ href }) => href)).toEqual([
    'https://good@evil.example',
    'https://xn--80ak6aa92e.com',
  ]);
});

test('messages that are not of the protocol are dropped and reported, and the panel goes on', async () => {
  const panel = await open({ events: [text('Before')] });
  const nonsense = [
    null,
    7,
    'x',
    [],
    { type: '__proto__' },
    { type: 'update' },
    { type: 'update', events: [{ type: 'text', seq: 'x' }], deltas: [] },
    { type: 'state', state: { session: 1 } },
    JSON.parse('{"__proto__": {"polluted": 1}, "type": "update"}'),
  ];
  for (const message of nonsense) await panel.send(message);
  expect(await panel.messages('log')).toHaveLength(nonsense.length);
  await panel.emit(text('After'));
  expect(await panel.texts()).toEqual(['Before', 'After']);
  expect(await panel.page.evaluate(() => Reflect.get({}, 'polluted'))).toBeUndefined();
});

test('messages of another origin are not heard', async () => {
  const panel = await open({ events: [text('Before')] });
  await panel.page.evaluate(() => {
    const data = { type: 'input/insert', text: 'foreign' };
    window.dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.example' }));
    window.dispatchEvent(
      new MessageEvent('message', { data: { ...data, text: 'own' }, origin: window.origin }),
    );
  });
  await expect.poll(() => panel.input.inputValue()).not.toBe('');
  expect(await panel.input.inputValue()).toBe('own');
});
