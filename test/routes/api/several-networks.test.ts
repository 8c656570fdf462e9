import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../routes/api/app.ts';
import type { Env } from '../../../routes/api/bindings/env.ts';
import { localAnswers } from '../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { UNREAD_NODE_MS } from '../../../src/payment/chain/first-blocks.ts';
import { AUTHORIZATION_TYPES } from '../../../src/payment/terms/constants.ts';
import { BASE, BASE_SEPOLIA, POLYGON, SOLANA } from '../../../src/payment/terms/networks-data.ts';
import svm from '../../data/svm/messages.json' with { type: 'json' };
import { envelope, MODERN, rpcOf } from './mcp/world.ts';
import { account, decode, emptyChain, encode, ledgerRows, PAYER, type World, world } from './world.ts';

const app = createApp({ policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: localAnswers });
const RPC = 'https://rpc.polygon.test';
const FACILITATOR = 'https://facilitator.polygon.test';
const AUDIT = '/api/agent/check_health';
const TRANSACTION = `0x${'9a'.repeat(32)}`;
const HEADER_CHARS = 3_500;

const ON_POLYGON = { network: POLYGON.id, rpc_url: RPC, facilitator_url: FACILITATOR };
const ON_SOLANA = {
  network: SOLANA.id,
  rpc_url: 'https://rpc.solana.test',
  pay_to: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
  fee_payer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
};

const deploymentOf = (rows: unknown, changes: object = {}): Env =>
  ({ ...bindings, PAYMENT_NETWORKS: JSON.stringify(rows), ...changes }) as Env;

let seen: World;
let asked: { path: string; body: { paymentRequirements?: object } }[];
/** The first block that a node shows. */
let genesis: Record<string, string>;

beforeEach(() => {
  seen = world();
  asked = [];
  genesis = { [BASE.id]: BASE.genesisHash, [POLYGON.id]: POLYGON.genesisHash };
  seen.rpc = (method, params) => answerFirstBlock(BASE.id, method, params) ?? emptyChain(method, params);
  seen.others.set(RPC, async (request) => {
    const call = (await request.json()) as { id: number; method: string; params: unknown[] };
    const { id, method, params } = call;
    const result =
      method === 'eth_chainId' ? '0x89' : (answerFirstBlock(POLYGON.id, method, params) ?? emptyChain(method, params));
    return Response.json({ jsonrpc: '2.0', id, result });
  });
  seen.others.set(FACILITATOR, async (request) => {
    const { pathname: path } = new URL(request.url);
    asked.push({ path, body: await request.json() });
    return path === '/verify'
      ? Response.json({ isValid: true, payer: PAYER })
      : Response.json({ success: true, transaction: TRANSACTION, network: POLYGON.id, payer: PAYER });
  });
  seen.others.set('https://rpc.solana.test', async (request) =>
    Response.json({
      jsonrpc: '2.0',
      id: ((await request.json()) as { id: number }).id,
      result: `${SOLANA.id.slice(7)}rest`,
    }),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
});

function answerFirstBlock(id: string, method: string, params: readonly unknown[]): object | undefined {
  if (method !== 'eth_getBlockByNumber' || params[0] !== '0x0') return undefined;
  return { number: '0x0', hash: genesis[id], timestamp: '0x1', transactions: [] };
}

let callers = 0;
async function buy(env: Env, credential?: string): Promise<Response> {
  callers += 1;
  const context = createExecutionContext();
  const answer = await app.fetch(
    new Request(`${bindings.BASE_URL}${AUDIT}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'cf-connecting-ip': `198.51.100.${callers}`,
        ...(credential === undefined ? {} : { 'payment-signature': credential }),
      },
      body: JSON.stringify({ url: 'https://shop.example/' }),
    }),
    env,
    context,
  );
  const body = await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  return new Response(body, answer);
}

async function read(env: Env, path: string): Promise<Response> {
  const context = createExecutionContext();
  const answer = await app.fetch(new Request(`${bindings.BASE_URL}${path}`), env, context);
  const body = await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  return new Response(body, answer);
}

type McpResult = {
  tools?: { name: string; _meta: Record<string, unknown> }[];
  content?: { text: string }[];
  structuredContent?: unknown;
  _meta: Record<string, unknown>;
};

/** The result of a request of MCP to a deployment. */
async function askMcp(
  env: Env,
  method: string,
  params: { name?: string; arguments?: object } = {},
): Promise<McpResult> {
  const context = createExecutionContext();
  const answer = await app.fetch(
    new Request(`${bindings.BASE_URL}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }),
    }),
    env,
    context,
  );
  const { result } = await rpcOf(answer);
  await waitOnExecutionContext(context);
  return result as McpResult;
}

