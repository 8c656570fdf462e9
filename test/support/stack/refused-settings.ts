/** Settings of a deployment, by what is wrong with them; the example file's values for all others. */
export type SettingsRow = readonly [what: string, changes: Readonly<Record<string, string>>];

/** With these a deployment cannot be paid safely (rule P8). */
export const unsafeSettings: readonly SettingsRow[] = [
  ['no payee', { PAY_TO: '' }],
  ['the zero address as payee', { PAY_TO: `0x${'0'.repeat(40)}` }],
  ['a payee whose key everyone knows', { PAY_TO: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
  ['no RPC', { RPC_URL: '' }],
  ['an RPC without TLS', { RPC_URL: 'http://rpc.invalid' }],
  ['an RPC on this machine', { RPC_URL: 'https://127.0.0.1:8545' }],
  ['an RPC on this machine, in disguise', { RPC_URL: 'https://[::ffff:127.0.0.1]:8545' }],
  ['no facilitator', { FACILITATOR_URL: '' }],
  ['a facilitator without TLS', { FACILITATOR_URL: 'http://facilitator.invalid' }],
  ['a facilitator on this machine', { FACILITATOR_URL: 'https://localhost:4021' }],
  ['no ledger secret', { LEDGER_SECRET: '' }],
  ['P16: no start of payments', { PAYMENTS_SINCE: '' }],
];

const openai = (changes: Readonly<Record<string, string>>) => ({ ANSWER_ENGINE: 'openai-compatible', ...changes });

const ROW = { name: 'a', kind: 'perplexity', model: 'm', key_secret: 'ANSWER_KEY_A', usd_per_run: 0.5 };
/** An engine that is good, and others after it. */
const panel = (rows: readonly object[], changes: Readonly<Record<string, string>> = {}) =>
  openai({ ANSWER_KEY_A: 'sk-of-a-row', ANSWER_ENGINES: JSON.stringify([ROW, ...rows]), ...changes });

/** With these a deployment measures nothing. */
export const settingsWithoutEngine: readonly SettingsRow[] = [
  ...['simulated', 'none', 'recorded', '__proto__', 'constructor'].map((ANSWER_ENGINE): SettingsRow => [
    `ANSWER_ENGINE=${ANSWER_ENGINE}`,
    { ANSWER_ENGINE },
  ]),
  ['an engine on this machine, in disguise', openai({ ANSWER_ENGINE_URL: 'https://[::ffff:127.0.0.1]/v1' })],
  ['an engine without TLS', openai({ ANSWER_ENGINE_URL: 'http://engine.invalid/v1' })],
  ['an engine on this machine', openai({ ANSWER_ENGINE_URL: 'https://127.0.0.1:11434/v1' })],
  ['an engine on this machine, by name', openai({ ANSWER_ENGINE_URL: 'https://localhost/v1' })],
  ['an engine in a private network', openai({ ANSWER_ENGINE_URL: 'https://10.0.0.7/v1' })],
  ['an engine at the address of metadata', openai({ ANSWER_ENGINE_URL: 'https://169.254.169.254/v1' })],
  ['an engine with a password in its address', openai({ ANSWER_ENGINE_URL: 'https://user:word@engine.invalid/v1' })],
  ['an engine without an address', openai({ ANSWER_ENGINE_URL: '' })],
  ['an engine whose model is not named', openai({ ANSWER_ENGINE_MODEL: '' })],
  ['a panel with simulated answers', panel([{ name: 'b', kind: 'simulated', usd_per_run: 1 }])],
  ['a panel with recorded answers', panel([{ name: 'b', kind: 'recorded', usd_per_run: 1 }])],
  ['a panel with a kind of the prototype', panel([{ name: 'b', kind: '__proto__', usd_per_run: 1 }])],
  ['a panel whose secret is not set', panel([{ ...ROW, name: 'b', key_secret: 'ANSWER_KEY_D' }], { ANSWER_KEY_D: '' })],
  ['a panel that names another secret', panel([{ ...ROW, name: 'b', key_secret: 'LEDGER_SECRET' }])],
  ['a panel with an engine on this machine', panel([{ ...ROW, name: 'b', url: 'https://127.0.0.1/v1' }])],
  ['a panel with a key in it', panel([{ ...ROW, name: 'b', key: 'sk-in-the-list' }])],
  ['a panel without a row', { ANSWER_ENGINES: '[]' }],
  ['a panel that is no JSON', { ANSWER_ENGINES: '[' }],
  ['workers-ai without its binding', { ANSWER_ENGINE: 'workers-ai' }],
];
