// What can be done while a long session is still read.
import { expect, test } from 'vitest';
import { LogWindow } from '../../extension/core/view/log-window.ts';
import { SteppedModel } from '../support/host/stepped-model.ts';
import { says } from '../support/scenario.ts';
import { useDesk } from '../support/use-desk.ts';

const openDesk = useDesk();

test('the run of another session is stopped, and a new session begins, while a long one is still read', async () => {
  const model = new SteppedModel([says('Never said.')]);
  const desk = await openDesk(model);
  const asked = desk.panel.submit('Work');
  await expect.poll(() => desk.sessions.shown.log.head.run.busy).toBe(true);
  const page = await desk.view.page();
  const reading = new Promise<never>(() => {});
  await desk.sessions.shown.replace({
    preview: { id: 'long', title: 'Long', end: new LogWindow(), reading },
  });
  void desk.panel.run('harness.cancel', []);
  expect((await asked).reason).toBe('cancelled');

  await page.getByText('Work', { exact: true }).waitFor({ state: 'detached' });
  await page.locator('textarea').fill('/new');
  await page.locator('textarea').press('Enter');
  await expect.poll(() => desk.sessions.shown.id).toBe('');
});
