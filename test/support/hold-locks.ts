// A process that takes the lock at argv[2] and gives it back, argv[3] times.
import { takeLock } from '../../extension/node/fs/lock-file.ts';

for (let round = 0; round < Number(process.argv[3]); round += 1) {
  const lock = await takeLock(process.argv[2] ?? '');
  await lock.release();
}
