// Files whose content is for their owner alone. A mention does not carry it to a model.

const FOLDERS = ['.git', '.ssh', '.gnupg', '.aws', '.kube', '.docker'];
/** A star stands for anything. */
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

/** What leaves them out of a `git diff`. */
export const withoutSecrets: readonly string[] = [...NAMES, ...FOLDERS.map((folder) => `${folder}/**`)].map(
  (pattern) => `:(exclude,icase,glob)**/${pattern}`,
);

/** `path` is absolute, links resolved. Compared without regard to case, since some file systems do not either. */
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
