// Made up, and put together here, so that no scanner takes this file for a leak.
const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kL9nP2rS5uV8xY1';
export const random = (length: number) => letters.repeat(Math.ceil(length / 51)).slice(0, length);
const hex = (length: number) => '3f9a1c7be04d26f58'.repeat(9).slice(0, length);
const key = [`${random(64)}`, `${random(60)}+/==`].join('\n');

/** A text with a secret, the secret in it, and what it is told to be. */
export const secrets: readonly (readonly [kind: string, before: string, secret: string, after: string])[] = [
  ['github-token', 'token: ', `ghp_${random(36)}`, '\n'],
  ['github-token', 'GH=', `gho_${random(36)}`, ''],
  ['github-token', '', `github_pat_${random(22)}_${random(59)}`, ' '],
  ['gitlab-token', '"', `glpat-${random(20)}`, '"'],
  ['slack-token', '', ['xoxb', '123456789012', '1234567890123', random(24)].join('-'), ''],
  ['slack-webhook', 'https://', `hooks.slack.com/services/T0${random(8)}/B0${random(8)}/${random(24)}`, ''],
  ['google-key', 'key=', `AIza${random(35)}`, '&x=1'],
  ['google-key', '', `GOCSPX-${random(28)}`, ''],
  ['stripe-key', '', `sk_live_${random(24)}`, ''],
  ['stripe-key', '', `whsec_${random(32)}`, ''],
  ['anthropic-key', "'", `sk-ant-api03-${random(80)}`, "'"],
  ['openai-key', '', `sk-proj-${random(40)}`, ''],
  ['api-key', '', `sk-${random(48)}`, ''],
  ['api-key', '', `sk-or-v1-${hex(64)}`, ''],
  ['api-key', '', `gsk_${random(52)}`, ''],
  ['huggingface-token', '', `hf_${random(34)}`, ''],
  ['npm-token', '//r/:_authToken=', `npm_${random(36)}`, ''],
  ['pypi-token', '', `pypi-AgEIcHlwaS5vcmc${random(60)}`, ''],
  ['aws-key-id', 'id = ', `AKIA${'Q3EGR7HTZ5LM2NPX'}`, '\n'],
  ['aws-secret-key', 'aws_secret_access_key = ', random(40), '\n'],
  ['aws-secret-key', '"SecretAccessKey": "', `${random(20)}/${random(19)}`, '"'],
  ['bearer-token', 'Authorization: Bearer ', random(30), ''],
  ['bearer-token', '"authorization": "Basic ', `${random(24)}==`, '"'],
  ['jwt', 'jwt ', `eyJ${random(20)}.eyJ${random(40)}.${random(43)}`, '.'],
  ['url-password', 'postgres://app:', random(14), '@db.internal:5432/x'],
  [
    'private-key',
    '',
    `-----BEGIN RSA PRIVATE ${'KEY'}-----\n${key}\n-----END RSA PRIVATE ${'KEY'}-----`,
    '\nnext',
  ],
  ['private-key', '', `-----BEGIN PRIVATE ${'KEY'}-----\n${key}`, ''],
];

/** What is no secret. */
export const harmless: readonly string[] = [
  'a commit 3f9a1c7be04d26f583f9a1c7be04d26f583f9a1c and sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '123e4567-e89b-42d3-a456-426614174000',
  `data:image/png;base64,iVBORw0KGgo${random(400)}/${random(400)}+${random(200)}==`,
  'integrity "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'sk-your-api-key-goes-here and sk-ant-your-api-key-goes-here-please',
  '<div class="sk-fading-circle sk-circle-fade-dot-container">',
  `AKIA${'IOSFODNN7EXAMPLE'}`,
  `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY${'EXAMPLEKEY'}`,
  'Authorization: Bearer $TOKEN_FROM_ENVIRONMENT_1',
  'Authorization: Bearer <your-token-goes-right-here>',
  'https://user:password@example.com/ and https://localhost:3000/a@b and git@github.com:o/r.git',
  'postgres://postgres:postgres@localhost:5432/x',
  'no address: //a\x01b:secret1234@x and //a:sec\x021234@x',
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----',
  "const BEGIN = '-----BEGIN PRIVATE KEY-----';",
  'task-force risk-management desk-1234567890 npm_config_registry hf_hub_download eyJ',
  'toolu_01A09q90qw90lq917835lq9 call_Zb1nRyzVOQ2b2Yf7w3bW9A msg_01XFDUDYJgAACzvnptvVoYEL',
];
