// Private files. A mention must not send their content to a model.

const FOLDERS = ['.git', '.ssh', '.gnupg', '.aws', '.kube', '.docker'];
/** A star matches any text. */
const NAMES = [
  '.env',
  '.env.*',
  '.npmrc',
  '.netrc',
  '.pypirc',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  '*.pem',
];

/** Arguments that exclude these files from a `git diff`. */
export const withoutSecrets: readonly string[] = [...NAMES, ...FOLDERS.map((folder) => `${folder}/**`)].map(
  (pattern) => `:(exclude,icase,glob)**/${pattern}`,
);

/** `path` is absolute, with links resolved. Ignores case, because some file systems do. */
export function holdsSecrets(path: string): boolean {
  const segments = path.toLowerCase().split(/[\\/]/);
  const name = segments.at(-1) ?? '';
  return (
    segments.some((segment) => FOLDERS.includes(segment)) || NAMES.some((pattern) => fits(name, pattern))
  );
}

function fits(name: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end);
}
