import manifest from '../../package.json' with { type: 'json' };

/** Written into `session_started`. */
export const PRODUCT = `harness ${manifest.version}`;
