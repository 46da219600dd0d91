// A process that takes back (argv[4]: undo, redo or reject) what session argv[3] in folder argv[2] has changed, and kills itself
// just before the argv[5]th time that it changes something in the workspace.
import { Session } from '../../../extension/core/session/session.ts';
import { watchFiles } from '../files.ts';
import { openWorkplace, places } from './session.ts';
import { redo, reject, restore } from './stages.ts';

const CHANGING = new Set(['chmod', 'mkdir', 'rename', 'rm', 'rmdir', 'symlink', 'unlink', 'writeFile']);

const [folder = '', id = '', act, nth] = process.argv.slice(2);
const place = await openWorkplace(folder);
const session = await Session.open(await place.store.open(id), place.ports);
let count = 0;
watchFiles(places(folder).root, async ({ name }, perform) => {
  if (CHANGING.has(name)) count += 1;
  if (CHANGING.has(name) && count === Number(nth)) process.kill(process.pid, 'SIGKILL');
  return perform();
});
if (act === 'undo') await restore(session, 1);
else if (act === 'redo') await redo(session);
else await reject(session, place, folder, 'a', 'b', 'new/c');
process.exit(0);
