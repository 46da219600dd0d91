import { afterEach, expect, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { HarnessPanel } from '../support/vscode/harness-panel.ts';
import { draftIsStored } from '../support/vscode/stored-session.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, log, ended } = await useHarness({ width: 1600 });

/** The page of the editor tab that is in front. */
const tab = new HarnessPanel(() =>
  workbench.page
    .locator('iframe.webview[src*="extensionId=harness.harness-agent"]:not([src*="purpose=webviewView"])')
    .contentFrame()
    .frameLocator('#active-frame'),
);
const titles = () => workbench.page.locator('.tabs-container .tab .label-name').allTextContents();

/** Whether VS Code has stored that a tab shows this session; it stores its editors now and then. */
function isTabStored(session: string): Promise<boolean> {
  return workbench.page.evaluate(async (id) => {
    const resultOf = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const values: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        values.push(...(await resultOf(database.transaction(store).objectStore(store).getAll())));
      database.close();
    }
    const stored = values.map((value) => JSON.stringify(value));
    return stored.some((value) => value.includes('harness.chat.editor') && value.includes(id));
  }, session);
}

async function ask(prompt: string, answer: string): Promise<void> {
  claude.says(words(answer));
  await panel.ask(prompt);
  await ended(prompt);
}

afterEach(async () => {
  await runCommand(workbench.page, 'View: Close All Editors');
});

test('a tab shows the session of the side bar, with its title; both show what runs, and either can be used', async () => {
  const { page } = workbench;
  await ask('Name a colour', 'Red.');
  await runCommand(page, 'Harness: Open in Editor Tab');
  await tab.saying('text', 'Red.').waitFor();
  await expect.poll(titles).toEqual(['Name a colour']);
  const gate = makeGate();
  claude.says({ ...words('Green, of course.'), chunkSize: 6, hold: { after: 1, until: gate.opened } });
  await tab.ask('Another one');
  await panel.saying('text', 'Green,').waitFor();
  await tab.saying('text', 'Green,').waitFor();
  gate.open();
  await panel.saying('text', 'Green, of course.').waitFor();
  await tab.saying('text', 'Green, of course.').waitFor();
  await ended('Another one');
  await ask('And one more', 'Blue.');
  await tab.saying('text', 'Blue.').waitFor();
});

test('the buttons over the side bar are about its session, and those over a tab about the tab’s', async () => {
  const { page } = workbench;
  await ask('A tale for the tab', 'Once.');
  await runCommand(page, 'Harness: Open in Editor Tab');
  await tab.saying('text', 'Once.').waitFor();
  await page.locator('.part.sidebar .title-actions [aria-label^="New Session"]').click();
  await panel.saying('text', 'Once.').waitFor({ state: 'detached' });
  await ask('A tale for the side', 'Twice.');
  await page.locator('.tabs-container .tab', { hasText: 'A tale for the tab' }).click();
  const offered = async () => (await page.locator('.quick-input-list .label-name').allTextContents()).join();
  for (const [place, prompt] of [
    ['.part.sidebar .title-actions', 'A tale for the side'],
    ['.part.editor .editor-actions', 'A tale for the tab'],
  ] as const) {
    await page.locator(`${place} [aria-label^="Restore Checkpoint"]`).first().click();
    await page.locator('.quick-input-title', { hasText: 'Restore Checkpoint' }).waitFor();
    await expect
      .poll(async () => (await offered()).match(/A tale for the \w+/g), { message: place })
      .toEqual([prompt]);
    await page.keyboard.press('Escape');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }
});

test('an approval that is asked for can be given in the tab, and is gone in the side bar', async () => {
  claude.says(words('Ready.'), call('bash', { command: 'echo hello' }), words('Done.'));
  await panel.ask('Get ready');
  await ended('Get ready');
  await runCommand(workbench.page, 'Harness: Open in Editor Tab');
  await tab.saying('text', 'Ready.').waitFor();
  await panel.ask('Say hello');
  await panel.card.waitFor();
  await tab.answer('allow_once');
  await panel.card.waitFor({ state: 'detached' });
  expect((await ended('Say hello')).reason).toBe('done');
});

test('side bar and tab work in sessions of their own at the same time', async () => {
  const { page } = workbench;
  const gate = makeGate();
  claude.says({ ...words('In the side bar.'), chunkSize: 6, hold: { after: 1, until: gate.opened } });
  await panel.ask('Answer there');
  await panel.saying('text', 'In').waitFor();
  await runCommand(page, 'Harness: Open in Editor Tab');
  await tab.saying('text', 'In').waitFor();
  await runCommand(page, 'Harness: New Session');
  await tab.part('user').waitFor({ state: 'detached' });
  expect(await panel.part('user').count()).toBe(1);
  claude.says(words('In the tab.'));
  await tab.ask('Answer here');
  await tab.saying('text', 'In the tab.').waitFor();
  expect(await panel.saying('text', 'In the tab.').count()).toBe(0);
  gate.open();
  await panel.saying('text', 'In the side bar.').waitFor();
  expect((await ended('Answer there')).reason).toBe('done');
});

