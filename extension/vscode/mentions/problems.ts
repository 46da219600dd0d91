import * as vscode from 'vscode';

const MAX_PROBLEMS = 100;

/** Errors and warnings of the workspace's files, one a line, errors first; empty where there are none. */
export function problemsText(): string {
  const all = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) =>
      vscode.workspace.getWorkspaceFolder(uri) && uri.scheme === 'file'
        ? diagnostics
            .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
            .map((diagnostic) => ({ uri, diagnostic }))
        : [],
    );
  all.sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
  const lines = all.slice(0, MAX_PROBLEMS).map(({ uri, diagnostic: { range, severity, message } }) => {
    const place = `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`;
    return `${place} ${severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning'}: ${message.replace(/\s+/g, ' ')}`;
  });
  const more = all.length - lines.length;
  return [...lines, ...(more > 0 ? [`(${more} more)`] : [])].join('\n');
}
