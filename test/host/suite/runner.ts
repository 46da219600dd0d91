// A test runner of one page for tests inside the extension host. VS Code calls `run`; each result is one
// line on the console, which the process that started VS Code reads.

const TIMEOUT_MS = 120_000;

export interface PlannedTest {
  readonly file: string;
  readonly name: string;
}

interface HostTest extends PlannedTest {
  readonly body: () => void | Promise<void>;
}

/** What is behind HOST-TEST on a line: first the plan, then one result per test, in the order of the plan. */
export type HostTestLine =
  | { readonly planned: readonly PlannedTest[] }
  | (PlannedTest & { readonly milliseconds: number; readonly error?: string });

let loading = '';
const tests: HostTest[] = [];
const endings: (() => unknown)[] = [];

/** Registers a test. Tests run one after another, in the order of their files' names. */
export function test(name: string, body: HostTest['body']): void {
  tests.push({ file: loading, name, body });
}

/** Registers what is done when the test that runs has ended, in whatever way; the last one first. */
export function afterTest(work: () => unknown): void {
  endings.unshift(work);
}

/** Resolves with the value of `probe` as soon as it is neither undefined nor false; fails after the timeout. */
export async function eventually<T>(
  what: string,
  probe: () => T | undefined | false | PromiseLike<T | undefined | false>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`After ${timeoutMs} ms still not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Loads the files, then runs their tests. Rejects when a test failed, which gives VS Code its exit code. */
export async function runFiles(files: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  for (const [file, load] of Object.entries(files)) await register(file, load);
  report({ planned: tests.map(({ file, name }) => ({ file, name })) });
  let failures = 0;
  for (const { file, name, body } of tests) {
    const started = Date.now();
    const errors = [await failureOf(body), await failureOf(end)];
    const error = errors.find((one) => one !== undefined);
    if (error !== undefined) failures += 1;
    report({ file, name, milliseconds: Date.now() - started, ...(error !== undefined && { error }) });
  }
  if (failures > 0) throw new Error(`${failures} of ${tests.length} tests failed`);
}

/** A file that cannot be loaded has one test, which fails. */
async function register(file: string, load: () => Promise<unknown>): Promise<void> {
  loading = file;
  await load().catch((error) => test('the file is loaded', () => Promise.reject(error)));
}

async function end(): Promise<void> {
  for (const work of endings.splice(0)) await work();
}

async function failureOf(body: HostTest['body']): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([body(), timeout]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(timer);
  }
}

function report(line: HostTestLine): void {
  console.log(`HOST-TEST ${JSON.stringify(line)}`);
}
