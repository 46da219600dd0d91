import { ToolError } from '../../base/tool-error.ts';
import type { LanguageServers } from '../../ports/language-servers.ts';
import type { ToolContext } from './tool.ts';

/** Throws `ToolError` where there are none, such as on the command line. */
export function requireLanguageServers({ languageServers }: ToolContext): LanguageServers {
  if (languageServers) return languageServers;
  throw new ToolError('this needs the language servers of an editor, and none is here', {
    code: 'unsupported',
  });
}