test('after a reload the tab shows its session, with its draft; and its page is rebuilt when it dies', async () => {
  const { page } = workbench;
  await ask('What comes first?', 'This.');
  await runCommand(page, 'Harness: Open in Editor Tab');
  await tab.saying('text', 'This.').waitFor();
  await tab.input.fill('a draft of the tab');
  await draftIsStored(workbench.vscode.harnessHome, 'a draft of the tab');
  const [begun] = await log('What comes first?');
  await expect.poll(() => isTabStored(begun?.session ?? '')).toBe(true);
  await page.reload();
  await tab.saying('text', 'This.').waitFor();
  await expect.poll(() => tab.input.inputValue()).toBe('a draft of the tab');
  await expect.poll(titles).toEqual(['What comes first?']);
  await panel.saying('text', 'This.').waitFor();

  await tab.kill();
  await tab.input.waitFor({ state: 'detached' });
  await ask('And then?', 'That.');
  await tab.saying('text', 'That.').waitFor();
  // The draft was taken over in the side bar, and another prompt was sent in its place.
  await expect.poll(() => tab.input.inputValue()).toBe('');
  await panel.input.fill('a draft of both');
  await expect.poll(() => tab.input.inputValue()).toBe('a draft of both');
});

test('a draft belongs to its session: the side bar shows it too, and a tab that was closed shows it again', async () => {
  const { page } = workbench;
  await ask('Think about it', 'Thought.');
  await runCommand(page, 'Harness: Open in Editor Tab');
  await tab.saying('text', 'Thought.').waitFor();
  await tab.input.fill('half a thought');
  await expect.poll(() => panel.input.inputValue()).toBe('half a thought');
  await panel.input.fill('half a thought of both');
  await expect.poll(() => tab.input.inputValue()).toBe('half a thought of both');
  await panel.input.fill('/new');
  await panel.input.press('Enter');
  await panel.part('user').waitFor({ state: 'detached' });
  await tab.input.fill('only in the tab');
  await runCommand(page, 'View: Close All Editors');
  await expect.poll(titles).toEqual([]);
  expect(await panel.input.inputValue()).toBe('');

  await runCommand(page, 'Harness: Session History');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Think about it' }).click();
  await panel.saying('text', 'Thought.').waitFor();
  await expect.poll(() => panel.input.inputValue()).toBe('only in the tab');
  await runCommand(page, 'Harness: Open in Editor Tab');
  await expect.poll(() => tab.input.inputValue()).toBe('only in the tab');
  claude.says(words('More.'));
  await tab.input.press('Enter');
  await ended('only in the tab');
  await expect.poll(() => panel.input.inputValue()).toBe('');
});

test('a session that is deleted in its tab takes the tab along, and comes back to the side bar', async () => {
  const { page } = workbench;
  await ask('Write this down', 'Written.');
  await runCommand(page, 'Harness: Open in Editor Tab');
  await tab.saying('text', 'Written.').waitFor();
  await runCommand(page, 'Harness: Delete Session…');
  await expect.poll(titles).toEqual([]);
  await panel.part('user').waitFor({ state: 'detached' });
  const toast = page.locator('.notification-toast', { hasText: 'Session deleted.' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await panel.saying('text', 'Written.').waitFor();
  await ask('Is it still there?', 'It is.');
});

test('the column of a wide tab is centred and at most 80 characters wide', async () => {
  await ask('Say something long', `${'Some words of an answer that goes on. '.repeat(20)}`);
  await runCommand(workbench.page, 'Harness: Open in Editor Tab');
  const text = tab.part('text').first();
  await text.waitFor();
  const { left, right, width, page, character } = await text.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const probe = element.ownerDocument.createElement('span');
    probe.textContent = '0';
    element.append(probe);
    const size = probe.getBoundingClientRect().width;
    probe.remove();
    return { left: box.left, right: box.right, width: box.width, page: innerWidth, character: size };
  });
  expect(page).toBeGreaterThan(900);
  expect(width).toBeLessThanOrEqual(80 * character + 1);
  expect(Math.abs(left - (page - right))).toBeLessThan(20);
  const input = await tab.input.boundingBox();
  const box = await text.boundingBox();
  expect(Math.abs((input?.x ?? 0) - (box?.x ?? 0))).toBeLessThan(40);
});
