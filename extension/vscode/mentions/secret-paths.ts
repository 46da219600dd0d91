// Files whose content is for their owner alone. A mention does not carry it to a model.

const FOLDERS = new Set(['.git', '.ssh', '.gnupg', '.aws', '.kube', '.docker']);
const NAMES = [
  /^\.env(\.|$)/,
  /^\.npmrc$/,
  /^\.netrc$/,
  /^\.pypirc$/,
  /^id_(rsa|dsa|ecdsa|ed25519)$/,
  /\.pem$/,
];

/** `path` is absolute, links resolved. Compared without regard to case, since some file systems do not either. */
export function holdsSecrets(path: string): boolean {
  const segments = path.toLowerCase().split(/[\\/]/);
  const name = segments.at(-1) ?? '';
  return segments.some((segment) => FOLDERS.has(segment)) || NAMES.some((pattern) => pattern.test(name));
}
