import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseExample } from '../../scripts/docs/settings-page.ts';
import { judgeSettingValues } from '../../src/settings/judge-values.ts';

const KINDS = 'openai-compatible, openai, anthropic, google, perplexity, workers-ai';
const NOW_MS = 1_800_000_000_000;
const judge = (name: string, value: string) => judgeSettingValues(new Map([[name, value]]), NOW_MS);
const row = { name: 'a', kind: 'openai', model: 'm', key_secret: 'ANSWER_KEY_A', usd_per_run: 0.5 };
const secret = `whsec_${'A'.repeat(32)}`;

test.each([
  ['PAY_TO', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['PAY_TO', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['PAY_TO', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED'],
  ['RPC_URL', 'https://rpc.example/v2/key'],
  ['PAYMENT_NETWORK', 'eip155:84532'],
  ['PAYMENTS_SINCE', '1800000000'],
  ['LEDGER_SECRET', 'x'.repeat(32)],
  ['OPERATOR_SECRET', 'a'.repeat(43)],
  ['ANSWER_ENGINE', 'workers-ai'],
  ['ANSWER_ENGINE', 'perplexity'],
  ['ANSWER_ENGINES', JSON.stringify([row])],
  ['CONFIRMATIONS_ABOVE_1_USD', '12'],
  ['CHANNEL_TOKEN_KEYS', `1:${'k'.repeat(32)}`],
  ['DESTINATIONS', JSON.stringify([{ name: 'hr', url: 'https://hr.example/hooks', secret }])],
])('%s takes %s', (name, value) => expect(judge(name, value)).toEqual([]));

test.each([
  ['PAY_TO', '0xaa', 'it does not have its form'],
  ['PAY_TO', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'it does not have its form'],
  ['PAY_TO', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'its checksum is wrong (EIP-55): a character was mistyped'],
  ['PAY_TO', `0x${'0'.repeat(40)}`, 'no one holds its key: money sent there is lost'],
  ['PAY_TO', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'everyone holds its key: it is a test account'],
  ['RPC_URL', 'rpc.example', 'it is no http or https address'],
  ['RPC_URL', 'http://rpc.example', 'it is an http address: anyone on the way can read and change what is sent'],
  ['FACILITATOR_URL', 'https://localhost:4021', 'it is an address of one machine, which Workers cannot reach'],
  ['PAYMENT_NETWORK', 'base', 'it is none of eip155:8453, eip155:84532'],
  ['PAYMENTS_SINCE', '1900000000', 'it is in the future, so transfers of today would be refused'],
  ['PAYMENTS_SINCE', 'today', 'it is no number'],
  ['LEDGER_SECRET', 'short', 'it is below 32 characters'],
  ['TRANSFER_CONFIRMATIONS', '0', 'it is below 1'],
  ['FRONT_SECRET', 'short', 'it is below 32 characters'],
  ['ANSWER_ENGINE', 'simulated', `it is no engine of a deployment, which are none, ${KINDS}`],
  ['EMBEDDING_ENGINE', 'openai', 'it is no engine of a deployment, which are none, openai-compatible, workers-ai'],
  ['ANSWER_ENGINES', '{}', 'it is no JSON list'],
  [
    'ANSWER_ENGINES',
    JSON.stringify([row, { ...row, name: 'b', usd_per_run: 0 }]),
    'row 2, usd_per_run: it is not above 0',
  ],
  [
    'ANSWER_ENGINES',
    JSON.stringify([{ name: 'a', kind: 'recorded', usd_per_run: 1 }]),
    `row 1, kind is no engine of a deployment, which are ${KINDS}`,
  ],
  ['ANSWER_ENGINES', JSON.stringify([{ ...row, url: 'https://10.0.0.7/' }]), 'row 1, url must be https and public'],
  ['ANSWER_ENGINE_URL', 'https://10.0.0.7/v1', 'it must be https and public'],
  ['ANSWER_ENGINE_URL', 'https://user:word@engine.example/v1', 'it is no http(s) URL, or holds a password'],
  ['EMBEDDING_ENGINE_URL', 'https://169.254.169.254/v1', 'it must be https and public'],
  ['OPERATOR_TENANT', 'acme', 'it is no id: a capital C, then up to 31 lower-case letters and digits'],
  ['OPERATOR_PROJECT', 'My Project', 'it does not have its form'],
  ['CONTACT_EMAIL', 'ada', 'it does not have its form'],
  ['CHANNEL_TOKEN_KEYS', 'key', 'it is not what is read: one or two of <number>:<secret of 32 characters or more>'],
  ['DIRECTORY_KEY', '{', 'it is no JSON'],
  ['DESTINATIONS', '[{"name":"hr"}]', 'it does not have its form'],
])('%s refuses %s', (name, value, fault) => expect(judge(name, value)).toEqual([`${name}: ${fault}`]));

test('a refusal has nothing of the value', () => {
  for (const name of [
    'LEDGER_SECRET',
    'RPC_URL',
    'ANSWER_ENGINES',
    'DESTINATIONS',
    'CHANNEL_TOKEN_KEYS',
    'DIRECTORY_KEY',
    'OPERATOR_SECRET',
  ])
    for (const value of ['s3cret', '{"s3cret":', '[{"s3cret":1}]'])
      expect([name, judge(name, value).join()]).toEqual([name, expect.not.stringContaining('s3cret')]);
});

test('every example of the settings is of a form that a Worker reads', () => {
  const example = readFileSync(new URL('../../.dev.vars.example', import.meta.url), 'utf8');
  const values = new Map(
    parseExample(example).flatMap(({ name, value }) => (value === '' ? [] : [[name, value] as const])),
  );
  expect(judgeSettingValues(values, NOW_MS)).toEqual([]);
});
