import { env, exports } from 'cloudflare:workers';
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { serializeErc6492Signature } from 'viem/utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { person, siweMessage, nonceFor } from './person.ts';
import { accountOf, postPack, signedPack } from '../sales/credit-world.ts';
import { settleOnChain } from '../sales/settling-chain.ts';
import {
  account,
  decode,
  emptyChain,
  encode,
  get,
  PAYER,
  post,
  problemOf,
  signedCredential,
  type World,
  world,
} from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const stranger = privateKeyToAccount(`0x${'b7'.repeat(32)}`);

type Info = Record<'domain' | 'uri' | 'version' | 'statement' | 'nonce' | 'issuedAt' | 'expirationTime', string>;
type Asked = { accepts: unknown[]; extensions: { 'sign-in-with-x': { info: Info; supportedChains: object[] } } };
type Listed = {
  address: string;
  reports: {
    report_id: string;
    report_url: string;
    capability: string;
    price_usd: string;
    paid_by: string;
    method: string;
  }[];
  next: string | null;
};

const ask = async (): Promise<Info> =>
  ((await (await get('/reports')).json()) as Asked).extensions['sign-in-with-x'].info;

/** A proof as clients make it: the message by viem, from what the 401 said. */
async function prove(signer = account, changes: Partial<Info> = {}): Promise<Record<string, unknown>> {
  const info = { ...(await ask()), ...changes };
  const { issuedAt, expirationTime, version, domain, uri, statement, nonce } = info;
  const message = createSiweMessage({
    domain,
    uri,
    statement,
    nonce,
    version: version as '1',
    chainId: 8453,
    address: signer.address,
    issuedAt: new Date(issuedAt),
    expirationTime: new Date(expirationTime),
  });
  const signature = await signer.signMessage({ message });
  return { ...info, address: signer.address, chainId: 'eip155:8453', type: 'eip191', signature };
}

const list = (proof: unknown, query = '', headers: Record<string, string> = {}) =>
  get(`/reports${query}`, { 'sign-in-with-x': typeof proof === 'string' ? proof : encode(proof), ...headers });

const refusalOf = async (answer: Response) => {
  const { code, detail = '' } = (await answer.json()) as { code: string; detail?: string };
  return { status: answer.status, code, reason: detail.split(':')[0] };
};
const refused = (reason: string) => ({ status: 401, code: 'wallet_proof_refused', reason });

async function buy(capability = 'check_health'): Promise<string> {
  const answer = await post({ capability, credential: await signedCredential(capability) });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { report_id: string }).report_id;
}

test('who asks without a proof gets a challenge by 401, and no terms of a payment', async () => {
  const answer = await get('/reports');
  expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('payment-required')]).toEqual([
    401,
    'private, no-store',
    null,
  ]);
  expect(answer.headers.get('www-authenticate')).toBe(`Sign-In-With-X realm="${env.BASE_URL}/reports"`);
  const body = (await answer.json()) as Asked;
  expect(body).toMatchObject({ code: 'wallet_proof_needed', x402Version: 2, accepts: [] });
  const { info, supportedChains } = body.extensions['sign-in-with-x'];
  expect(info).toMatchObject({ domain: 'sightline.test', uri: `${env.BASE_URL}/reports`, version: '1' });
  expect(Date.parse(info.expirationTime) - Date.parse(info.issuedAt)).toBe(300_000);
  expect(supportedChains).toEqual([{ chainId: 'eip155:8453', type: 'eip191' }]);
  expect((await ask()).nonce).not.toBe(info.nonce);
});

test('a browser goes on to its account', async () => {
  const request = new Request(`${env.BASE_URL}/reports`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  const answer = await exports.default.fetch(request);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account/reports']);
});

test('the wallet that bought sees its reports, newest first, and another wallet sees none of them', async () => {
  const [first, second] = [await buy(), await buy('check_llms_txt')];
  const answer = await list(await prove());
  expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('x-robots-tag')]).toEqual([
    200,
    'private, no-store',
    'noindex',
  ]);
  const listed = (await answer.json()) as Listed;
  expect(listed).toMatchObject({ address: PAYER, next: null });
  const mine = listed.reports.filter(({ report_id: id }) => [first, second].includes(id));
  expect(
    mine.map(({ report_id, capability, price_usd, paid_by, method }) => ({
      report_id,
      capability,
      price_usd,
      paid_by,
      method,
    })),
  ).toEqual([
    {
      report_id: second,
      capability: 'check_llms_txt',
      price_usd: expect.stringMatching(/^0\.\d{6}$/),
      paid_by: 'wallet',
      method: 'x402',
    },
    {
      report_id: first,
      capability: 'check_health',
      price_usd: expect.stringMatching(/^0\.\d{6}$/),
      paid_by: 'wallet',
      method: 'x402',
    },
  ]);
  expect(mine[0]?.report_url).toBe(`${env.BASE_URL}/reports/${second}`);
  expect((await get(new URL(mine[0]?.report_url ?? '').pathname)).status).toBe(200);
  const other = (await (await list(await prove(stranger))).json()) as Listed;
  expect(other).toEqual({ address: stranger.address.toLowerCase(), reports: [], next: null });
});

