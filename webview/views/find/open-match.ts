import type { FindMatch } from '../../../extension/protocol/find-messages.ts';
import type { Panel } from '../../state/panel.ts';

/** Opens everything that hides the part of a match: its folded group, and its own details. */
export function openMatch({ store, expanded }: Panel, { section, part, field }: FindMatch): void {
  const row = store.view.sections[section]?.rows.find(({ parts }) => parts.some(({ id }) => id === part));
  const found = row?.parts.find(({ id }) => id === part);
  if (row && row.parts.length > 1) expanded.set(`group-${row.parts[0]?.id}`, true);
  if (found?.kind === 'reasoning' || field === 'input' || field === 'result') expanded.set(part, true);
}
