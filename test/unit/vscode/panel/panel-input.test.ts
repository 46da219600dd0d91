import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Drafts } from '../../../../extension/app/prompts/drafts.ts';
import type { SessionController } from '../../../../extension/app/sessions/session-controller.ts';
import { draftFiles, readDraft } from '../../../../extension/node/composer/draft-files.ts';
import { type Draft, emptyDraft } from '../../../../extension/protocol/draft-messages.ts';
import { PanelInput, type PanelInputOptions } from '../../../../extension/vscode/panel/panel-input.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('an earlier prompt that is edited is in the draft’s file until its fork has it', async () => {
  const path = join(await tempDir(), 'draft.json');
  const drafts = new Drafts(
    draftFiles(() => path),
    expect.fail,
  );
  // No prompt is checked.
  const parts = {} as PanelInputOptions;
  // As much of what a panel shows as drafts need.
  const sessions = { shown: { id: 'a', readOnly: false } } as unknown as SessionController;
  const input = new PanelInput({ ...parts, sessions, drafts, isReady: () => true, post: () => {} });
  const draft: Draft = { text: 'A draft', attachments: [] };
  await input.keepDraft('a', draft);

  const landed = input.hold({ type: 'prompt/fork', session: 'a', before: 3, text: 'Edited' });
  const kept = input.keepDraft('a', emptyDraft);
  await expect
    .poll(() => readDraft(path))
    .toEqual({ ...draft, editing: { before: 3, text: 'Edited', attachments: [] } });
  landed();
  expect(await kept).toBe(true);
  expect(await readDraft(path)).toEqual(emptyDraft);
});
