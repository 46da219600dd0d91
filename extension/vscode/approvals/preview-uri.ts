import { basename } from 'node:path';
import * as vscode from 'vscode';

/** `resourceScheme` in package.json's menus. */
export const PREVIEW_SCHEME = 'harness-preview';

export type PreviewSide = 'before' | 'after';

/** Languages whose servers fetch nothing that the text names. */
const CODE =
  /\.(?:[cm]?[jt]sx?|astro|bash|bat|c|cc|clj|cpp|cs|css|csv|dart|diff|erl|exs?|fs|go|h|hpp|hs|java|jl|kt|less|log|lua|md|ml|php|pl|ps1|py|r|rb|rs|rst|scala|scss|sh|sql|svelte|swift|tcl|tex|txt|vb|vue|zig)$/i;

/** Names of a schema in JSON, YAML and XML; `\u` could spell any of them. */
const NAMES_A_SCHEMA =
  /\$(?:schema|ref|id)\b|\\u|schemaLocation|noNamespaceSchema|<!DOCTYPE|<!ENTITY|xml-model|yaml-language-server/i;

/** The address of one side of a preview, with the file's path, so that tab and language are right. */
export function previewUri(id: string, side: PreviewSide, path: string, text: string): vscode.Uri {
  const file = vscode.Uri.file(path);
  const query = new URLSearchParams({ id, side }).toString();
  return file.with({ scheme: PREVIEW_SCHEME, path: harmlessPath(file.path, text), query });
}

/**
 * The path under which a text can be shown. One that names a schema gets a name that makes it plain text: VS Code would
 * fetch the schema from wherever the text says, before anybody has approved it (CVE-2025-49150).
 */
export function harmlessPath(path: string, text: string): string {
  return !CODE.test(basename(path)) && NAMES_A_SCHEMA.test(text) ? `${path}.txt` : path;
}

/** The request that a preview belongs to; undefined for any other address. */
export function previewId(uri: vscode.Uri | undefined): string | undefined {
  if (uri?.scheme !== PREVIEW_SCHEME) return undefined;
  return new URLSearchParams(uri.query).get('id') ?? undefined;
}
