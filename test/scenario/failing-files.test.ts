// Whichever operation on a file fails, once or from then on: nothing is lost, nothing happens twice, and it is told.
import { test } from 'vitest';
import { expectEveryFault, KINDS } from '../support/crash/every-fault.ts';
import { manyTools } from '../support/crash/tasks.ts';

test.each(KINDS)(
  'whichever file operation of a run of many tools fails %s, nothing is lost and nothing happens twice',
  (kind) => expectEveryFault('a run', manyTools, kind),
  600_000,
);
