// A process that tries to take the lock at argv[2], gives it back, and prints who holds it; nothing where it got it.
import { LockedError, takeLock } from '../../extension/node/fs/lock-file.ts';

try {
  await (await takeLock(process.argv[2] ?? '')).release();
} catch (error) {
  if (!(error instanceof LockedError)) throw error;
  process.stdout.write(error.holder);
}
