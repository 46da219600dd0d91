// The open file, which goes with the next prompt unless the user leaves it out.
import { createSignal } from 'solid-js';
import type { SharedFile } from '../../../extension/protocol/composer-messages.ts';
import type { Panel } from '../../state/panel.ts';

export interface SharedFileChoice {
  /** Undefined if no file is open, or if the user shares none. */
  file(): SharedFile | undefined;
  isLeftOut(): boolean;
  leaveOut(isLeftOut: boolean): void;
  /** The choice of the prompt that leaves the input. The next prompt shares the file again. */
  take(): boolean;
}

export function createSharedFile(panel: Panel): SharedFileChoice {
  const { memory } = panel;
  const [file, setFile] = createSignal<SharedFile>();
  const [isLeftOut, setLeftOut] = createSignal(memory.saved.withoutOpenFile);
  const leaveOut = (next: boolean) => {
    setLeftOut(next);
    memory.remember({ withoutOpenFile: next });
  };
  panel.listen((message) => {
    if (message.type === 'file/shared') setFile(message.file ?? undefined);
    // A prompt comes back into the input, with its choice.
    if ('withoutOpenFile' in message && message.withoutOpenFile) leaveOut(true);
  });
  return {
    file,
    isLeftOut,
    leaveOut,
    take() {
      const taken = isLeftOut();
      if (taken) leaveOut(false);
      return taken;
    },
  };
}