/** What sells an audit on its page. */
async function readPanel(env: Env): Promise<string> {
  const html = await (await read(env, '/audit')).text();
  const at = html.indexOf('<section class="card buy"');
  return html.slice(at, html.indexOf('</section>', at));
}

/** Chain and token of each challenge of MPP. */
const readChallenges = ({ headers }: Response): readonly (readonly [number, string])[] =>
  [...(headers.get('www-authenticate') ?? '').matchAll(/request="([\w-]+)"/g)]
    .map(([, request = '']) => JSON.parse(atob(request.replaceAll('-', '+').replaceAll('_', '/'))) as ChargeRequest)
    .map(({ currency, methodDetails: { chainId } }) => [chainId, currency] as const);

type ChargeRequest = { currency: string; methodDetails: { chainId: number } };
type Terms = { network: string; asset: string; payTo: string; amount: string; extra: Record<string, string> };
type Required = { accepts: Terms[]; resource: object; extensions: object };
const readTerms = async (env: Env): Promise<Required> =>
  decode((await buy(env)).headers.get('payment-required') ?? '') as Required;

let nonces = 0;
/** A payment for the entry of a network, signed for `signedFor`. */
async function pay(
  env: Env,
  network: typeof POLYGON | typeof BASE,
  signedFor: typeof network = network,
): Promise<string> {
  const required = await readTerms(env);
  const accepted = required.accepts.find(({ network: id }) => id === network.id);
  nonces += 1;
  const message = {
    from: account.address,
    to: bindings.PAY_TO as `0x${string}`,
    value: BigInt(accepted?.amount ?? 0),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 300),
    nonce: `0x${nonces.toString(16).padStart(64, '6')}` as const,
  };
  const signature = await account.signTypedData({
    domain: { ...signedFor.domain, chainId: signedFor.chainId, verifyingContract: signedFor.usdc },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const authorization = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]));
  const { resource, extensions } = required;
  return encode({ x402Version: 2, resource, accepted, payload: { signature, authorization }, extensions });
}

const codeOf = async (answer: Response): Promise<unknown> => [
  answer.status,
  ((await answer.json()) as { code: string }).code,
];

