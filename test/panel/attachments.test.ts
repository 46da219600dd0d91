import { expect, test } from 'vitest';
import { MAX_IMAGE_BYTES } from '../../extension/protocol/composer-messages.ts';
import { PNG } from '../support/images.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const nameOf = (digit: string) => `attachments/${digit.repeat(64)}.png`;
const chips = (panel: PanelPage) => panel.page.locator('.chip-name').allTextContents();
const note = (panel: PanelPage) => panel.page.getByRole('alert').textContent();

interface Given {
  readonly title: string;
  readonly type?: string;
  /** Bytes; those of a small PNG unless told. */
  readonly size?: number;
}

/** Pastes or drops files, and whatever else is in the transfer. */
async function give(
  panel: PanelPage,
  how: 'paste' | 'drop',
  files: readonly Given[],
  texts: Readonly<Record<string, string>> = {},
): Promise<void> {
  await panel.input.evaluate(
    (input, { how, files, texts, png }) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
      for (const { title, type = 'image/png', size } of files)
        transfer.items.add(new File([size === undefined ? bytes : new Uint8Array(size)], title, { type }));
      for (const [type, text] of Object.entries(texts)) transfer.setData(type, text);
      const options = { bubbles: true, cancelable: true };
      const event =
        how === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: transfer })
          : new DragEvent('drop', { ...options, dataTransfer: transfer });
      input.dispatchEvent(event);
    },
    { how, files, texts, png: PNG.toString('base64') },
  );
}

/** The host keeps what the page has sent last. */
async function keep(panel: PanelPage, digit: string): Promise<void> {
  await expect.poll(async () => (await panel.messages('attachment/add')).length).toBeGreaterThan(0);
  const none = { session: '', request: 0, title: '' };
  const { session, request, title } = (await panel.messages('attachment/add')).at(-1) ?? none;
  const attachment = { name: nameOf(digit), title, bytes: PNG.length };
  await panel.send({ type: 'attachment/added', session, request, attachment });
}

test('a pasted image becomes a chip with its picture, goes with the prompt, and is gone then', async () => {
  const panel = await open();
  await give(panel, 'paste', [{ title: 'shot.png' }]);
  await keep(panel, 'a');
  expect((await panel.messages('attachment/add'))[0]?.data).toBe(PNG.toString('base64'));
  await expect.poll(() => chips(panel)).toEqual(['shot.png']);
  await expect
    .poll(() => panel.page.locator('.chip img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await panel.page.keyboard.type('What is it?');
  await panel.page.keyboard.press('Enter');
  expect(await panel.messages('prompt/submit')).toEqual([
    {
      type: 'prompt/submit',
      session: 'session-1',
      text: 'What is it?',
      attachments: [{ name: nameOf('a'), title: 'shot.png', bytes: PNG.length }],
    },
  ]);
  await expect.poll(() => chips(panel)).toEqual([]);
});

test('an image of which the browser draws no picture goes with the prompt all the same', async () => {
  const panel = await open();
  await panel.page.evaluate(() =>
    Object.assign(window, { createImageBitmap: () => new Promise(() => undefined) }),
  );
  await give(panel, 'paste', [{ title: 'shot.png' }]);
  await keep(panel, 'a');
  await expect.poll(() => chips(panel)).toEqual(['shot.png']);
});

test('a pasted file of text goes into the prompt in a fence, one with an address is mentioned', async () => {
  const panel = await open();
  await panel.input.evaluate((input) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['a\n```\nb'], 'notes.md', { type: 'text/markdown' }));
    const options = { bubbles: true, cancelable: true };
    input.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: transfer }));
  });
  await expect.poll(() => panel.input.inputValue()).toBe('notes.md:\n````\na\n```\nb\n````\n');
  await give(panel, 'paste', [], { 'text/uri-list': 'file:///repo/a.ts' });
  expect((await panel.messages('mention/drop')).map(({ uris }) => uris)).toEqual([['file:///repo/a.ts']]);
});

