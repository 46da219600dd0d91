// A reporter of Vitest: the results of each file, with the errors and the log folders that belong to it.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRepository } from '../../scripts/lib/paths.mjs';
import { testLogName } from '../../scripts/lib/vscode/logs.mjs';

/** @typedef {import('../../scripts/lib/rerun.d.mts').Failure} Failure */
/** @typedef {import('vitest/node').Reporter} Reporter */
/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {{ message: string, stack?: string, VITEST_TEST_PATH?: string, cause?: { message?: string } }} ErrorOfVitest */

const logs = inRepository('out', 'logs');

/** @implements {Reporter} */
export default class FileResults {
  /** Of an attempt before this one. */
  #earlierLogs = new Set(logFolders());

  /**
   * A run that was interrupted leaves no results.
   * @param {readonly TestModule[]} modules
   * @param {readonly ErrorOfVitest[]} errors
   * @param {import('vitest/node').TestRunEndReason} reason
   */
  onTestRunEnd(modules, errors, reason) {
    const file = process.env.HARNESS_TEST_RESULTS;
    if (!file || reason === 'interrupted') return;
    const files = modules.map((module) => this.#resultOf(module, errors));
    const strays = errors.filter((error) => !modules.some((module) => belongs(error, module)));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ files, strays: strays.map(failure('an unhandled error')) }));
  }

  /**
   * @param {TestModule} module
   * @param {readonly ErrorOfVitest[]} errors
   * @returns {import('../../scripts/lib/rerun.d.mts').FileResult}
   */
  #resultOf(module, errors) {
    const tests = [...module.children.allTests()];
    const count = (/** @type {string} */ state) =>
      tests.filter((test) => test.result().state === state).length;
    const own = errors.filter((error) => belongs(error, module));
    return {
      file: path.relative(inRepository('test', 'browser'), module.moduleId).replaceAll('\\', '/'),
      passed: count('passed'),
      skipped: count('skipped'),
      failures: [...failuresOf(module), ...own.map(failure('an unhandled error'))],
      begun: true,
      logs: this.#logsOf(module),
    };
  }

  /** Files run side by side, so a log folder has the name of its file. @param {TestModule} module */
  #logsOf({ moduleId }) {
    const name = testLogName(moduleId);
    const isOwn = (/** @type {string} */ folder) => folder.slice(0, folder.lastIndexOf('-')) === name;
    const own = logFolders().filter((folder) => isOwn(folder) && !this.#earlierLogs.has(folder));
    return own.map((folder) => path.join(logs, folder));
  }
}

/**
 * A process of tests that dies names its file only within the message.
 * @param {ErrorOfVitest} error
 * @param {TestModule} module
 */
const belongs = ({ VITEST_TEST_PATH: id, message, cause }, { moduleId }) =>
  id === moduleId || [message, cause?.message].some((text) => text?.includes(moduleId));

/** A file fails by a test, by what surrounds its tests, or by not coming to its end. @param {TestModule} module */
function failuresOf(module) {
  const failed = [...module.children.allTests('failed')];
  const failures = [
    ...module.errors().map(failure('the file')),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors().map(failure(suite.fullName))),
    ...failed.map((test) => ({ name: test.fullName, text: textOf(test.result().errors ?? []) })),
  ];
  if (failures.length > 0 || ['passed', 'skipped'].includes(module.state())) return failures;
  return [{ name: 'the file', text: 'It did not come to its end.' }];
}

/** @param {string} name @returns {(error: ErrorOfVitest) => Failure} */
const failure = (name) => (error) => ({ name, text: textOf([error]) });

/** @param {readonly ErrorOfVitest[]} errors */
const textOf = (errors) =>
  errors
    .map(({ message, stack, cause }) => [stack || message, cause?.message].filter(Boolean).join('\n'))
    .join('\n');

function logFolders() {
  try {
    return readdirSync(logs);
  } catch {
    return []; // No VS Code was started yet.
  }
}