describe('a deployment on several networks', () => {
  test('lists them all, Base first, with one quote, in a header that clients can send back', async () => {
    const answer = await buy(deploymentOf([ON_POLYGON, ON_SOLANA]));
    const header = answer.headers.get('payment-required') ?? '';
    const { accepts } = decode(header) as Required;
    expect(accepts.map(({ network, asset }) => [network, asset])).toEqual([
      [BASE.id, BASE.usdc],
      [POLYGON.id, POLYGON.usdc],
      [SOLANA.id, SOLANA.usdc],
    ]);
    expect(new Set(accepts.map(({ extra }) => extra['quote'])).size).toBe(1);
    expect(accepts[0]?.extra['quote']).toMatch(/^[0-9a-f]{32}$/);
    expect(accepts[2]).toMatchObject({ payTo: ON_SOLANA.pay_to, extra: { feePayer: ON_SOLANA.fee_payer } });
    expect(JSON.parse(await answer.text())).toMatchObject({ accepts });
    expect(header.length - bazaarChars(header)).toBeLessThanOrEqual(HEADER_CHARS);
  });

  test('sells on the node and the facilitator of the network that was paid on', async () => {
    const env = deploymentOf([ON_POLYGON]);
    const credential = await pay(env, POLYGON);
    const sold = await buy(env, credential);
    expect(sold.status).toBe(200);
    expect(await sold.clone().json()).toMatchObject({ payment: { network: POLYGON.id, transaction: TRANSACTION } });
    expect(decode(sold.headers.get('payment-response') ?? '')).toMatchObject({ network: POLYGON.id });
    expect(asked.map(({ path }) => path)).toEqual(['/verify', '/settle']);
    expect(asked[0]?.body.paymentRequirements).toMatchObject({ network: POLYGON.id, asset: POLYGON.usdc });
    expect(seen.calls.verify).toEqual([]);
    const repeated = await buy(env, credential);
    expect([repeated.status, await repeated.text()]).toEqual([200, await sold.text()]);
    expect(asked).toHaveLength(2);
  });

  test('has a challenge of MPP for each EVM network, in one header', async () => {
    expect(readChallenges(await buy(deploymentOf([ON_POLYGON, ON_SOLANA])))).toEqual([
      [BASE.chainId, BASE.usdc],
      [POLYGON.chainId, POLYGON.usdc],
    ]);
  });

  test('says in its documents where it is paid', async () => {
    const env = deploymentOf([ON_POLYGON, ON_SOLANA]);
    const ids = [BASE.id, POLYGON.id, SOLANA.id];
    const [openApi, index, mpp] = await Promise.all(
      ['/openapi.json', '/api/agent/index', '/.well-known/mpp'].map(async (path) => (await read(env, path)).json()),
    );
    expect(openApi).toMatchObject({
      components: {
        schemas: {
          PaymentOption: { properties: { network: { enum: ids }, extra: { properties: { feePayer: {} } } } },
          Payment: { properties: { network: { enum: ids } } },
          CreditEntry: { properties: { network: { const: BASE.id } } },
        },
      },
    });
    expect(index).toMatchObject({
      payment: {
        network: BASE.id,
        networks: [
          { network: BASE.id, payTo: bindings.PAY_TO, asset: BASE.usdc },
          { network: POLYGON.id, payTo: bindings.PAY_TO, asset: POLYGON.usdc },
          { network: SOLANA.id, payTo: ON_SOLANA.pay_to, asset: SOLANA.usdc },
        ],
      },
    });
    expect(mpp).toMatchObject({ methods: [{ chainId: BASE.chainId }, { chainId: POLYGON.chainId }] });
    expect(await (await read(env, '/llms.txt')).text()).toContain('in USDC on Base, Polygon or Solana (x402 v2');
    const alone = { ...bindings } as unknown as Env;
    expect(await (await read(alone, '/api/agent/index')).json()).not.toHaveProperty('payment.networks');
    expect(await (await read(alone, '/openapi.json')).json()).toMatchObject({
      components: { schemas: { PaymentOption: { properties: { network: { const: BASE.id } } } } },
    });
  });

  test('says the same to clients of MCP: terms of all before they ask, and of those that are open when they do', async () => {
    const env = deploymentOf([ON_POLYGON, ON_SOLANA]);
    const ids = [BASE.id, POLYGON.id, SOLANA.id];
    const list = await askMcp(env, 'tools/list');
    expect(list).toMatchObject({
      _meta: {
        x402: {
          network: BASE.id,
          payTo: bindings.PAY_TO,
          accepts: [
            { network: BASE.id, payTo: bindings.PAY_TO },
            { network: POLYGON.id, payTo: bindings.PAY_TO, asset: POLYGON.usdc },
            { network: SOLANA.id, payTo: ON_SOLANA.pay_to, extra: { feePayer: ON_SOLANA.fee_payer } },
          ],
        },
      },
    });
    const [health, visibility] = ['check_health', 'visibility_check'].map((name) =>
      list.tools?.find((tool) => tool.name === name),
    );
    expect(health?._meta['x402']).not.toHaveProperty('networks');
    expect(visibility?._meta['x402']).toHaveProperty('networks', [BASE.id, POLYGON.id]);
    const call = { name: 'check_health', arguments: { url: 'https://shop.example/' } };
    const unpaid = await askMcp(env, 'tools/call', call);
    for (const terms of [
      unpaid.structuredContent,
      unpaid._meta['x402/error'],
      JSON.parse(unpaid.content?.[0]?.text ?? ''),
    ])
      expect((terms as Required).accepts.map(({ network }) => network)).toEqual(ids);
    expect(Object(unpaid._meta['org.paymentauth/payment-required']).challenges).toHaveLength(2);
    const alone = { ...bindings } as unknown as Env;
    const listed = await askMcp(alone, 'tools/list');
    expect(listed._meta['x402']).not.toHaveProperty('accepts');
    expect(JSON.stringify(listed)).not.toContain('"networks"');
  });

  test('lets a wallet choose among its EVM networks on its pages, each with its payee', async () => {
    const payee = `0x${'5E'.repeat(20)}`;
    const panel = await readPanel(deploymentOf([{ ...ON_POLYGON, pay_to: payee }, ON_SOLANA]));
    const choices = [...panel.matchAll(/<input type="radio" name="buy-network"[^>]*>/g)].map(([tag]) =>
      ['value', 'data-pay-to']
        .map((name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1])
        .concat(String(tag.includes('checked'))),
    );
    const first = bindings.PAY_TO.toLowerCase();
    expect(choices).toEqual([
      [BASE.id, first, 'true'],
      [POLYGON.id, payee.toLowerCase(), 'false'],
    ]);
    expect(panel).toMatch(new RegExp(`Polygon</bdi> <span[^>]*>[^<]*${payee.toLowerCase()}<`));
    expect(panel).toContain(` data-pay-to="${first}" data-mode="wallet"`);
    expect(panel).toContain('This way is on Base only');
  });

  test('has the same panel with one EVM network as without further ones', async () => {
    const alone = await readPanel(deploymentOf([]));
    expect(alone).toContain('data-mode="wallet"');
    expect(alone).not.toMatch(/buy-network|on Base only/);
    expect(await readPanel(deploymentOf([ON_SOLANA]))).toBe(alone);
  });

  test('sells on Base as before', async () => {
    const env = deploymentOf([ON_POLYGON]);
    expect((await buy(env, await pay(env, BASE))).status).toBe(200);
    expect(seen.calls.verify).toMatchObject([{ paymentRequirements: { network: BASE.id } }]);
    expect(asked).toEqual([]);
  });

  test('a payload that is signed for one network buys nothing on another', async () => {
    const env = deploymentOf([ON_POLYGON]);
    expect(await codeOf(await buy(env, await pay(env, POLYGON, BASE)))).toEqual([402, 'invalid_signature']);
    expect(await codeOf(await buy(env, await pay(env, BASE, POLYGON)))).toEqual([402, 'invalid_signature']);
    expect([asked, seen.calls.verify, await ledgerRows()]).toEqual([[], [], 0]);
  });

  test('delivers nothing where a facilitator settled on another network', async () => {
    seen.others.set(FACILITATOR, async (request) =>
      new URL(request.url).pathname === '/verify'
        ? Response.json({ isValid: true, payer: PAYER })
        : Response.json({ success: true, transaction: TRANSACTION, network: BASE.id, payer: PAYER }),
    );
    const env = deploymentOf([ON_POLYGON]);
    expect(await codeOf(await buy(env, await pay(env, POLYGON)))).toEqual([503, 'settlement_unknown']);
  });

  test('a network that is not configured is refused; what was sold there before is still its buyer’s', async () => {
    const before = deploymentOf([ON_POLYGON]);
    const [bought, unused] = [await pay(before, POLYGON), await pay(before, POLYGON)];
    const sold = await buy(before, bought);
    const calls = asked.length;
    const after = { ...bindings } as unknown as Env;
    const again = await buy(after, bought);
    expect([again.status, await again.text()]).toEqual([200, await sold.text()]);
    expect(await codeOf(await buy(after, unused))).toEqual([402, 'wrong_terms']);
    expect(asked).toHaveLength(calls);
  });
});

