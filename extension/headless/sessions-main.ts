// `harness sessions` alone: what an editor runs beside itself to export and import, so that nothing waits for it meanwhile.
import { UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { sessions } from './sessions.ts';

sessions(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`harness: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
  },
);
