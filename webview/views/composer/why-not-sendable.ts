import type { PanelState } from '../../../extension/protocol/messages.ts';
import { strings } from '../../l10n/strings.ts';

/** Characters; the longest prompt that the host accepts. */
const LONGEST_PROMPT = 1_000_000;

/**
 * The reason, for the user, why a prompt cannot be sent now; empty if it can. `isFork`: it replaces an
 * earlier prompt.
 */
export function obstacleTo(
  text: string,
  panel: PanelState | undefined,
  { isBusy, isFork }: { readonly isBusy: boolean; readonly isFork: boolean },
): string {
  if (panel === undefined) return strings.starting;
  if (panel.readOnly) return whyReadOnly(panel);
  if (text.length > LONGEST_PROMPT) return strings.promptTooLong;
  return isBusy && isFork ? strings.cannotForkNow : '';
}

export function whyReadOnly({ replay, newer }: Pick<PanelState, 'replay' | 'newer'>): string {
  if (replay) return strings.replayed;
  return newer ? strings.newer : strings.readOnly;
}