describe('Solana, by a stub of its facilitator and its node', () => {
  const { good, again } = svm.messages;
  const SIGNATURE = '5'.repeat(87);
  let onChain: Record<string, string>;
  const credentialOf = ({ payload }: typeof good): string => encode(payload);

  beforeEach(() => {
    onChain = {};
    seen.verify = () => Response.json({ isValid: true, payer: good.payer });
    seen.settle = () => Response.json({ success: true, transaction: SIGNATURE, network: SOLANA.id, payer: good.payer });
    seen.others.set('https://rpc.solana.test', async (request) => {
      const { id, method, params } = (await request.json()) as { id: number; method: string; params: [string] };
      const answers: Record<string, unknown> = {
        getGenesisHash: `${SOLANA.id.slice(7)}rest`,
        getSignaturesForAddress: Object.keys(onChain).map((signature) => ({ signature, blockTime: null })),
        getSignatureStatuses: { value: [{ confirmationStatus: 'finalized', err: null }] },
        getTransaction: { transaction: [onChain[params[0]] ?? '', 'base64'], meta: { err: null } },
        getSlot: 1,
        getBlockTime: 1,
      };
      return Response.json({ jsonrpc: '2.0', id, result: answers[method] });
    });
  });

  test('a message is sold once, and its buyer reads the result again', async () => {
    const env = deploymentOf([ON_SOLANA]);
    const sold = await buy(env, credentialOf(good));
    expect(sold.status).toBe(200);
    expect(await sold.clone().json()).toMatchObject({
      payment: { network: SOLANA.id, transaction: SIGNATURE, payer: good.payer },
    });
    expect(decode(sold.headers.get('payment-response') ?? '')).toMatchObject({ network: SOLANA.id, payer: good.payer });
    expect(seen.calls.settle).toMatchObject([{ paymentRequirements: { network: SOLANA.id, asset: SOLANA.usdc } }]);
    const repeated = await buy(env, credentialOf(good));
    expect([repeated.status, await repeated.text()]).toEqual([200, await sold.text()]);
    expect(seen.calls.settle).toHaveLength(1);
    expect(await ledgerRows()).toBe(1);
  });

  test('a lost answer of the facilitator is doubt, until the chain shows the message', async () => {
    const env = deploymentOf([ON_SOLANA]);
    seen.settle = () => new Response('gone', { status: 502 });
    expect(await codeOf(await buy(env, credentialOf(again)))).toEqual([503, 'settlement_unknown']);
    onChain[SIGNATURE] = again.payload.payload.transaction;
    const { ledger } = { ledger: await ledgerRows() };
    expect(ledger).toBe(1);
  });

  test('a refused settlement whose message is on chain is a sale all the same', async () => {
    const env = deploymentOf([ON_SOLANA]);
    seen.settle = () =>
      Response.json({
        success: false,
        errorReason: 'invalid_exact_svm_transaction_simulation_failed',
        payer: good.payer,
      });
    onChain[SIGNATURE] = again.payload.payload.transaction;
    const sold = await buy(env, credentialOf(again));
    expect([sold.status, await sold.json()]).toMatchObject([200, { payment: { transaction: SIGNATURE } }]);
  });

  test('a changed message is not its payer’s', async () => {
    const wire = Uint8Array.from(atob(good.payload.payload.transaction), (char) => char.charCodeAt(0));
    wire[wire.length - 3] = (wire.at(-3) ?? 0) ^ 1;
    const transaction = btoa(String.fromCharCode(...wire));
    const credential = encode({ ...good.payload, payload: { transaction } });
    expect(await codeOf(await buy(deploymentOf([ON_SOLANA]), credential))).toEqual([402, 'invalid_signature']);
    expect(seen.calls.verify).toEqual([]);
  });

  test('is off until it is configured', async () => {
    const env = { ...bindings } as unknown as Env;
    expect(await codeOf(await buy(env, credentialOf(good)))).toEqual([402, 'wrong_terms']);
  });
});