test('looking makes no account, and one with credits is read', async () => {
  await list(await prove(stranger));
  const payers = async (address: string) =>
    (await env.AUTHORIZATION_STORE.getByName('authorization').listPayers({ addresses: [address] })).payers.length;
  expect(await payers(stranger.address.toLowerCase())).toBe(0);
  settleOnChain(seen);
  expect((await postPack(5, { credential: await signedPack(5) })).status).toBe(200);
  await accountOf(PAYER);
  expect((await list(await prove())).status).toBe(200);
});

test('an own report needs no proof, and uses none up', async () => {
  const id = await buy();
  const proof = encode(await prove());
  expect((await get(`/reports/${id}.json`, { 'sign-in-with-x': proof })).status).toBe(200);
  expect((await list(proof)).status).toBe(200);
});

describe('A3', () => {
  test('a proof is good once, also at the same moment', async () => {
    const proof = await prove();
    const answers = await Promise.all(Array.from({ length: 8 }, () => list(proof)));
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
    expect(await refusalOf(await list(proof))).toEqual(refused('nonce_not_yours'));
  });

  test('a signature by another key is refused, and the nonce is gone', async () => {
    const proof = await prove(stranger);
    expect(await refusalOf(await list({ ...proof, address: account.address }))).toEqual(refused('bad_signature'));
    expect(await refusalOf(await list(proof))).toEqual(refused('nonce_not_yours'));
  });

  test('a nonce that we did not issue for this is refused: of no one, and of the sign-in page', async () => {
    expect(await refusalOf(await list(await prove(account, { nonce: 'ab'.repeat(29) })))).toEqual(
      refused('nonce_not_yours'),
    );
    const ofPage = await nonceFor(person());
    expect(await refusalOf(await list(await prove(account, { nonce: ofPage })))).toEqual(refused('nonce_not_yours'));
  });

  test('it opens no sign-in: a nonce of a challenge is no nonce of the page', async () => {
    const message = siweMessage((await ask()).nonce, { address: account.address });
    const signature = await account.signMessage({ message });
    const answer = await person().json('/signin/siwe', { message, signature });
    expect(answer.status).toBe(403);
    const proof = await prove();
    expect((await person().get('/account')).status).toBe(303);
    expect((await list(proof)).headers.get('set-cookie')).toBeNull();
  });

  test.each([
    ['accepts', `0x1626ba7e${'0'.repeat(56)}`, 200],
    ['refuses', `0x${'f'.repeat(64)}`, 401],
  ])('a contract wallet that %s its signature (ERC-1271): %s', async (_name, answer, status) => {
    seen.rpc = (method, params) =>
      method === 'eth_getCode' ? '0x6000' : method === 'eth_call' ? answer : emptyChain(method, params);
    const proof = { ...(await prove()), address: '0x00000000000000000000000000000000000C0DE5', signature: '0x1234' };
    expect((await list(proof)).status).toBe(status);
    expect(seen.calls.rpc).toContain('eth_call');
  });

  test('a wallet that is not deployed (ERC-6492) is refused, and the chain is not asked', async () => {
    const proof = await prove();
    const signature = serializeErc6492Signature({
      address: account.address,
      data: '0x1234',
      signature: proof['signature'] as `0x${string}`,
    });
    expect(await refusalOf(await list({ ...proof, signature }))).toEqual(refused('erc6492_refused'));
    expect(seen.calls.rpc).toEqual([]);
  });

  test.each([
    ['garbage', '%%%'],
    ['base64 of no JSON', btoa('no json')],
    ['what is too long', btoa('x'.repeat(9_000))],
    ['an empty value', ''],
  ])('%s is refused with a new challenge', async (_what, value) => {
    const answer = await list(value);
    expect((await answer.clone().json()) as Asked).toHaveProperty(['extensions', 'sign-in-with-x', 'info', 'nonce']);
    expect(await refusalOf(answer)).toEqual(refused('malformed'));
  });
});

describe('P10: a payment is no sign-in, and a sign-in is no payment', () => {
  test('a payment in the place of a proof, and its signature under our message', async () => {
    const credential = await signedCredential();
    expect(await refusalOf(await list(credential))).toEqual(refused('malformed'));
    const { payload } = decode(credential) as { payload: { signature: string } };
    expect(await refusalOf(await list({ ...(await prove()), signature: payload.signature }))).toEqual(
      refused('bad_signature'),
    );
  });

  test('a proof in the place of a payment', async () => {
    const answer = await post({ credential: encode(await prove()) });
    expect(await problemOf(answer)).toEqual({ status: 400, code: 'invalid_payload' });
  });
});

test('it adds nothing to any limit: a caller without free answers gets none by a proof', async () => {
  const headers = { 'cf-connecting-ip': '203.0.113.90' };
  let last = await get('/about', headers);
  for (let count = 0; count < 700 && last.status !== 429; count += 1) last = await get('/about', headers);
  expect((await list(await prove(), '', headers)).status).toBe(429);
});
