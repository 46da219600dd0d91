// Files that steer tools: writing one can run code or widen later permissions. Harness always asks before a
// change to them, and no remembered answer covers it.

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

/** `path` is absolute, links resolved. Ignores case, since some file systems do. */
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