describe('P8: a configuration that mixes real money and tests', () => {
  test('by its rows is refused with its reason', async () => {
    const answer = await buy(deploymentOf([{ ...ON_POLYGON, network: BASE_SEPOLIA.id }]));
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      code: 'not_configured',
      detail: 'PAYMENT_NETWORKS: row 1, network: test networks and main networks are never mixed',
    });
  });

  test('by the first block of a node is refused, whatever id the chain has', async () => {
    genesis[POLYGON.id] = `0x${'00'.repeat(32)}`;
    const env = deploymentOf([ON_POLYGON]);
    const answer = await buy(env);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'not_configured', detail: expect.stringContaining(POLYGON.id) });
  });

  test('by Solana’s first block is refused', async () => {
    seen.others.set('https://rpc.solana.test', async (request) =>
      Response.json({ jsonrpc: '2.0', id: ((await request.json()) as { id: number }).id, result: 'another' }),
    );
    expect(await codeOf(await buy(deploymentOf([ON_SOLANA])))).toEqual([503, 'not_configured']);
  });

  test('of local chains alone is none', async () => {
    genesis = { [BASE.id]: `0x${'01'.repeat(32)}`, [POLYGON.id]: `0x${'02'.repeat(32)}` };
    expect((await buy(deploymentOf([ON_POLYGON]))).status).toBe(402);
  });
});

