import type { RunningCall } from '../../extension/core/tools/common/tool.ts';

/** A call that the user leaves alone. */
export const RUNNING_CALL: RunningCall = {
  id: 'call',
  stopped: new AbortController().signal,
  moved: new AbortController().signal,
};
