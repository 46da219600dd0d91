import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import '../../core/base/zod-messages.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { AuditEntry, AuditLog, Policy, PolicyStore } from '../../core/ports/policy-store.ts';
import { AppendFile } from '../fs/append-file.ts';
import { diskTrouble } from '../fs/disk-problem.ts';
import { LockedError, type ProcessLock, takeLock } from '../fs/lock-file.ts';
import { renameIntoPlace } from '../fs/rename-into-place.ts';
import { discard, temporaryBeside } from '../fs/temporary-files.ts';

/** Milliseconds. Adding takes only a few, so a process that has the lock for longer hangs. */
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 10;

const policyFile = z.object({
  version: z.literal(1),
  policies: z.array(
    z.object({ decision: z.enum(['allow', 'deny']), scope: z.string(), created: z.number() }),
  ),
});

/**
 * Stores policies in `policies.json`. Reads the file at each decision, because another window or the user may
 * have changed it.
 */
export class JsonPolicyStore implements PolicyStore {
  readonly #path: string;
  readonly #logger: Logger;

  constructor(path: string, logger: Logger) {
    this.#path = path;
    this.#logger = logger;
  }

  async load(scope: string | undefined): Promise<readonly Policy[] | undefined> {
    try {
      return (await this.#read()).filter((policy) => policy.scope === scope);
    } catch (error) {
      this.#logger.warn(`Could not read ${this.#path}, so Harness asks about every action: ${String(error)}`);
      return undefined;
    }
  }

  async add(policy: Policy): Promise<void> {
    const lock = await waitForLock(`${this.#path}.lock`);
    try {
      const others = (await this.#readOrSetAside()).filter((other) => other.scope !== policy.scope);
      await this.#replace([...others, policy]);
    } finally {
      await lock.release();
    }
  }

  async #replace(policies: readonly Policy[]): Promise<void> {
    const temporary = temporaryBeside(this.#path);
    const text = `${JSON.stringify({ version: 1, policies }, null, 2)}\n`;
    try {
      await writeFile(temporary, text, { mode: 0o600, flush: true });
      await renameIntoPlace(temporary, this.#path);
    } catch (error) {
      await discard(temporary);
      throw error;
    }
  }

  async #read(): Promise<readonly Policy[]> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? [] : policyFile.parse(JSON.parse(text)).policies;
  }

  /** Renames an invalid file instead of overwriting it, because the user may have written it by hand. */
  async #readOrSetAside(): Promise<readonly Policy[]> {
    try {
      return await this.#read();
    } catch {
      await rename(this.#path, `${this.#path}.damaged-${randomUUID()}`);
      return [];
    }
  }
}

/** Waits while another window adds to the same file. Rejects if that takes too long. */
async function waitForLock(path: string): Promise<ProcessLock> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await takeLock(path);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (performance.now() > deadline) throw new Error(`${path} is ${error.message}; end that first`);
      await sleep(LOCK_POLL_MS);
    }
  }
}

/**
 * Writes `audit.jsonl`, one line per decision. Syncs each decision about a call that is not `safe`, so that
 * it survives a power loss. Rejects with a message for the user.
 */
export class JsonlAuditLog implements AuditLog {
  readonly #file: AppendFile;

  constructor(path: string) {
    this.#file = new AppendFile(path, { shared: true });
  }

  async append(entry: AuditEntry): Promise<void> {
    try {
      await this.#file.append(`${JSON.stringify(entry)}\n`);
      if (entry.risk !== 'safe') await this.#file.sync();
    } catch (error) {
      throw new Error(diskTrouble(error), { cause: error });
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