test('an image alone is sent by the button and by Enter, and stands in the conversation without words', async () => {
  const panel = await open();
  const send = panel.page.getByRole('button', { name: 'Send' });
  expect(await send.isDisabled()).toBe(true);
  await panel.page.keyboard.press('Enter');
  await give(panel, 'paste', [{ title: 'shot.png' }]);
  await keep(panel, 'a');
  await send.click();
  await give(panel, 'paste', [{ title: 'other.png' }]);
  await expect.poll(async () => (await panel.messages('attachment/add')).length).toBe(2);
  await panel.input.press('Enter');
  await expect.poll(() => note(panel)).toContain('still being added');
  await keep(panel, 'b');
  await panel.input.press('Enter');
  expect(await panel.messages('prompt/submit')).toMatchObject([
    { text: '', attachments: [{ title: 'shot.png' }] },
    { text: '', attachments: [{ title: 'other.png' }] },
  ]);
  expect(await send.isDisabled()).toBe(true);
  await panel.emit({ type: 'user', content: '', attachments: [nameOf('a')] });
  await panel.part('user').getByRole('button', { name: 'Image 1' }).waitFor();
  expect(await panel.part('user').locator('p').count()).toBe(0);
});

test('an image alone comes back without a change of the text', async () => {
  const panel = await open();
  await panel.page.keyboard.type('mine ');
  const attachments = [{ name: nameOf('a'), title: 'a.png', bytes: 1 }];
  await panel.send({ type: 'input/insert', text: '', attachments });
  expect(await panel.input.inputValue()).toBe('mine ');
  await panel.send({ type: 'prompt/refused', text: '', attachments, reason: 'No.', canInsist: false });
  expect(await panel.input.inputValue()).toBe('mine ');
  await expect.poll(() => chips(panel)).toEqual(['a.png']);
});

test('a chip is removed by its button, and the focus goes back to the input', async () => {
  const panel = await open();
  await give(panel, 'drop', [{ title: 'a.png' }]);
  await keep(panel, 'a');
  await panel.page.getByRole('button', { name: 'Remove a.png' }).click();
  await expect.poll(() => chips(panel)).toEqual([]);
  expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(true);
});

test('what cannot be attached is refused with a word', async () => {
  const panel = await open();
  for (const size of [8, 50_001]) {
    await give(panel, 'paste', [{ title: `${size}.pdf`, type: 'application/pdf', size }]);
    await panel.page.getByRole('alert').getByText(`Could not attach ${size}.pdf`).waitFor();
  }
  expect(await panel.input.inputValue()).toBe('');
  await give(panel, 'paste', [{ title: 'big.png', size: MAX_IMAGE_BYTES + 1 }]);
  await expect.poll(() => note(panel)).toContain('big.png is larger than 5 MB');
  await give(panel, 'paste', [{ title: 'fake.png' }]);
  await expect.poll(async () => (await panel.messages('attachment/add')).length).toBe(1);
  await panel.page.keyboard.type('Hi');
  await panel.page.keyboard.press('Enter');
  await expect.poll(() => note(panel)).toContain('still being added');
  await panel.send({ type: 'attachment/refused', request: 1, reason: 'fake.png is no image.' });
  await expect.poll(() => note(panel)).toBe('fake.png is no image.');
  await panel.page.keyboard.press('Enter');
  expect((await panel.messages('prompt/submit')).map(({ text }) => text)).toEqual(['Hi']);
  await panel.setState({ images: false, modelName: 'Demo' });
  await give(panel, 'paste', [{ title: 'a.png' }]);
  await expect.poll(() => note(panel)).toContain('Demo does not accept images');
});

test('a prompt that has got too many images from the queue or a dialog says so, and is not sent', async () => {
  const panel = await open();
  const attachments = Array.from({ length: 21 }, (_, index) => ({
    name: `attachments/${index.toString(16).padStart(64, '0')}.png`,
    title: `${index}.png`,
    bytes: 1,
  }));
  await panel.send({ type: 'input/insert', text: 'Look', attachments });
  await expect.poll(() => chips(panel)).toHaveLength(21);
  await panel.page.keyboard.press('Enter');
  await expect
    .poll(() => note(panel))
    .toBe('A prompt can contain up to 20 images, and this one has 21. Remove some of them.');
  expect(await panel.messages('prompt/submit')).toEqual([]);
  await panel.page.getByRole('button', { name: 'Remove 0.png' }).click();
  await panel.page.keyboard.press('Enter');
  await expect.poll(async () => (await panel.messages('prompt/submit'))[0]?.attachments?.length).toBe(20);
});

