// `harness sessions` alone: what an editor runs beside itself to export and import, so that nothing waits for it meanwhile.
import { runMain } from './run-main.ts';
import { sessions } from './sessions.ts';

void runMain(sessions(process.argv.slice(2)));
