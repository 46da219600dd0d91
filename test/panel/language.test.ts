import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import type { PanelState } from '../../extension/protocol/messages.ts';
import { seriousObstacles } from '../support/axe.ts';
import { cutOff } from '../support/cut-off.ts';
import { call, request, result, text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const bundle: Record<string, string> = JSON.parse(await readFile('l10n/bundle.l10n.de.json', 'utf8'));

/** What English says otherwise, as it would stand in the page. */
const english = Object.entries(bundle)
  .map(([key, german]) => [key.replace(/\/say$/, '').trim(), german] as const)
  .filter(([sentence, german]) => sentence !== german && /\p{L}{2}/u.test(sentence.replace(/\{\d\.?\}/g, '')))
  .map(([sentence]) => new RegExp(`^${escapeExpression(sentence).replace(/\\\{\d(\\\.)?\\\}/g, '.+')}$`));

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Every text and every name in the page that is still English. */
async function leftInEnglish({ page }: PanelPage): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const walker = document.createTreeWalker(
      document.querySelector('#root') ?? document,
      NodeFilter.SHOW_TEXT,
    );
    const texts: string[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '');
    const names = [...document.querySelectorAll('body *')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [...texts, ...names].map((words) => words.trim());
  });
  return shown.filter((words) => english.some((sentence) => sentence.test(words)));
}

const run: EventDraft[] = [
  { type: 'user', content: 'Mach das', attachments: [] },
  { type: 'turn_started', turn: 1 },
  request(1),
  { type: 'status', state: 'thinking', message: 'Thinking' },
  { type: 'reasoning', content: 'Weil.' },
  text('```ts\nconst x = 1;\n```'),
  call('c1', 'read', { path: 'a.ts' }),
  result('c1', { error: 'ENOENT' }, { isError: true }),
  call('c2', 'edit', { path: 'a.ts' }),
  result('c2', {}, { added: 1, removed: 2 }),
  call('c3', 'grep', { pattern: 'x' }),
  result('c3', { matches: 'a.ts:1:x' }),
  { type: 'plan', steps: [{ title: 'Lesen', status: 'in_progress' }] },
  call('c4', 'bash', { command: 'npm test' }),
  {
    type: 'permission_request',
    id: 'c4',
    tool: 'bash',
    risk: 'high',
    action: {
      title: 'Run this command?',
      detail: 'npm test',
      warnings: ['Runs in /repo with your permissions'],
      remember: 'this exact command in this folder',
    },
  },
  {
    type: 'usage',
    inputTokens: 1,
    outputTokens: 900,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 800,
  },
];

const failed: EventDraft[] = [
  ...run.slice(0, 2),
  {
    type: 'notice',
    message: '2 files identical to checkpoint: a.ts, b.ts.\nc.ts was skipped: it has changed since.',
  },
  {
    type: 'error',
    message:
      'There is no API key for anthropic. Set one with “Harness: Set API Key” (or ANTHROPIC_API_KEY), or try the demo model.',
    code: 'no_key',
    retryable: true,
  },
  { type: 'turn_ended', turn: 1, reason: 'error' },
];

interface Scene {
  readonly name: string;
  readonly events: readonly EventDraft[];
  readonly state?: Partial<PanelState>;
  /** What must be there, by role and German name. */
  readonly buttons: readonly string[];
  prepare?(panel: PanelPage): Promise<void>;
}

