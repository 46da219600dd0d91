import { binPathFor } from '@vscode/ripgrep-universal';

/** The ripgrep of this machine's kind that the tests and the CLI use. */
export const ripgrepPath = binPathFor({ os: process.platform, arch: process.arch });
