import { describe, expect, test } from 'vitest';
import {
  findNetworkRowFaults,
  listNetworkUrls,
  parseNetworkRows,
  resolveNetworks,
} from '../../../src/payment/terms/network-rows.ts';
import { BASE, BASE_SEPOLIA, POLYGON, SOLANA, SOLANA_DEVNET } from '../../../src/payment/terms/networks-data.ts';
import { fillIn, listPrinted, readPage } from '../../support/guides/printed.ts';

const PAY_TO = `0x${'7A'.repeat(20)}`;
const FIRST = {
  PAY_TO,
  RPC_URL: 'https://rpc.example/base',
  FACILITATOR_URL: 'https://facilitator.example',
  FACILITATOR_AUTHORIZATION: 'Bearer of-the-first',
};
const ON_POLYGON = { network: POLYGON.id, rpc_url: 'https://rpc.example/polygon' };
const ON_SOLANA = {
  network: SOLANA.id,
  rpc_secret: 'NETWORK_SECRET_A',
  pay_to: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
  fee_payer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
};
const resolve = (rows: unknown, more: object = {}) =>
  resolveNetworks({ ...FIRST, PAYMENT_NETWORKS: typeof rows === 'string' ? rows : JSON.stringify(rows), ...more });

describe('the networks of a deployment', () => {
  test('are those of the guide, once its addresses are filled in', () => {
    const [list, ...others] = listPrinted(readPage('operate/networks.md'));
    expect(others).toEqual([]);
    const meant = {
      '<your address on Solana>': ON_SOLANA.pay_to,
      '<the address that the facilitator names>': ON_SOLANA.fee_payer,
    };
    const secrets = {
      NETWORK_SECRET_A: 'https://rpc.example/polygon/key',
      NETWORK_SECRET_B: 'https://rpc.example/solana/key',
    };
    expect(resolve(fillIn(list?.code ?? '', meant), secrets)).toMatchObject({
      ok: true,
      evm: [{ network: BASE }, { network: POLYGON, rpcUrl: secrets.NETWORK_SECRET_A }],
      svm: { network: SOLANA, rpcUrl: secrets.NETWORK_SECRET_B, facilitatorUrl: 'https://facilitator.payai.network' },
    });
  });

  test('are the first alone without the setting', () => {
    const read = resolveNetworks(FIRST);
    expect(read).toMatchObject({ ok: true, svm: undefined });
    expect(read.ok && read.evm.map(({ network }) => network.id)).toEqual([BASE.id]);
    expect(read.ok && read.first).toEqual({
      network: BASE,
      payTo: PAY_TO.toLowerCase(),
      rpcUrl: FIRST.RPC_URL,
      facilitatorUrl: FIRST.FACILITATOR_URL,
      facilitatorAuthorization: FIRST.FACILITATOR_AUTHORIZATION,
    });
  });

  test('are the first and then the rows, which share what they do not name', () => {
    const read = resolve([ON_POLYGON, ON_SOLANA], { NETWORK_SECRET_A: 'https://solana.example/?key=k' });
    if (!read.ok) throw new Error(read.detail);
    expect(
      read.evm.map(({ network, payTo, facilitatorUrl, facilitatorAuthorization }) => [
        network.id,
        payTo,
        facilitatorUrl,
        facilitatorAuthorization,
      ]),
    ).toEqual([
      [BASE.id, PAY_TO.toLowerCase(), FIRST.FACILITATOR_URL, FIRST.FACILITATOR_AUTHORIZATION],
      [POLYGON.id, PAY_TO.toLowerCase(), FIRST.FACILITATOR_URL, FIRST.FACILITATOR_AUTHORIZATION],
    ]);
    expect(read.svm).toMatchObject({
      network: SOLANA,
      payTo: ON_SOLANA.pay_to,
      feePayer: ON_SOLANA.fee_payer,
      rpcUrl: 'https://solana.example/?key=k',
    });
  });

  test('never send the header of the first facilitator to another one', () => {
    const own = { ...ON_POLYGON, facilitator_url: 'https://other.example' };
    const read = resolve([own]);
    expect(read.ok && read.evm[1]).toMatchObject({
      facilitatorUrl: 'https://other.example',
      facilitatorAuthorization: undefined,
    });
    const withSecret = resolve([{ ...own, facilitator_secret: 'NETWORK_SECRET_B' }], { NETWORK_SECRET_B: 'Bearer b' });
    expect(withSecret.ok && withSecret.evm[1]?.facilitatorAuthorization).toBe('Bearer b');
  });

  test('P8: main and test networks are never mixed', () => {
    const mixed = 'PAYMENT_NETWORKS: row 1, network: test networks and main networks are never mixed';
    expect(resolve([{ ...ON_POLYGON, network: BASE_SEPOLIA.id }])).toEqual({ ok: false, detail: mixed });
    expect(resolve([ON_POLYGON], { PAYMENT_NETWORK: BASE_SEPOLIA.id })).toEqual({ ok: false, detail: mixed });
    const devnet = { ...ON_SOLANA, network: SOLANA_DEVNET.id };
    expect(resolve([devnet], { NETWORK_SECRET_A: 'https://s.example' })).toEqual({ ok: false, detail: mixed });
    expect(resolve([devnet], { NETWORK_SECRET_A: 'https://s.example', PAYMENT_NETWORK: BASE_SEPOLIA.id }).ok).toBe(
      true,
    );
  });

  test.each([
    ['no list', '{}', 'it is no JSON list'],
    ['garbage', '[nope', 'it is no JSON list'],
    ['a huge list', ' '.repeat(8_193), 'it has over 8192 characters'],
    ['many rows', Array.from({ length: 4 }, () => ON_POLYGON), 'it has over 3 rows'],
    ['no object', [1], 'row 1 is no object'],
    [
      'an unknown network',
      [{ ...ON_POLYGON, network: 'eip155:1' }],
      `row 1, network: it is none of ${[BASE.id, POLYGON.id, BASE_SEPOLIA.id, SOLANA.id, SOLANA_DEVNET.id].join(', ')}`,
    ],
    [
      'the first once more',
      [{ ...ON_POLYGON, network: BASE.id }],
      'row 1, network: it is named twice, or is the one of PAYMENT_NETWORK',
    ],
    ['one twice', [ON_POLYGON, ON_POLYGON], 'row 2, network: it is named twice, or is the one of PAYMENT_NETWORK'],
    ['no node', [{ network: POLYGON.id }], 'row 1, rpc_url: say it, or rpc_secret, and not both'],
    [
      'two nodes',
      [{ ...ON_POLYGON, rpc_secret: 'NETWORK_SECRET_A' }],
      'row 1, rpc_url: say it, or rpc_secret, and not both',
    ],
    [
      'another secret of the deployment',
      [{ network: POLYGON.id, rpc_secret: 'LEDGER_SECRET' }],
      'row 1, rpc_secret: it is none of NETWORK_SECRET_A, NETWORK_SECRET_B, NETWORK_SECRET_C, NETWORK_SECRET_D',
    ],
    [
      'a secret without a value',
      [{ network: POLYGON.id, rpc_secret: 'NETWORK_SECRET_C' }],
      'row 1, rpc_secret: the secret NETWORK_SECRET_C is not set',
    ],
    [
      'a header without its facilitator',
      [{ ...ON_POLYGON, facilitator_secret: 'NETWORK_SECRET_B' }],
      'row 1, facilitator_secret: it goes with a facilitator_url',
    ],
    ['a key in the list', [{ ...ON_POLYGON, key: 'k' }], 'row 1 has a field that rows do not have'],
    ['a payee of another chain', [{ ...ON_POLYGON, pay_to: ON_SOLANA.pay_to }], 'row 1, pay_to: it is no address'],
    ['Solana without a payee', [{ ...ON_SOLANA, pay_to: undefined }], 'row 1, pay_to: it is no address of Solana'],
    [
      'Solana without a fee payer',
      [{ ...ON_SOLANA, fee_payer: undefined }],
      'row 1, fee_payer: it is missing: the facilitator names it in /supported',
    ],
  ])('%s is refused, and no value is quoted', (_what, rows, detail) => {
    expect(resolve(rows)).toEqual({ ok: false, detail: `PAYMENT_NETWORKS: ${detail}` });
  });

  test('are judged before a deployment sets them', () => {
    expect(findNetworkRowFaults(JSON.stringify([ON_POLYGON]))).toEqual([]);
    expect(findNetworkRowFaults(JSON.stringify([{ ...ON_POLYGON, rpc_url: 'http://127.0.0.1:8545' }]))).toEqual([
      'row 1: its addresses must be https and public',
    ]);
    const secret = JSON.stringify([{ network: POLYGON.id, rpc_secret: 'NETWORK_SECRET_C' }]);
    expect(findNetworkRowFaults(secret, BASE, () => false)).toEqual(['row 1: the secret NETWORK_SECRET_C is not set']);
  });

  test('name their addresses to a local stack', () => {
    expect(listNetworkUrls(JSON.stringify([{ ...ON_POLYGON, facilitator_url: 'https://other.example' }]))).toEqual([
      'https://rpc.example/polygon',
      'https://other.example',
    ]);
    expect(listNetworkUrls(undefined)).toEqual([]);
    expect(parseNetworkRows('[]')).toEqual({ ok: true, rows: [] });
  });
});