describe('a node that does not answer', () => {
  const busy = (): Response => new Response('busy', { status: 503 });
  const listAccepted = async (env: Env): Promise<readonly string[]> =>
    (await readTerms(env)).accepts.map(({ network }) => network);
  /** The nodes of Polygon or of Base, as a new isolate meets them: its memory is of its settings. */
  const fail = (...ids: readonly string[]): void => {
    if (ids.includes(POLYGON.id)) seen.others.set(RPC, busy);
    if (ids.includes(BASE.id)) seen.rpc = busy;
  };

  test('keeps its own network from being sold, and no other', async () => {
    const credential = await pay(deploymentOf([ON_POLYGON]), POLYGON);
    fail(POLYGON.id);
    const env = deploymentOf([ON_POLYGON, ON_SOLANA]);
    expect(await listAccepted(env)).toEqual([BASE.id, SOLANA.id]);
    expect((await buy(env, await pay(env, BASE))).status).toBe(200);
    const refused = await buy(env, credential);
    expect(await codeOf(refused.clone())).toEqual([503, 'capability_unavailable']);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining(POLYGON.id) });
    expect([asked, await ledgerRows()]).toEqual([[], 1]);
  });

  test('of the first network leaves the others with their challenges, without transfers, which are of the first one', async () => {
    const before = await buy(deploymentOf([ON_POLYGON]));
    expect(before.headers.get('www-authenticate')).not.toBeNull();
    fail(BASE.id);
    const env = deploymentOf([ON_POLYGON]);
    const quoted = await buy(env);
    expect([quoted.status, readChallenges(quoted).map(([chainId]) => chainId)]).toEqual([402, [POLYGON.chainId]]);
    const { accepts, extensions } = decode(quoted.headers.get('payment-required') ?? '') as Required;
    expect(accepts.map(({ network }) => network)).toEqual([POLYGON.id]);
    expect(extensions).not.toHaveProperty('direct-transfer');
    expect((await buy(env, await pay(env, POLYGON))).status).toBe(200);
    expect(await codeOf(await buy(env, TRANSACTION))).toEqual([503, 'capability_unavailable']);
  });

  test('leaves what was bought to its buyer, on its own network and where no node answers', async () => {
    const open = deploymentOf([ON_POLYGON]);
    const bought = [await pay(open, POLYGON), await pay(open, BASE)];
    const sold = await Promise.all(
      bought.map(async (credential) => {
        const answer = await buy(open, credential);
        return [answer.status, await answer.text()];
      }),
    );
    expect(sold.map(([status]) => status)).toEqual([200, 200]);
    fail(POLYGON.id, BASE.id);
    const env = deploymentOf([ON_POLYGON]);
    expect(await codeOf(await buy(env))).toEqual([503, 'capability_unavailable']);
    for (const [at, credential] of bought.entries()) {
      const again = await buy(env, credential);
      expect([again.status, await again.text()]).toEqual(sold[at]);
    }
    expect(asked).toHaveLength(2);
  });

  test('is asked again after ten seconds, not by each request, and behind the answer', async () => {
    const good = seen.others.get(RPC);
    let calls = 0;
    seen.others.set(RPC, () => {
      calls += 1;
      return busy();
    });
    const env = deploymentOf([ON_POLYGON]);
    expect(await listAccepted(env)).toEqual([BASE.id]);
    if (good !== undefined) seen.others.set(RPC, good);
    expect(await listAccepted(env)).toEqual([BASE.id]);
    expect(calls).toBe(1);
    const nowMs = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => nowMs + UNREAD_NODE_MS);
    expect(await listAccepted(env)).toEqual([BASE.id]);
    expect(await listAccepted(env)).toEqual([BASE.id, POLYGON.id]);
  });
});

/** What the block for crawlers takes of a header. It has a limit of its own. */
function bazaarChars(header: string): number {
  const { bazaar } = (decode(header) as { extensions: { bazaar?: object } }).extensions;
  return bazaar === undefined ? 0 : Math.floor((JSON.stringify(bazaar).length * 4) / 3);
}
