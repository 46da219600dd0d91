// Selects the shell that runs the commands.

export type WindowsShell = 'powershell' | 'git-bash';

export interface ShellProgram {
  /** Describes the shell to the model. */
  readonly description: string;
  readonly file: string;
  argumentsFor(command: string): readonly string[];
}

const GIT_BASH = 'C:\\Program Files\\Git\\bin\\bash.exe';
const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS' };

/** Returns bash or, on Windows, the shell that the user chose. */
export function shellProgram(platform: NodeJS.Platform, windowsShell: WindowsShell): ShellProgram {
  if (platform !== 'win32') return bash('/bin/bash', `bash on ${SYSTEMS[platform] ?? platform}`);
  if (windowsShell === 'git-bash') return bash(GIT_BASH, 'Git Bash on Windows');
  return {
    description: 'Windows PowerShell',
    file: 'powershell.exe',
    argumentsFor: (command) => ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script(command)],
  };
}

function bash(file: string, description: string): ShellProgram {
  return { description, file, argumentsFor: (command) => ['-c', command] };
}

/**
 * Makes the output UTF-8, hides progress bars, and sets an exit code even if the last command was not a
 * program.
 */
function script(command: string): string {
  return [
    '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
    "$ProgressPreference = 'SilentlyContinue'",
    command,
    '$ok = $?; if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }; exit [int](-not $ok)',
  ].join('\n');
}
