// The entry point of `harness sessions` alone. The editor runs it as a separate process for exports and
// imports, because they must not block the window.
import { runMain } from './run-main.ts';
import { sessions } from './sessions.ts';

void runMain(sessions(process.argv.slice(2)));
