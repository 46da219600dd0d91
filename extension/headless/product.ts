import manifest from '../../package.json' with { type: 'json' };

/** The product name and version in `session_started`. */
export const PRODUCT = `harness ${manifest.version}`;
