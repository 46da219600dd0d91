import * as vscode from 'vscode';
import { formatSize } from '../../core/base/text/format-size.ts';
import { type CleanupPlace, cleanUp } from '../../node/storage/clean-up.ts';
import type { CleanupStep, StorageLimits } from '../../node/storage/plan-cleanup.ts';
import { plural } from '../base/localize.ts';
import { readSetting } from '../base/settings.ts';

const MEGABYTE = 1_000_000;

/**
 * Milliseconds between two cleanups. A cleanup measures all storage, which is too much work for every closed
 * session.
 */
const PAUSE = 60 * 60 * 1000;

/**
 * Keeps sessions within the user's storage limits. Reports to the user what it removed, and that it could not
 * remove something.
 */
export class StorageCleanup {
  readonly #place: CleanupPlace;
  readonly #output: vscode.LogOutputChannel;
  #running: Promise<void> = Promise.resolve();
  /** The time of the last cleanup, in milliseconds of the monotonic clock, and its limits. */
  #last: (StorageLimits & { readonly at: number }) | undefined;
  readonly #reported = new Set<string>();

  constructor(place: CleanupPlace, output: vscode.LogOutputChannel) {
    this.#place = place;
    this.#output = output;
  }

  /** Cleans up at most once an hour, or as soon as the limits have changed. Never rejects. */
  cleanUpIfDue(): Promise<void> {
    const limits = {
      days: readSetting('retention.days'),
      bytes: readSetting('storage.maxMegabytes') * MEGABYTE,
    };
    if (this.#isDue(limits)) this.#running = this.#running.then(() => this.#cleanUp(limits));
    return this.#running;
  }

  #isDue({ days, bytes }: StorageLimits): boolean {
    const [at, last] = [this.#place.clock.monotonic(), this.#last];
    if (last && at - last.at < PAUSE && last.days === days && last.bytes === bytes) return false;
    this.#last = { days, bytes, at };
    return true;
  }

  async #cleanUp(limits: StorageLimits): Promise<void> {
    const { done, problems } = await cleanUp(this.#place, limits).catch((error: unknown) => ({
      done: [],
      problems: [String(error)],
    }));
    for (const { what, id, title, bytes: freed } of done)
      this.#output.info(`${what} of ${id} “${title}” removed: ${freed} bytes`);
    for (const problem of problems) this.#output.warn(`Old sessions are still there: ${problem}`);
    const unreported = problems.filter((problem) => !this.#reported.has(problem));
    for (const problem of unreported) this.#reported.add(problem);
    if (done.length > 0 || unreported.length > 0) void report(done, unreported.length);
  }
}

async function report(done: readonly CleanupStep[], problems: number): Promise<void> {
  const count = (what: CleanupStep['what']) => done.filter((step) => step.what === what).length;
  const freed = formatSize(done.reduce((sum, { bytes }) => sum + bytes, 0));
  const message = [
    done.length > 0 && vscode.l10n.t('Harness freed {0} of storage.', freed),
    count('versions') > 0 &&
      plural(
        count('versions'),
        '{0} old session can no longer be undone.',
        '{0} old sessions can no longer be undone.',
      ),
    count('deleted') > 0 &&
      plural(
        count('deleted'),
        '{0} deleted session was permanently removed.',
        '{0} deleted sessions were permanently removed.',
      ),
    count('session') > 0 &&
      plural(
        count('session'),
        '{0} old session was deleted and can be recovered for at least one day.',
        '{0} old sessions were deleted and can be recovered for at least one day.',
      ),
    problems > 0 &&
      vscode.l10n.t('Could not remove some old sessions. See the Harness output channel for details.'),
  ];
  const [show, settings] = [vscode.l10n.t('Show Storage…'), vscode.l10n.t('Open Settings')];
  const text = message.filter(Boolean).join(' ');
  const answer = await vscode.window.showInformationMessage(text, show, settings);
  if (answer === show) await vscode.commands.executeCommand('harness.showStorage');
  if (answer === settings)
    await vscode.commands.executeCommand(
      'workbench.action.openSettings',
      '@id:harness.storage.maxMegabytes,harness.retention.days',
    );
}
