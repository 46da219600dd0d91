import type { Frame, Page } from 'playwright-core';

/** Elements whose content is wider than they are, but for those that scroll or end in an ellipsis. */
export function cutOff(page: Page | Frame): Promise<string[]> {
  return page.evaluate(() => {
    const overflowing = [...document.querySelectorAll('body *')].filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const scrolls = overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis';
      return (
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 1 &&
        !scrolls &&
        !element.closest('pre, svg, .visually-hidden, .table, .scroll-text, .line')
      );
    });
    return overflowing.map((element) => `${element.tagName}.${element.className}`);
  });
}