const scenes: readonly Scene[] = [
  {
    name: 'a run that waits for an approval',
    events: run,
    state: { demo: true, trusted: false },
    buttons: [
      'Einmal zulassen',
      'In dieser Sitzung zulassen',
      'Immer zulassen',
      'Ablehnen',
      'Stopp',
      'Code kopieren',
    ],
  },
  {
    name: 'a queue',
    events: run.slice(0, 6),
    state: { queue: [{ id: 'q1', text: 'Und dann?', state: 'waiting' }] },
    buttons: ['Jetzt senden', 'Bearbeiten', 'Entfernen', 'Senden', 'Dateien oder Bilder anhängen'],
  },
  {
    name: 'a session without a prompt or a key',
    events: [],
    state: { ready: false, hasWorkspace: false },
    buttons: ['API-Schlüssel festlegen', 'Demo testen'],
  },
  { name: 'an error', events: failed, buttons: ['API-Schlüssel festlegen', 'Demo testen'] },
  {
    name: 'a retry',
    events: [
      ...run.slice(0, 4),
      { type: 'retry', attempt: 1, delayMs: 60_000, code: 'server', message: 'Claude is overloaded.' },
    ],
    buttons: ['Jetzt erneut versuchen', 'Modell wechseln'],
  },
  {
    name: 'the find widget',
    events: run.slice(0, 6),
    buttons: ['Groß-/Kleinschreibung beachten', 'Nächste Übereinstimmung', 'Schließen'],
    prepare: async ({ page }) => {
      await page.keyboard.press('Control+f');
      await page.keyboard.type('nirgends');
      await page.getByText('Keine Ergebnisse').waitFor();
    },
  },
  {
    name: 'an earlier point in time',
    events: run,
    buttons: ['Zurück zu jetzt', 'Von hier abzweigen', 'Dateien anzeigen', 'Kontext anzeigen', 'Kosten'],
    prepare: async (panel) => {
      await panel.goTo(4, 'Wie es bei Ereignis 4 von 9 war · 14:02 · 3 Dateien geändert · $0,12');
      await panel.page.getByRole('slider', { name: 'Ereignis' }).waitFor();
    },
  },
  {
    name: 'the help',
    events: [],
    buttons: [],
    prepare: async ({ page }) => {
      await page.keyboard.press('F1');
      await page.getByRole('dialog', { name: 'Hilfe' }).getByText('Umschalt+Eingabe, Strg+Eingabe').waitFor();
    },
  },
];

test.each(scenes)(
  '$name is German, and nothing is cut off at 200 px',
  async ({ events, state, buttons, prepare }) => {
    const panel = await open({ language: 'de', width: 200, events, ...(state && { state }) });
    await prepare?.(panel);
    for (const name of buttons) await panel.page.getByRole('button', { name, exact: true }).first().waitFor();
    expect(await panel.input.getAttribute('aria-label')).toBe('Harness fragen');
    expect(await leftInEnglish(panel)).toEqual([]);
    expect(await cutOff(panel.page)).toEqual([]);
    expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBe(200);
    expect(await seriousObstacles(panel.page.mainFrame())).toEqual([]);
  },
);

test('numbers are written as German writes them', async () => {
  const panel = await open({
    language: 'de',
    events: [...run.slice(0, 7), result('c1', {}, { milliseconds: 4_200 })],
  });
  await panel.part('tool').getByText('4,2 s').waitFor();
});

test('the check sees English', async () => {
  const panel = await open({ events: run });
  expect(await leftInEnglish(panel)).toEqual(
    expect.arrayContaining(['Allow once', 'Ask Harness', 'Waiting for your approval']),
  );
});

test('what the log says in English is shown in German, with its values as they are', async () => {
  const panel = await open({ language: 'de', events: run });
  const approval = panel.part('permission');
  expect(await approval.locator('.title').textContent()).toBe('Diesen Befehl ausführen?');
  expect(await approval.locator('.warning').textContent()).toBe('Läuft in /repo mit Ihren Berechtigungen');
  expect(await approval.locator('.meta').textContent()).toBe(
    '„In dieser Sitzung zulassen“ und „Immer zulassen“ gelten für: genau diesen Befehl in diesem Ordner',
  );
  await panel.emit({
    type: 'notice',
    message: '1 file identical to checkpoint: Done.txt.\nls.txt was skipped: it has changed since.',
  });
  await panel
    .part('notice')
    .getByText(
      '1 Datei identisch mit dem Sicherungspunkt: Done.txt. ls.txt wurde übersprungen: sie hat sich seither geändert.',
    )
    .waitFor();
});

test('a notice is found by the words in which it is shown', async () => {
  const panel = await open({ language: 'de', events: failed });
  await panel.page.keyboard.press('Control+f');
  await panel.page.keyboard.type('identisch mit');
  await panel.page.getByText('1 von 1').waitFor();
});

test('what a tool runs is not taken for a sentence', async () => {
  const panel = await open({
    language: 'de',
    events: [...run.slice(0, 3), { type: 'status', state: 'running_tool', message: 'Thinking' }],
  });
  await panel.page.getByRole('status').getByText('Thinking', { exact: true }).waitFor();
  await panel.emit({ type: 'status', state: 'thinking', message: 'Thinking' });
  await panel.page.getByRole('status').getByText('Nachdenken').waitFor();
});
