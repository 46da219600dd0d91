import { basename } from 'node:path';
import * as vscode from 'vscode';

/** The `resourceScheme` in package.json's menus. */
export const PREVIEW_SCHEME = 'harness-preview';

export type PreviewSide = 'before' | 'after';

/** Languages whose language servers fetch nothing that the text names. */
const CODE =
  /\.(?:[cm]?[jt]sx?|astro|bash|bat|c|cc|clj|cpp|cs|css|csv|dart|diff|erl|exs?|fs|go|h|hpp|hs|java|jl|kt|less|log|lua|md|ml|php|pl|ps1|py|r|rb|rs|rst|scala|scss|sh|sql|svelte|swift|tcl|tex|txt|vb|vue|zig)$/i;

/** Names of a schema in JSON, YAML and XML. `\u` could spell any of them. */
const NAMES_A_SCHEMA =
  /\$(?:schema|ref|id)\b|\\u|schemaLocation|noNamespaceSchema|<!DOCTYPE|<!ENTITY|xml-model|yaml-language-server/i;

/**
 * The URI of one side of a preview. It contains the file's path, so that tab title and language are right.
 */
export function previewUri(id: string, side: PreviewSide, path: string, text: string): vscode.Uri {
  const file = vscode.Uri.file(path);
  const query = new URLSearchParams({ id, side }).toString();
  return file.with({ scheme: PREVIEW_SCHEME, path: harmlessPath(file.path, text), query });
}

/**
 * The path under which VS Code may show a text. A text that names a schema gets a plain text path. Otherwise
 * VS Code would fetch the schema from any address in the text before the user approved it (CVE-2025-49150).
 */
export function harmlessPath(path: string, text: string): string {
  return !CODE.test(basename(path)) && NAMES_A_SCHEMA.test(text) ? `${path}.txt` : path;
}

/** The request of a preview's URI; undefined for any other URI. */
export function previewId(uri: vscode.Uri | undefined): string | undefined {
  if (uri?.scheme !== PREVIEW_SCHEME) return undefined;
  return new URLSearchParams(uri.query).get('id') ?? undefined;
}
