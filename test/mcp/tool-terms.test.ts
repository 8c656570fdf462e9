import { expect, test } from 'vitest';
import { networkVariables, readToolTerms } from '../../src/mcp/tool-terms.ts';
import { BASE, BASE_SEPOLIA, POLYGON, SOLANA } from '../../src/payment/terms/networks-data.ts';

const PAY_TO = '0x7A3F1C0D5B8E4A6F9C2D1E0B3A5C7D9E1F2A4B6C';
const FIRST = { PAY_TO, RPC_URL: 'https://rpc.example', FACILITATOR_URL: 'https://facilitator.example' };
const ON_SOLANA = {
  network: SOLANA.id,
  rpc_secret: 'NETWORK_SECRET_A',
  pay_to: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
  fee_payer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
};
const rows = [{ network: POLYGON.id, rpc_url: 'https://polygon.example' }, ON_SOLANA];

/** As a Durable Object has them: texts alone, an empty one for each variable that was cleared. */
const readFrom = (env: Readonly<Record<string, unknown>>) => readToolTerms(networkVariables.parse(env));

test('the terms of a deployment on one network are its payee’s', () => {
  const alone = { payTo: PAY_TO.toLowerCase(), network: BASE, others: [] };
  expect(readFrom(FIRST)).toEqual(alone);
  expect(readFrom({ ...FIRST, PAYMENT_NETWORK: '', PAYMENT_NETWORKS: '', NETWORK_SECRET_A: '' })).toEqual(alone);
});

test('a test deployment’s are of its test network', () => {
  expect(readFrom({ ...FIRST, PAYMENT_NETWORK: BASE_SEPOLIA.id })).toMatchObject({ network: BASE_SEPOLIA });
});

test('every network that is configured is there, with whom it pays', () => {
  const env = { ...FIRST, PAYMENT_NETWORKS: JSON.stringify(rows), NETWORK_SECRET_A: 'https://solana.example/key' };
  expect(readFrom(env).others).toMatchObject([
    { network: POLYGON, payTo: PAY_TO.toLowerCase() },
    { network: SOLANA, payTo: ON_SOLANA.pay_to, feePayer: ON_SOLANA.fee_payer },
  ]);
});

test('no secret and no address of a node is in them', () => {
  const env = { ...FIRST, PAYMENT_NETWORKS: JSON.stringify(rows), NETWORK_SECRET_A: 'https://solana.example/key' };
  expect(JSON.stringify(readFrom(env))).not.toMatch(/https:|NETWORK_SECRET/);
});

test('where nothing can be sold there is no payee, and a faulty list of networks adds none', () => {
  expect(readFrom({})).toMatchObject({ payTo: undefined, others: [] });
  expect(readFrom({ ...FIRST, PAYMENT_NETWORKS: '{' })).toMatchObject({ payTo: PAY_TO.toLowerCase(), others: [] });
  expect(readFrom({ ...FIRST, PAYMENT_NETWORKS: JSON.stringify(rows) })).toMatchObject({ others: [] });
});
