import { SetupError } from '../loop/setup-error.ts';
import { ModelFailure } from '../ports/model.ts';
import { SpawnError } from '../ports/shell.ts';
import { WorkspaceError } from '../ports/workspace.ts';
import { createProvider } from '../providers/create-provider.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { Session } from '../session/session.ts';
import { allTools } from '../tools/all-tools.ts';
import { compareTexts } from '../tools/compare-texts.ts';
import { unifiedDiff } from '../tools/unified-diff.ts';
import { maskOf, RecordedSecrets } from './masks.ts';
import type { ReplayedProduct } from './replay-session.ts';

/** Takes out of a text what `secrets` hides, and leaves its length as it is. */
export function masking(secrets = new SecretFilter()): (text: string) => string {
  return (text) => secrets.replace(text, maskOf);
}

/** This product, which records and plays back. */
export const thisProduct: ReplayedProduct = {
  openSession: Session.open,
  tools: allTools,
  errors: { WorkspaceError, SpawnError, SetupError, ModelFailure },
  createProvider,
  diffOf: (before, after) => unifiedDiff(before, compareTexts(before, after))?.text ?? '',
  secrets: new RecordedSecrets(),
  mask: masking(),
};
