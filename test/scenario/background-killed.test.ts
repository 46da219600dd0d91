// A command in the background outlives the process that started it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleTo } from '../support/crash/bundle.ts';
import { openWorkplace, places } from '../support/crash/session.ts';
import { recordedSession } from '../support/recorded.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

test.skipIf(process.platform === 'win32')(
  'a command in the background survives the kill of its process, and the next one adopts it',
  async () => {
    const folder = await tempDir();
    const command =
      'echo ready; for i in $(seq 1200); do [ -e go ] && break; sleep 0.05; done; echo done; exit 6';
    const bundle = await bundleTo(await tempDir(), 'background-until-killed.ts');
    const child = fork(bundle, [folder, command]);
    const [id] = (await once(child, 'message')) as [string];
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { ports, store, close } = await openWorkplace(folder);
    const session = await recordedSession(await store.open(id), ports, places(folder).sessions);
    expect(session.background?.running).toMatchObject([{ id: 'bg1', command }]);
    await writeFile(join(places(folder).root, 'go'), '');
    await until(() => session.events.some(({ type }) => type === 'background_ended'));
    const [ended, notice] = session.events.slice(-2);
    expect(ended).toMatchObject({ type: 'background_ended', id: 'bg1', exitCode: 6 });
    expect(notice).toMatchObject({ type: 'notice', toModel: expect.stringContaining('ready\ndone\n') });
    await session.close();
    await close();
  },
);
