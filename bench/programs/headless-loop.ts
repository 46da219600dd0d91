// Runs both loops in one plain Node process, alternating. Arguments: the model server's URL, the workspace,
// and the runs as JSON. Prints their results as JSON.
import type * as vscode from 'vscode';
import { Session } from '../../extension/core/session/session.ts';
import { LogWindow } from '../../extension/core/view/log-window.ts';
import { type ExecOptions, parseCommand } from '../../extension/headless/arguments.ts';
import { compose, runSettings } from '../../extension/headless/compose.ts';
import { PanelChannel } from '../../extension/vscode/panel/panel-channel.ts';
import { runLoop } from '../bare-extension/loop.ts';
import { beginRun, readNoted } from '../lib/gaps.ts';
import type { LoopRun, LoopRunResult } from '../lib/loop-runs.ts';

const [url = '', folder = '', runs = '[]'] = process.argv.slice(2);
const prompt = 'Read the file.';
const { ports, cwd, sessions } = await compose(folder, 'ask');

async function measure(run: LoopRun): Promise<LoopRunResult> {
  await beginRun(url, run.turns);
  if (run.loop === 'ours') await runSession(optionsFor(run.turns));
  else await runLoop({ baseURL: url, folder, prompt, onText: () => {} });
  const { gaps } = await readNoted(url);
  return { ...run, gaps };
}

function optionsFor(turns: number): ExecOptions {
  const limit = ['--max-turns', String(turns + 1)];
  return parseCommand('exec', ['--base-url', url, '--cwd', folder, ...limit]).options;
}

async function runSession(options: ExecOptions): Promise<void> {
  const session = await Session.open(await sessions().create({ cwd, product: 'bench' }), ports);
  const log = new LogWindow(session.events);
  const channel = new PanelChannel(
    openView(),
    () => log,
    () => {},
    ports.logger.warn,
  );
  session.subscribe({
    onEvents: (events) => {
      log.apply(events);
      channel.events(events);
    },
    onDelta: (delta) => channel.delta(delta),
  });
  const reason = await session.prompt(prompt, () => runSettings(options, ports));
  if (reason !== 'done') throw new Error(`The run ended with ${reason}.`);
  channel.dispose();
  await session.close();
}

/** A view with a loaded page. Serializes its messages, as VS Code does. */
function openView(): vscode.WebviewView {
  const webview = {
    onDidReceiveMessage: () => ({ dispose: () => {} }),
    postMessage: async (message: unknown) => JSON.stringify(message).length > 0,
  };
  // The channel uses only these members of a view.
  return { visible: true, webview } as unknown as vscode.WebviewView;
}

const results: LoopRunResult[] = [];
// The bench passes the runs.
for (const run of JSON.parse(runs) as LoopRun[]) results.push(await measure(run));
console.log(JSON.stringify(results));
process.exit(0);
