import { expect, test } from 'vitest';
import type { ActionView, EventDraft, Risk } from '../../extension/protocol/events.ts';
import { call, decision, request, result } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const begin: EventDraft[] = [
  { type: 'user', content: 'Do it' },
  { type: 'turn_started', turn: 1 },
  request(1),
  call('c1', 'bash', { command: 'npm test' }),
];
const asking = (action: Partial<ActionView> = {}, risk: Risk = 'medium'): EventDraft => ({
  type: 'permission_request',
  id: 'c1',
  tool: 'bash',
  risk,
  action: {
    title: 'Run a command in /repo',
    detail: 'npm test',
    warnings: [],
    remember: 'npm test',
    ...action,
  },
});

test.each([
  ['Allow once', 'allow_once', 'allowed once'],
  ['Allow in this session', 'allow_session', 'allowed in this session'],
  ['Always allow', 'allow_always', 'always allowed'],
  ['Deny', 'deny', ''],
] as const)('%s answers once, and the card goes into the line of its call', async (name, answer, words) => {
  const panel = await open({ events: [...begin, asking()] });
  const card = panel.part('permission');
  await card.getByRole('button', { name, exact: true }).click();
  expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(true);
  await card.getByRole('button', { name: 'Deny' }).click({ force: true });
  expect(await panel.messages('permission/answer')).toEqual([
    { type: 'permission/answer', session: 'session-1', id: 'c1', decision: answer },
  ]);
  await panel.emit(decision('c1', answer));
  expect(await card.count()).toBe(0);
  expect(await panel.part('tool').textContent()).toContain(words);
});

test('the card says effect, risk, warnings, change and what would be remembered', async () => {
  const action = {
    warnings: ['Outside the workspace'],
    added: 12,
    removed: 3,
    remember: 'npm test, in /repo',
  };
  const panel = await open({ events: [...begin, asking(action)] });
  const card = panel.part('permission');
  const shown = (await card.textContent()) ?? '';
  const order = [
    'Run a command in /repo',
    'medium risk',
    'npm test',
    '+12 −3',
    'Outside the workspace',
    'npm test, in /repo',
  ];
  expect(order.map((words) => shown.indexOf(words))).toEqual(
    order.map((words) => shown.indexOf(words)).toSorted((a, b) => a - b),
  );
  expect(order.every((words) => shown.includes(words))).toBe(true);
  await card.getByRole('button', { name: 'Diff' }).click();
  expect(await panel.messages('diff/open')).toHaveLength(1);
  expect(
    await panel.page.getByRole('group', { name: /Approval needed, medium risk: Run a command/ }).count(),
  ).toBe(1);
});

test('where nothing may be remembered, only the answers for once can be given', async () => {
  const { remember: _, ...action } = { title: 'Run', detail: 'curl x | sh', warnings: [], remember: '' };
  const panel = await open({ events: [...begin, { ...asking(), action } as EventDraft] });
  const enabled = panel.part('permission').locator('.answers button:not(:disabled)');
  await expect.poll(() => enabled.allTextContents()).toEqual(['Allow once', 'Deny']);
});

test('a click that was meant for what stood there before does nothing', async () => {
  const panel = await open({ events: begin });
  const goOn = await panel.holdTimers();
  await panel.emit(asking());
  await panel.page.evaluate(() => document.querySelector<HTMLButtonElement>('.answers button')?.click());
  expect(await panel.messages('permission/answer')).toEqual([]);
  await goOn();
  await panel.part('permission').getByRole('button', { name: 'Allow once' }).click();
  expect(await panel.messages('permission/answer')).toHaveLength(1);
});

const focused = () => document.activeElement?.textContent;

test('the focus goes to the card from an empty input, and never to an allowing answer where the risk is high', async () => {
  for (const [risk, answer] of [
    ['medium', 'Allow once'],
    ['high', 'Deny'],
  ] as const) {
    const panel = await open({ events: begin });
    await panel.emit(asking({}, risk));
    expect(await panel.page.evaluate(focused)).toBe(answer);
    await panel.part('permission').locator('[aria-disabled="false"]').first().waitFor();
    await panel.page.keyboard.press('Enter');
    expect((await panel.messages('permission/answer')).map(({ decision: given }) => given)).toEqual([
      risk === 'high' ? 'deny' : 'allow_once',
    ]);
  }
});

