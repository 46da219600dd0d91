import type { PlannedRestore } from '../core/files/plan-restore.ts';
import { resultSentence } from '../core/files/restore-notice.ts';
import type { RestoredFile } from '../core/files/restorer.ts';
import { Session } from '../core/session/session.ts';
import type { JsonlSessionStore } from '../node/jsonl-session-store.ts';
import { type Parsed, UsageError } from './arguments.ts';
import { compose } from './compose.ts';
import { EXIT } from './exit-codes.ts';

/** Restores the files of a session, or with `--dry-run` tells what that would do. Fails where a file did not become what it was. */
export async function restoreTo(
  store: JsonlSessionStore,
  id: string,
  options: Parsed<'sessions'>['options'],
): Promise<number> {
  const { to, json } = options;
  if (to === undefined) throw new UsageError('sessions restore takes --to SEQ: the last event that stays');
  const { ports } = await compose(options.cwd, 'ask');
  const session = await Session.open(await store.open(id), ports);
  try {
    const plan = await session.planRestore(to);
    if (options['dry-run']) return tellPlan(plan, json);
    return tellResult(await session.restore({ to, plan, choices: new Map() }), json);
  } finally {
    await session.close();
  }
}

function tellPlan(plan: readonly PlannedRestore[], json: boolean): number {
  const files = plan.map(({ path, step }) => ({ path, step: step.kind }));
  if (json) print(JSON.stringify(files));
  else for (const { path, step } of files) print(`${step.padEnd(9)}  ${path}`);
  return EXIT.done;
}

function tellResult(files: readonly RestoredFile[], json: boolean): number {
  print(json ? JSON.stringify(files) : resultSentence(files, []));
  return files.every(({ outcome }) => outcome === 'identical' || outcome === 'merged')
    ? EXIT.done
    : EXIT.failed;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
