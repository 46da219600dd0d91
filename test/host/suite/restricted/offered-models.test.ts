import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { withClaude } from '../claude.ts';
import { test } from '../runner.ts';

test('in Restricted Mode Harness offers no models', () =>
  withClaude(
    [],
    async () => {
      assert.deepEqual(await vscode.lm.selectChatModels({ vendor: 'harness' }), []);
    },
    { models: [{ id: 'claude-opus-5-5', display_name: 'Claude Opus 5.5' }] },
  ));