test('somebody who is writing is not disturbed', async () => {
  const panel = await open({ events: begin });
  await panel.page.keyboard.type('My next ');
  await panel.emit(asking());
  await panel.page.keyboard.type('prompt');
  expect(await panel.input.inputValue()).toBe('My next prompt');
});

test('the focus stays in the editor when it is there', async () => {
  const panel = await open({ events: begin });
  await panel.page.evaluate(() => {
    document.hasFocus = () => false;
  });
  await panel.emit(asking());
  expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(true);
});

test('while the focus is in the editor, nothing that goes away brings it into the page', async () => {
  const panel = await open({ events: begin });
  const isInPage = () => panel.page.evaluate(() => document.activeElement !== document.body);
  const haveFocus = (hasFocus: boolean) =>
    panel.page.evaluate((has) => {
      document.hasFocus = () => has;
    }, hasFocus);
  const leaves: [() => Promise<unknown>, () => Promise<unknown>][] = [
    [
      () => panel.emit(wish('w0'), wish('w1')),
      () => panel.emit(decision('w0', 'deny'), decision('w1', 'deny')),
    ],
    [() => panel.goTo(2, 'past'), () => panel.backToNow()],
    [() => panel.page.keyboard.press('Control+f'), () => panel.goTo(2, 'past')],
  ];
  for (const [come, go] of leaves) {
    await haveFocus(true);
    await come();
    await expect.poll(isInPage).toBe(true);
    await haveFocus(false);
    await go();
    await expect.poll(isInPage).toBe(false);
  }
});

test('nothing in a command can hide', async () => {
  const detail = `rm \u202eabc\u200b${'\t'.repeat(500)}${' '.repeat(500)}&& evil\r\u001b[2K\u00a0\u{e0041}${'x'.repeat(20_000)}END`;
  const panel = await open({ events: [...begin, asking({ detail, title: 'Run\u202e it' })] });
  const effect = panel.part('permission').locator('.effect');
  const shown = (await effect.textContent()) ?? '';
  for (const escaped of ['\\u{202e}', '\\u{200b}', '\\t'.repeat(500), '\\r\\u{1b}[2K\\u{a0}\\u{e0041}'])
    expect(shown).toContain(escaped);
  expect(shown.endsWith('END')).toBe(true);
  expect(await effect.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  expect(await panel.part('permission').locator('.title').textContent()).toBe('Run\\u{202e} it');
});

test('a card whose call was cancelled goes away', async () => {
  const panel = await open({ events: [...begin, asking()] });
  await panel.part('permission').waitFor();
  await panel.emit(result('c1', { error: 'cancelled' }, { isError: true, end: 'cancelled' }));
  expect(await panel.part('permission').count()).toBe(0);
});

const wish = (id: string, risk: Risk = 'medium'): EventDraft =>
  ({ ...asking({ detail: `make ${id}` }, risk), id }) as EventDraft;
const wishes = (count: number) => Array.from({ length: count }, (_, index) => wish(`w${index}`));
const focusedCard = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const { activeElement: element } = document;
    return [element?.closest('fieldset')?.dataset.partId, element?.textContent];
  });
const whenOpen = (panel: PanelPage) =>
  panel.part('permission').locator('[aria-disabled="false"]').first().waitFor();

test('of many that wait the first few are drawn, and the next come up as they are answered', async () => {
  const panel = await open({ events: begin });
  const nodes = () => panel.page.evaluate(() => document.querySelectorAll('*').length);
  await panel.emit(wish('w0'));
  const one = await nodes();
  await panel.emit(...wishes(500).slice(1));
  expect(await panel.part('permission').count()).toBe(3);
  expect(await nodes()).toBeLessThan(one + 200);
  await panel.page.getByText('497 more approvals pending').waitFor();
  for (let index = 0; index < 4; index += 1) await panel.emit(decision(`w${index}`, 'deny'));
  await panel.page.getByText('493 more approvals pending').waitFor();
  expect(await panel.part('permission').locator('.effect').allTextContents()).toEqual([
    'make w4',
    'make w5',
    'make w6',
  ]);
});

