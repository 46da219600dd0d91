// Files that steer tools rather than hold work: writing one can run code or widen what is allowed later. A change to
// them is always asked about, and no remembered answer covers it.

const FOLDERS = new Set([
  '.git',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.husky',
  '.github',
  '.claude',
  '.cursor',
  '.harness',
  '.ssh',
  '.gnupg',
  '.aws',
  '.kube',
  '.docker',
]);

const FILES = new Set([
  '.gitattributes',
  '.gitmodules',
  '.gitconfig',
  '.envrc',
  '.npmrc',
  '.netrc',
  '.pypirc',
  '.bashrc',
  '.bash_profile',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.mcp.json',
  'mcp.json',
  'agents.md',
  'agents.override.md',
  'claude.md',
  'gemini.md',
  '.clinerules',
  '.cursorrules',
  '.windsurfrules',
  '.roomodes',
  'package.json',
  '.editorconfig',
  'makefile',
  '.pre-commit-config.yaml',
]);

const PATTERNS = [
  /^\.yarnrc/,
  /^\.pnpmfile/,
  /\.code-workspace$/,
  /^\.roo/,
  /^\.cline/,
  /^\.cursor/,
  /^\.env(\.|$)/,
];

/** `path` is absolute, links resolved. Compared without regard to case, since some file systems do not either. */
export function isProtected(path: string): boolean {
  const segments = path
    .toLowerCase()
    .split(/[\\/]/)
    .map((segment) => segment.replace(/[. ]+$/, '') || segment);
  const name = segments.at(-1) ?? '';
  return (
    segments.some((segment) => FOLDERS.has(segment)) ||
    FILES.has(name) ||
    PATTERNS.some((pattern) => pattern.test(name))
  );
}
