import type { ToolState } from '../../state/parts.ts';
import type { IconName, Tone } from '../../ui/icons.tsx';

export const toolIcons: Readonly<Record<ToolState, { readonly name: IconName; readonly tone: Tone }>> = {
  pending: { name: 'ring', tone: 'faint' },
  running: { name: 'half', tone: 'busy' },
  done: { name: 'check', tone: 'good' },
  error: { name: 'cross', tone: 'bad' },
  denied: { name: 'ban', tone: 'bad' },
  skipped: { name: 'skip', tone: 'faint' },
  cancelled: { name: 'stop', tone: 'faint' },
};