test('a model without images is said before sending, and the prompt stays', async () => {
  const panel = await open();
  await give(panel, 'paste', [{ title: 'a.png' }]);
  await keep(panel, 'a');
  await panel.setState({ images: false, modelName: 'Demo' });
  await panel.page.keyboard.type('What is it?');
  await panel.page.keyboard.press('Enter');
  await expect.poll(() => note(panel)).toContain('Demo does not accept images');
  expect(await panel.input.inputValue()).toBe('What is it?');
  expect(await panel.messages('prompt/submit')).toEqual([]);
});

test('files that VS Code knows are mentioned; text beside a pasted picture is pasted as text', async () => {
  const panel = await open();
  const uris = ['file:///repo/a.ts', 'file:///repo/b.ts'];
  await give(panel, 'drop', [], { 'text/uri-list': `# two\r\n${uris.join('\r\n')}\r\n` });
  await give(panel, 'drop', [], {
    'application/vnd.code.uri-list': uris.join('\r\n'),
    'text/uri-list': uris[0] ?? '',
  });
  expect((await panel.messages('mention/drop')).map((message) => message.uris)).toEqual([uris, uris]);
  await give(panel, 'paste', [{ title: 'a.png' }], { 'text/plain': 'words' });
  await give(panel, 'paste', [{ title: 'b.png' }]);
  const added = async () => (await panel.messages('attachment/add')).map(({ title }) => title);
  await expect.poll(added).toEqual(['b.png']);
});

test('the Attach button asks the host, which may bring the image itself', async () => {
  const panel = await open();
  await panel.page.getByRole('button', { name: 'Attach files or images' }).click();
  expect(await panel.messages('attachment/pick')).toHaveLength(1);
  const attachment = { name: nameOf('b'), title: 'picked.png', bytes: 1_500_000 };
  const data = PNG.toString('base64');
  await panel.send({ type: 'attachment/added', session: 'session-1', attachment, data });
  await panel.page.locator('.chip img').waitFor();
  expect(await panel.page.locator('.chip .meta').textContent()).toBe('1.5 MB');
});

test('an image that comes after another session is shown belongs to the one in which it was pasted', async () => {
  const panel = await open();
  await give(panel, 'paste', [{ title: 'late.png' }]);
  await expect.poll(async () => (await panel.messages('attachment/add')).length).toBe(1);
  await panel.showSession('session-2', []);
  await panel.page.keyboard.type('Not about the image');
  await panel.page.keyboard.press('Enter');
  expect(await panel.messages('prompt/submit')).toHaveLength(1);
  await keep(panel, 'a');
  await expect.poll(async () => (await panel.messages('draft/add')).length).toBe(1);
  await expect.poll(() => chips(panel)).toEqual([]);
  const [attached] = await panel.messages('draft/add');
  expect(attached).toMatchObject({
    session: 'session-1',
    typed: { text: '', attachments: [{ title: 'late.png' }] },
  });
  expect(attached?.typed.attachments[0]?.thumbnail).toMatch(/^data:image/);
});

test('attachments are kept with the draft of their session, over a reload too', async () => {
  const panel = await open();
  await give(panel, 'paste', [{ title: 'a.png' }]);
  await keep(panel, 'a');
  await panel.showSession('session-2', []);
  await expect.poll(() => chips(panel)).toEqual([]);
  await panel.showSession('session-1', []);
  await expect.poll(() => chips(panel)).toEqual(['a.png']);
  await panel.reload();
  await expect.poll(() => chips(panel)).toEqual(['a.png']);
});

test('what the host does not take comes back with its images', async () => {
  const panel = await open();
  const attachments = [{ name: nameOf('a'), title: 'a.png', bytes: 1 }];
  await panel.page.keyboard.type('new words');
  await panel.send({ type: 'prompt/refused', text: 'old', attachments, reason: 'No.', canInsist: false });
  expect(await panel.input.inputValue()).toBe('old\nnew words');
  await expect.poll(() => chips(panel)).toEqual(['a.png']);
  await expect.poll(() => note(panel)).toBe('No.');
});

test('a prompt of the conversation names its images, and what was added to it can be opened', async () => {
  const panel = await open({
    events: [{ type: 'user', content: 'Look', attachments: [nameOf('a')], context: '<context>\nwords' }],
  });
  await panel.page.getByRole('button', { name: 'Image 1' }).click();
  expect(await panel.messages('attachment/open')).toEqual([{ type: 'attachment/open', name: nameOf('a') }]);
  expect(await panel.page.getByText('<context>').count()).toBe(0);
  await panel.page.getByRole('button', { name: 'Context', exact: true }).click();
  await panel.page.getByText('<context>').waitFor();
});
