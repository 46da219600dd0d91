import { compareTexts } from '../../base/diff/diff-texts.ts';
import { unifiedDiff } from '../../base/diff/unified-diff.ts';
import { SetupError } from '../../base/setup-error.ts';
import { ModelFailure } from '../../ports/model.ts';
import { SpawnError } from '../../ports/shell.ts';
import { WorkspaceError } from '../../ports/workspace.ts';
import { createProvider } from '../../providers/create-provider.ts';
import { maskPolicy } from '../../secrets/streaming-filter.ts';
import { Session } from '../../session/session.ts';
import { allTools } from '../../tools/all-tools.ts';
import { RecordedSecrets } from '../masks.ts';
import type { ReplayedProduct } from './replay-session.ts';

/** The running product, which replays its own recordings. */
export const thisProduct: ReplayedProduct = {
  openSession: Session.open,
  tools: allTools,
  errors: { WorkspaceError, SpawnError, SetupError, ModelFailure },
  createProvider,
  diffOf: (before, after) => unifiedDiff(before, compareTexts(before, after))?.text ?? '',
  secrets: new RecordedSecrets(),
  mask: maskPolicy().hide,
};
