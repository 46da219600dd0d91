import { expect, it } from 'vitest';
import {
  childEnvironment,
  longSecretsOf,
  secretsOf,
} from '../../../../extension/node/processes/process-environment.ts';

it.each([
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_ASKPASS_NODE',
  'ELECTRON_RUN_AS_NODE',
  'GIT_ASKPASS',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'HF_TOKEN',
  'HARNESS_SERVER_TOKEN',
])('does not hand on %s', (name) => {
  expect(childEnvironment({ [name]: 'canary' })).not.toHaveProperty(name);
});

it('hands on everything else', () => {
  const user = {
    HOME: '/h',
    PATH: '/bin',
    LC_ALL: 'C',
    ANTHROPIC_MODEL: 'm',
    API_KEY_FILE: 'f',
    STRIPE_API_KEY: 'the user’s own',
    HARNESS_CALL: 'c',
  };
  expect(childEnvironment(user)).toMatchObject(user);
});

it('drops the Node options of the debugger only', () => {
  const debuggers = '--require /x/.vscode/extensions/ms-vscode.js-debug/bootloader.js';
  expect(childEnvironment({ NODE_OPTIONS: debuggers })).not.toHaveProperty('NODE_OPTIONS');
  expect(childEnvironment({ NODE_OPTIONS: '--max-old-space-size=4096' })).toHaveProperty('NODE_OPTIONS');
});

it('lets nothing wait for an answer', () => {
  expect(childEnvironment({ PAGER: 'less', GIT_EDITOR: 'vim' })).toEqual({
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
  });
});

it('knows what must not be written down by its name, also the headers of a gateway', () => {
  const environment = {
    HOME: '/h',
    STRIPE_API_KEY: ' one ',
    DB_PASSWORD: 'two',
    EMPTY_TOKEN: ' ',
    ANTHROPIC_CUSTOM_HEADERS: 'X-Gateway: three\nAuthorization:Bearer four\n',
  };
  expect(secretsOf(environment)).toEqual(['one', 'two', 'three', 'four']);
});

it('tells of those the ones that are no words that stand anywhere', () => {
  const environment = {
    DB_PASSWORD: 'postgres',
    SSH_KEY: '/home/someone/.ssh/id_ed25519',
    WIN_KEY: 'C:\\Users\\someone\\key.pem',
    VAULT_TOKEN: 'https://vault.internal/token',
    TEST_SECRET: 'a sentence about secrets',
    CI_TOKEN: 'f0c5a2be93d14e68',
  };
  expect(longSecretsOf(environment)).toEqual(['f0c5a2be93d14e68']);
});

it('a key that VS Code stores is a secret however short it is, and whatever it begins with', () => {
  const environment = {
    HARNESS_STORED_0_KEY: 'token-abc123',
    HARNESS_STORED_1_KEY: '/Zx81',
    DB_PASSWORD: 'short',
  };
  expect(longSecretsOf(environment)).toEqual(expect.arrayContaining(['token-abc123', '/Zx81']));
  expect(longSecretsOf(environment)).not.toContain('short');
});
