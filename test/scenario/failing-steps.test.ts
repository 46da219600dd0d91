// The same as in failing-files.test.ts for what is done with a session besides asking it something.
import { describe, test } from 'vitest';
import { expectEveryFault, KINDS } from '../support/crash/every-fault.ts';
import { steps } from '../support/crash/tasks.ts';

describe.each(Object.entries(steps))('whichever file operation of %s fails', (name, task) => {
  test.each(KINDS)(
    '%s, nothing is lost and nothing happens twice',
    (kind) => expectEveryFault(name, task, kind),
    600_000,
  );
});
