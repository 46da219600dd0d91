import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import {
  type FakeAnthropic,
  type FakeOptions,
  playScript,
} from '../../../scripts/lib/claude/fake-anthropic.ts';

/** Runs `body` while the extension, which shares this process, finds a Claude that gives these replies. */
export async function withClaude(
  replies: readonly ScriptedReply[],
  body: (claude: FakeAnthropic) => Promise<void>,
  options: FakeOptions = {},
): Promise<void> {
  const claude = await playScript((_request, index) => replies[index] ?? { status: 500, body: {} }, options);
  const { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY } = process.env;
  Object.assign(process.env, { ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: 'sk-ant-of-a-test' });
  try {
    await body(claude);
  } finally {
    restore({ ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY });
    await claude.close();
  }
}

function restore(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
