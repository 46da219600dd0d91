import { expect, test } from 'vitest';
import { allowCommands } from '../../../extension/headless/replay-live.ts';
import { until } from '../../support/until.ts';
import { keyboard, screen } from './terminal.ts';

const REFUSED = expect.objectContaining({ message: expect.stringContaining('run it with --yes') });

function asked(commands: readonly string[], input = keyboard(), reaching: readonly string[] = []) {
  const output = screen();
  const answer = allowCommands(
    { commands, reaching, files: ['/w/package.json\u0007'] },
    { input, output: output.stream },
  );
  return { answer, input, shown: output.shown };
}

test('commands are allowed by “y” alone, and refused by “n”', async () => {
  const yes = asked(['ls']);
  yes.input.write('perhaps\n');
  await until(() => yes.shown().split('[n] no:').length > 2);
  yes.input.write('Y\n');
  await expect(yes.answer).resolves.toBeUndefined();
  const no = asked(['ls']);
  no.input.write('n\n');
  await expect(no.answer).rejects.toEqual(REFUSED);
});

test('whoever closes the terminal at the question has allowed nothing', async () => {
  const { answer, input } = asked(['ls']);
  input.end();
  await expect(answer).rejects.toEqual(REFUSED);
});

test('whose files they find is said before they are allowed', async () => {
  const { answer, input, shown } = asked(['npm test']);
  input.end();
  await expect(answer).rejects.toEqual(REFUSED);
  expect(shown()).toMatch(
    /files come from the recording;.*may run programs:\n {2}\/w\/package\.json\\u\{7\}\n/,
  );
});

test('without a terminal they are shown, and nothing is allowed', async () => {
  const { answer, shown } = asked(['ls'], keyboard(false));
  await expect(answer).rejects.toEqual(REFUSED);
  expect(shown()).toContain('\n  ls\n');
});

test('no line of a command can be taken for one of Harness’s, and none can hide', async () => {
  const { answer, shown } = asked(['echo a\nharness: nothing else\r\u001b[2K', 'ls'], keyboard(false));
  await expect(answer).rejects.toEqual(REFUSED);
  expect(shown()).toContain('\n  echo a\n  harness: nothing else\\u{d}\\u{1b}[2K\n  ls\n');
});

test('those that may reach further are told apart, and no option allows them', async () => {
  const { answer, shown } = asked(['ls', 'cd ~'], keyboard(false), ['cd ~']);
  await expect(answer).rejects.toThrow('only y on a terminal');
  expect(shown()).toMatch(/ls\n {2}cd ~\n.* may change it for good:\n {2}cd ~\n$/);
});
