import * as vscode from 'vscode';
import { formatSize } from '../core/tools/format-size.ts';
import { type CleanupPlace, cleanUp } from '../node/clean-up.ts';
import type { CleanupStep } from '../node/plan-cleanup.ts';
import { plural } from './plural.ts';
import { readSetting } from './settings.ts';

const MEGABYTE = 1_000_000;

/** Keeps the sessions within the limits that the user has set, and tells what it had to do for that. */
export class StorageLimits {
  readonly #place: CleanupPlace;
  readonly #output: vscode.LogOutputChannel;
  #running: Promise<void> | undefined;

  constructor(place: CleanupPlace, output: vscode.LogOutputChannel) {
    this.#place = place;
    this.#output = output;
  }

  /** Never rejects. One at a time. */
  keep(): Promise<void> {
    this.#running ??= this.#keep()
      .catch((error: unknown) => this.#output.warn(`Old sessions are still there: ${String(error)}`))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #keep(): Promise<void> {
    const days = readSetting('retention.days');
    const bytes = readSetting('storage.maxMegabytes') * MEGABYTE;
    const done = await cleanUp(this.#place, { days, bytes });
    for (const { use, what, bytes: freed } of done)
      this.#output.info(`${what} of ${use.session.id} “${use.session.title}” removed: ${freed} bytes`);
    if (done.length > 0) void tell(done);
  }
}

async function tell(done: readonly CleanupStep[]): Promise<void> {
  const count = (what: CleanupStep['what']) => done.filter((step) => step.what === what).length;
  const freed = formatSize(done.reduce((sum, { bytes }) => sum + bytes, 0));
  const message = [
    vscode.l10n.t('Harness has made room: {0}.', freed),
    ...(count('versions') > 0
      ? [
          plural(
            count('versions'),
            '{0} old session cannot be undone any more.',
            '{0} old sessions cannot be undone any more.',
          ),
        ]
      : []),
    ...(count('session') > 0
      ? [
          plural(
            count('session'),
            '{0} old session was deleted, and is kept for 30 days.',
            '{0} old sessions were deleted, and are kept for 30 days.',
          ),
        ]
      : []),
  ].join(' ');
  const [show, settings] = [vscode.l10n.t('Show Storage'), vscode.l10n.t('Settings')];
  const answer = await vscode.window.showInformationMessage(message, show, settings);
  if (answer === show) await vscode.commands.executeCommand('harness.showStorage');
  if (answer === settings)
    await vscode.commands.executeCommand(
      'workbench.action.openSettings',
      '@id:harness.storage.maxMegabytes,harness.retention.days',
    );
}
