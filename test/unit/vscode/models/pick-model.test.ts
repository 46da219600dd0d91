import { expect, onTestFinished, test, vi } from 'vitest';
import * as vscode from 'vscode';
import type { ModelItem } from '../../../../extension/vscode/models/model-items.ts';
import { pickModel } from '../../../../extension/vscode/models/pick-model.ts';
import { makeGate } from '../../../support/gate.ts';
import { QuickPickDouble } from '../../../support/quick-pick.ts';

const CLAUDE = [{ id: 'claude-sonnet-5-5', name: 'Claude Sonnet 5.5' }];
const SONNET = 'anthropic/claude-sonnet-5-5';

/** The open list, in which two providers answer when the test says so. */
async function openList() {
  const pick = new QuickPickDouble<ModelItem>();
  const create = vi.spyOn(vscode.window, 'createQuickPick').mockReturnValue(pick as never);
  const warn = vi.spyOn(vscode.window, 'showWarningMessage');
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const [claude, ollama] = [makeGate(), makeGate()];
  const picked = pickModel({
    current: 'demo/demo',
    recent: [],
    aliases: {},
    lists: async () => [
      { entry: { name: 'anthropic', label: 'Anthropic' }, models: claude.opened.then(() => CLAUDE) },
      { entry: { name: 'ollama', label: 'Ollama' }, models: ollama.opened.then(() => []) },
    ],
    resolve: (text) => {
      if (text.startsWith('nobody/')) throw new Error('There is no provider “nobody”.');
      return text.includes('/') ? text : `anthropic/${text}`;
    },
  });
  expect(create).toHaveBeenCalledOnce();
  const arrive = async () => {
    claude.open();
    await vi.waitFor(() => expect(pick.items.map(({ reference }) => reference)).toContain(SONNET));
    ollama.open();
    await vi.waitFor(() => expect(pick.busy).toBe(false));
  };
  return { pick, picked, arrive, warn };
}

test('a part of a name chooses the model that it matches, when its list comes after the typing', async () => {
  const { pick, picked, arrive } = await openList();
  pick.type('claude-son');
  await arrive();
  pick.enter();
  expect(await picked).toBe(SONNET);
});

test('Enter before the lists have come chooses the match as soon as they have', async () => {
  const { pick, picked, arrive } = await openList();
  pick.type('claude-son');
  pick.enter();
  await arrive();
  expect(await picked).toBe(SONNET);
});

test('a part of a name chooses its match although the window names a row of an earlier list', async () => {
  const { pick, picked, arrive } = await openList();
  await arrive();
  pick.type('claude-son');
  pick.activeItems = pick.items.filter(({ command }) => command);
  pick.enter();
  expect(await picked).toBe(SONNET);
});

test('the model that is in front stays there when another list comes', async () => {
  const { pick, picked, arrive } = await openList();
  expect(pick.activeItems.map(({ reference }) => reference)).toEqual(['demo/demo']);
  await arrive();
  pick.enter();
  expect(await picked).toBe('demo/demo');
});

test('a name that no list has gets a row of its own, which goes when the name matches', async () => {
  const { pick, picked, arrive } = await openList();
  await arrive();
  pick.type('claude-of-tomorrow');
  expect(pick.rows.map(({ label }) => label)).toEqual(['Use claude-of-tomorrow']);
  pick.type('claude');
  expect(pick.rows.map(({ label }) => label)).toEqual(['Claude Sonnet 5.5']);
  pick.type('claude-of-tomorrow');
  pick.enter();
  expect(await picked).toBe('anthropic/claude-of-tomorrow');
});

test('the last letter counts, although the window still names the row of the name before it', async () => {
  const { pick, picked, arrive } = await openList();
  await arrive();
  pick.type('claude-of-tomorro');
  const stale = pick.activeItems;
  pick.type('claude-of-tomorrow');
  pick.activeItems = stale;
  pick.enter();
  expect(await picked).toBe('anthropic/claude-of-tomorrow');
});

test('a name that stands for nothing gets no row: Enter says why, and the list stays open', async () => {
  const { pick, picked, arrive, warn } = await openList();
  await arrive();
  pick.type('nobody/knows');
  expect(pick.rows).toEqual([]);
  pick.enter();
  expect(warn).toHaveBeenCalledWith('There is no provider “nobody”.');
  pick.type('claude-son');
  pick.enter();
  expect(await picked).toBe(SONNET);
});
