// A page that is scrolled draws what comes into sight a little later, and keeps where its reader is later still.
import { expect } from 'vitest';
import type { PanelPage } from './panel-page.ts';

/** Resolves when nothing has moved or changed for so many frames, and nothing in sight is still to be drawn. */
export async function rest({ page }: Pick<PanelPage, 'page'>, frames = 10): Promise<void> {
  await page.locator('[role="log"]').evaluate(async (log, enough) => {
    const { top, bottom } = log.getBoundingClientRect();
    const isInSight = (element: Element) => {
      const box = element.getBoundingClientRect();
      return box.height > 0 && box.bottom > top && box.top < bottom;
    };
    let before = '';
    for (let still = 0; still < enough; still += 1) {
      await new Promise(requestAnimationFrame);
      const now = `${log.scrollTop} ${log.scrollHeight} ${log.textContent?.length}`;
      const isUndrawn = [...log.querySelectorAll('[data-undrawn]')].some(isInSight);
      if (now !== before || isUndrawn) still = 0;
      before = now;
    }
  }, frames);
}

/** Resolves when the page has kept where its reader is, which outlives it. */
export async function readingIsKept({ page }: PanelPage): Promise<void> {
  const isKept = () =>
    page.locator('[role="log"]').evaluate((log) => {
      const { reading } = JSON.parse(sessionStorage.getItem('state') ?? '{}');
      const part =
        reading && log.querySelector(`[data-section="${reading.section}"] [data-part-id="${reading.part}"]`);
      if (!part) return false;
      const offset = log.getBoundingClientRect().top - part.getBoundingClientRect().top;
      return Math.abs(offset - reading.offset) < 1;
    });
  await expect.poll(isKept).toBe(true);
}
