// A process in whose session, below the folder argv[2], the command argv[3] runs in the background. It sends the id of
// the session to its parent, and stays.
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import { Session } from '../../../extension/core/session/session.ts';
import { openWorkplace, places, prepare, settingsWith } from './session.ts';

const [folder = '', command = ''] = process.argv.slice(2);
await prepare(folder);
const { ports, store } = await openWorkplace(folder, 'bypass');
const session = await Session.open(await store.create({ cwd: places(folder).root, product: 'test' }), ports);
const model = new ScriptedModel(
  [
    { type: 'tool_call', id: 'call_1', name: 'bash', input: { command, background: true } },
    { type: 'done', stop: 'tool_calls' },
  ],
  [
    { type: 'text', text: 'It runs.' },
    { type: 'done', stop: 'end' },
  ],
);
await session.prompt('Go', settingsWith(model));
process.send?.(session.id);
setInterval(() => {}, 600_000);
