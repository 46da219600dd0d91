// node scripts/run.mjs scripts/animation.mjs: records the README's animation, a conversation in the real
// product in a real VS Code.
import { writeFile } from 'node:fs/promises';
import { main } from './lib/main.mjs';
import { inRepository } from './lib/paths.mjs';
import { resizeSideBar } from './lib/vscode/browser.mjs';
import { packageIfStale } from './lib/vsix.mjs';
import { reply } from './pictures/claude.mjs';
import { encodeGif } from './pictures/gif.mjs';
import { pace } from './pictures/pace.mjs';
import { record } from './pictures/record.mjs';
import { fix, prompts, tests } from './pictures/replies.mjs';
import {
  answer,
  approvalOf,
  ask,
  inputOf,
  newSession,
  onStage,
  rests,
  send,
  setApiKey,
} from './pictures/stage.mjs';

const size = { width: 940, height: 620 };
const sideBarWidth = 400;
/** Milliseconds between key strokes, and between the chunks of a reply. */
const keyDelay = 40;
const wordDelay = 60;
const limit = 1_200_000;

const file = inRepository('media', 'animation.gif');

await main(async () => {
  await packageIfStale();
  /** @type {import('./pictures/record.mjs').Act[]} */
  let acts = [];
  await onStage(size, async (stage) => {
    await rehearse(stage);
    acts = await record(stage.page, (film) => perform(stage, film));
  });
  const frames = acts.flatMap(pace);
  const gif = encodeGif(frames);
  if (gif.length > limit)
    throw new Error(
      `The animation has ${gif.length} bytes, more than ${limit}. Show less, or in a smaller window.`,
    );
  await writeFile(file, gif);
  const seconds = frames.reduce((sum, { delay }) => sum + delay, 0) / 1000;
  console.log(
    `${file}: ${frames.length} frames, ${seconds.toFixed(1)} s, ${Math.round(gif.length / 1000)} kB`,
  );
});

/**
 * Allows the tests for good, so that the animation asks only once.
 * @param {import('./pictures/stage.mjs').Stage} stage
 */
async function rehearse(stage) {
  const { page, panel, claude } = stage;
  await resizeSideBar(page, sideBarWidth);
  await setApiKey(page);
  claude.says(reply('First the tests.', [...tests]), reply('Some fail.'));
  await ask(panel, 'Run the tests');
  await answer(panel, 'Always allow');
  await rests(panel);
  await newSession(stage);
}

/** @param {import('./pictures/stage.mjs').Stage} stage @param {import('./pictures/record.mjs').Film} film */
async function perform({ panel, claude }, film) {
  claude.says(...fix.map((said) => ({ ...said, chunkSize: 6, delayMs: wordDelay })));
  await film(1500, () => inputOf(panel).pressSequentially(prompts.fix, { delay: keyDelay }));
  await film(2400, async () => {
    await send(panel);
    await approvalOf(panel);
  });
  const allow = (await approvalOf(panel)).getByRole('button', { name: 'Allow once' });
  await film(1600, () => allow.focus());
  await film(2200, async () => {
    await allow.press('Enter');
    await rests(panel);
  });
  await film(2000, () => inputOf(panel).focus());
}