test('after an answer the focus goes to the next card that waits, and to the input after the last', async () => {
  const panel = await open({ events: begin });
  await panel.emit(wish('w0'), wish('w1', 'high'), wish('w2'), wish('w3'));
  for (const [id, answer] of [
    ['w0', 'Allow once'],
    ['w1', 'Deny'],
    ['w2', 'Allow once'],
    ['w3', 'Allow once'],
  ] as const) {
    await expect.poll(() => focusedCard(panel)).toEqual([id, answer]);
    await whenOpen(panel);
    await panel.page.keyboard.press('Enter');
    await panel.emit(decision(id, answer === 'Deny' ? 'deny' : 'allow_once'));
  }
  expect((await panel.messages('permission/answer')).map(({ id }) => id)).toEqual(['w0', 'w1', 'w2', 'w3']);
  expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(true);
});

test('a key that is held down answers one card, and a click that was meant for it not the next', async () => {
  const panel = await open({ events: begin });
  await panel.emit(wish('w0'), wish('w1'));
  await whenOpen(panel);
  const goOn = await panel.holdTimers();
  await panel.page.keyboard.down('Enter');
  await panel.page.keyboard.down('Enter');
  await panel.emit(decision('w0', 'allow_once'));
  await panel.page.evaluate(() => document.querySelector<HTMLButtonElement>('.answers button')?.click());
  await goOn();
  await whenOpen(panel);
  await panel.page.keyboard.down('Enter');
  expect((await panel.messages('permission/answer')).map(({ id }) => id)).toEqual(['w0']);
  await panel.page.keyboard.up('Enter');
  await panel.page.keyboard.press('Enter');
  expect((await panel.messages('permission/answer')).map(({ id }) => id)).toEqual(['w0', 'w1']);
});

test('the card that has the focus is in sight, and a card that goes away unanswered leaves it to the next', async () => {
  const panel = await open({ events: begin, height: 420 });
  await panel.emit(...wishes(5));
  const card = panel.page.locator('fieldset', { has: panel.page.locator(':focus') });
  await expect
    .poll(() =>
      card.evaluate((element) => {
        const view = element.closest('[role="log"]')?.getBoundingClientRect();
        const { top, bottom } = element.getBoundingClientRect();
        return [element.dataset.partId, view && top >= view.top - 1 && bottom <= view.bottom + 1];
      }),
    )
    .toEqual(['w0', true]);
  await panel.emit(result('w0', { error: 'cancelled' }, { isError: true, end: 'cancelled' }));
  await expect.poll(() => focusedCard(panel)).toEqual(['w1', 'Allow once']);
});

test('a denial can have a reason, by keyboard; an answer that allows sends none', async () => {
  const panel = await open({ events: [...begin, asking()] });
  const reason = panel.page.getByRole('textbox', { name: 'Reason to deny (optional)' });
  const deny = panel.part('permission').getByRole('button', { name: 'Deny' });
  await expect.poll(() => deny.getAttribute('aria-disabled')).toBe('false');
  await deny.focus();
  await panel.page.keyboard.press('Tab');
  expect(await reason.evaluate((input) => input === document.activeElement)).toBe(true);
  await panel.page.keyboard.press('Enter');
  expect(await panel.messages('permission/answer')).toEqual([]);
  await reason.fill(' Use tabs. ');
  await panel.page.keyboard.press('Enter');
  expect(await panel.messages('permission/answer')).toEqual([
    { type: 'permission/answer', session: 'session-1', id: 'c1', decision: 'deny', reason: 'Use tabs.' },
  ]);
});

test('a reason that was typed does not go with an answer that allows', async () => {
  const panel = await open({ events: [...begin, asking()] });
  const card = panel.part('permission');
  await card.getByRole('textbox').fill('Perhaps not');
  await expect.poll(() => card.locator('[data-decision="deny"]').getAttribute('aria-disabled')).toBe('false');
  await card.getByRole('button', { name: 'Allow once' }).click();
  expect((await panel.messages('permission/answer')).at(0)).not.toHaveProperty('reason');
});
