import { BaseSequencer } from 'vitest/node';

/** @typedef {import('vitest/node').TestSpecification} TestSpecification */

/**
 * An order of test files in which the slow ones come first, so that no worker is left with one of them at the end.
 * @param {RegExp} slow matches their paths
 * @returns {import('vitest/node').TestSequencerConstructor}
 */
export function slowFirst(slow) {
  return class extends BaseSequencer {
    /**
     * @override
     * @param {TestSpecification[]} files
     */
    async sort(files) {
      const sorted = await super.sort(files);
      const isSlow = (/** @type {TestSpecification} */ { moduleId }) => slow.test(moduleId);
      return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
    }
  };
}
