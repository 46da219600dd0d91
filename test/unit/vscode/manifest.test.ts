// What package.json promises to VS Code.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { VIEW_COMMANDS, viewCommand } from '../../../extension/vscode/base/command-ids.ts';
import { TAB_TYPE } from '../../../extension/vscode/panel/panel-html.ts';
import { readManifest } from '../../support/manifest.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

interface Setting {
  readonly scope: string;
  readonly order: number;
  readonly markdownDescription: string;
  readonly default: unknown;
  readonly ignoreSync?: boolean;
}

interface Manifest {
  readonly icon: string;
  readonly enabledApiProposals?: unknown;
  readonly activationEvents: readonly string[];
  readonly keywords: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] };
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
    }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command?: string; readonly when?: string }[]>
    >;
    readonly keybindings: readonly { readonly command: string; readonly when?: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  };
}

// The fields that the tests below look at.
const manifest = (await readManifest()) as Manifest;
const { commands, menus, keybindings, configuration, viewsContainers } = manifest.contributes;
const settings = configuration.flatMap(({ properties }) => Object.entries(properties));

test('the palette shows the titles that people know', () => {
  const titles = commands.map(({ title, category }) => (category ? `${category}: ${title}` : title));
  expect(titles.slice(0, 12)).toEqual([
    'Ask Harness',
    'Harness: Cancel',
    'Harness: New Session',
    'Harness: Session History',
    'Harness: Select Model',
    'Harness: Set API Key',
    'Harness: Clear API Key',
    'Harness: Add to Chat',
    'Harness: Manage Permissions',
    'Harness: Show Audit Log',
    'Harness: Open Session Log',
    'Harness: Show Output',
  ]);
});

test('menus and keys run commands that there are, and each key says when', () => {
  const known = commands.map(({ command }) => command);
  const used = [...Object.values(menus).flat(), ...keybindings].flatMap(({ command }) => command ?? []);
  expect(used.filter((command) => !known.includes(command))).toEqual([]);
  expect(keybindings.filter(({ when }) => !when)).toEqual([]);
});

test('commands that need to know on what are in no palette', () => {
  const hidden = menus.commandPalette?.filter(({ when }) => when === 'false').map(({ command }) => command);
  const known = commands.map(({ command }) => command);
  expect(hidden).toEqual([
    'harness.copyPart',
    // Another name of `harness.redoCheckpoint`.
    'harness.redo',
    ...known.filter((command) => /^harness\.(preview|view|sessionList)\./.test(command)),
    'harness.openChange',
  ]);
});

test('the title of the view runs the commands that are about its session', () => {
  const ofView = commands.filter(({ command }) => command.startsWith('harness.view.'));
  expect(ofView.map(({ command }) => command)).toEqual(VIEW_COMMANDS.map(viewCommand));
  for (const { command, title } of ofView) {
    const same = commands.find((other) => other.command === command.replace('.view.', '.'));
    expect(title, command).toBe(same?.title);
  }
});

test('whatever stands in the title of the view is about its session, also while a tab is in front', () => {
  const offered = menus['view/title']?.filter(({ when }) => when === 'view == harness.chat');
  expect(offered?.map(({ command }) => command).sort()).toEqual(VIEW_COMMANDS.map(viewCommand).sort());
});

test('it waits to be used, and uses stable API alone', () => {
  expect(manifest.activationEvents).toEqual([`onWebviewPanel:${TAB_TYPE}`]);
  expect(manifest.enabledApiProposals).toBeUndefined();
});

test('every setting is described and in order', () => {
  for (const [name, setting] of settings) {
    expect(name).toMatch(/^harness\./);
    expect(setting.markdownDescription, name).toMatch(/\.$/);
    expect(setting.order, name).toBeGreaterThan(0);
    expect(setting.default, name).toBeDefined();
  }
});

test('a folder that is not trusted sets nothing', () => {
  const names = settings.map(([name]) => name);
  expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(names);
});

test('a workspace can set the model and the length of replies, and nothing else', () => {
  const shared = settings.filter(([, { scope }]) => scope !== 'machine' && scope !== 'application');
  expect(shared.map(([name]) => name)).toEqual(['harness.model', 'harness.maxTokens']);
});

test('what may pass unasked is neither synchronized nor set by a machine, whose settings a repository’s container brings along', () => {
  const mode = settings.find(([name]) => name === 'harness.permissions.mode')?.[1];
  expect(mode).toMatchObject({ scope: 'application', ignoreSync: true });
});

test('what the store shows is there', async () => {
  expect(manifest.keywords.length).toBeLessThanOrEqual(30);
  const icons = [manifest.icon, ...viewsContainers.activitybar.map(({ icon }) => icon)];
  for (const icon of icons) expect((await stat(resolve(ROOT, icon))).size, icon).toBeGreaterThan(0);
});
