// npm start -- --headless: plays the demo from the first prompt to the end of the turn, and writes evidence
// to out/demo.
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../lib/lock.mjs';
import { inRepository } from '../lib/paths.mjs';
import { screenshotPanel } from '../lib/vscode/browser.mjs';
import { playDemo } from './demo-session.mjs';
import { newestLog } from './newest-log.mjs';

const folder = inRepository('out', 'demo');

/** @returns {Promise<number>} the exit code: 0 only when the last turn was completed */
export async function startHeadless(prompt = 'Make the date tests pass') {
  return await withLock(inRepository('out', 'demo.lock'), () => runDemo(prompt));
}

/** @param {string} prompt */
async function runDemo(prompt) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  console.log(`Asking the demo model: ${prompt}`);
  await playDemo({ folder, workspace: path.join(folder, 'workspace'), prompt, atMoment: takePictures });
  const events = await copyEventLog();
  const reason = events.findLast(({ type }) => type === 'turn_ended')?.reason ?? 'the turn did not end';
  console.log(`
Events    ${events.length}, in out/demo/events.jsonl
Tools     ${countTools(events)}
Turn      ${reason}
Pictures  out/demo/panel-*.png, out/demo/window-*.png`);
  return reason === 'done' ? 0 : 1;
}

/** @type {Set<string>} */
const pictured = new Set();

/** Takes a picture of the first occurrence of each moment. @type {import('./demo-session.mjs').AtMoment} */
async function takePictures(moment, page) {
  if (pictured.has(moment)) return;
  pictured.add(moment);
  await page.screenshot({ path: path.join(folder, `window-${moment}.png`) });
  await screenshotPanel(page, path.join(folder, `panel-${moment}.png`));
}

/** @returns {Promise<any[]>} the events of the newest session */
async function copyEventLog() {
  const sessions = path.join(folder, 'harness-home', 'sessions');
  const newest = await newestLog(sessions);
  if (!newest) throw new Error(`The turn ended, but no session was stored below ${sessions}.`);
  const copy = path.join(folder, 'events.jsonl');
  await copyFile(newest, copy);
  const lines = (await readFile(copy, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** @param {any[]} events */
function countTools(events) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { type, name } of events)
    if (type === 'tool_call') counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} × ${count}`).join(', ') || 'none';
}
