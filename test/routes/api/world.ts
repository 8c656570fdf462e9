import { env, exports } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { privateKeyToAccount } from 'viem/accounts';
import { vi } from 'vitest';
import { listOpenedShards } from '../../support/workers/counted-payment-ledger.ts';

/** A key that exists for these tests only. */
export const account = privateKeyToAccount(`0x${'c3'.repeat(32)}`);
export const PAYER = account.address.toLowerCase();
export const HTML_PAGE = `<!doctype html><html lang="en"><head><title>Example Desk, help desk software</title></head>
<body><main><h1>Example Desk</h1><p>${'Help desk software for small teams. '.repeat(60)}</p></main></body></html>`;

export type Verdict = Record<string, unknown> | Response | (() => Response | Promise<Response>);

/** What a test decides about the world around the Worker, and what it saw. */
export type World = {
  verify: Verdict;
  settle: Verdict;
  /** Answers JSON-RPC requests; the default chain knows no transaction. */
  rpc: (method: string, params: readonly unknown[]) => unknown;
  /** The audited site; the default serves one page and 404s. */
  site: (url: URL) => Response | Promise<Response>;
  /** Services of further networks, by origin. */
  others: Map<string, (request: Request) => Response | Promise<Response>>;
  calls: { verify: unknown[]; settle: unknown[]; rpc: string[]; site: string[] };
  logs: string[];
};

const NOW_BLOCK = 1000n;

/** A block as JSON-RPC spells it, two seconds apart, `latest` being now. */
export function block(number: bigint, hash = `0x${number.toString(16).padStart(64, '0')}`) {
  const timestamp = Math.floor(Date.now() / 1000) - Number(NOW_BLOCK - number) * 2;
  return { number: `0x${number.toString(16)}`, hash, timestamp: `0x${timestamp.toString(16)}`, transactions: [] };
}

const BALANCE_OF = '0x70a08231';
const isBalanceOf = ([call]: readonly unknown[]): boolean =>
  typeof call === 'object' && call !== null && 'data' in call && String(call.data).startsWith(BALANCE_OF);

/** A chain where nothing happened: no receipts, no logs, every authorization unused, and every buyer has funds. */
export function emptyChain(method: string, params: readonly unknown[]): unknown {
  switch (method) {
    case 'eth_chainId':
      return '0x2105';
    case 'eth_blockNumber':
      return `0x${NOW_BLOCK.toString(16)}`;
    case 'eth_getBlockByNumber': {
      const [tag] = params;
      return block(tag === 'latest' ? NOW_BLOCK : tag === 'safe' ? NOW_BLOCK - 32n : BigInt(String(tag)));
    }
    case 'eth_call':
      // Buyers have funds: past half of its budget the facilitator is asked only about those. All else is 0.
      return isBalanceOf(params) ? `0x${(10n ** 12n).toString(16).padStart(64, '0')}` : `0x${'0'.repeat(64)}`;
    case 'eth_getLogs':
      return [];
    case 'eth_getCode':
      return '0x';
    default:
      return null;
  }
}

const responseOf = async (verdict: Verdict): Promise<Response> => {
  const value = typeof verdict === 'function' ? await verdict() : verdict;
  return value instanceof Response ? value.clone() : Response.json(value);
};

export const settledBy = (transaction: string) => ({
  success: true,
  transaction,
  network: 'eip155:8453',
  payer: PAYER,
});

/** Puts a facilitator, an RPC and a site behind `fetch`, and collects what the Worker logs. */
export function world(): World {
  const state: World = {
    verify: { isValid: true, payer: PAYER },
    settle: settledBy(`0x${'5e'.repeat(32)}`),
    rpc: emptyChain,
    site: (url) =>
      url.pathname === '/'
        ? new Response(HTML_PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } })
        : new Response('not found', { status: 404, headers: { 'content-type': 'text/plain' } }),
    others: new Map(),
    calls: { verify: [], settle: [], rpc: [], site: [] },
    logs: [],
  };
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void state.logs.push(String(line)));
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const other = state.others.get(url.origin);
    if (other !== undefined) return other(request);
    if (url.origin === env.FACILITATOR_URL) {
      const operation = url.pathname === '/verify' ? 'verify' : 'settle';
      state.calls[operation].push(await request.json());
      return responseOf(state[operation]);
    }
    if (url.origin === env.RPC_URL) return answerRpc(state, await request.json());
    state.calls.site.push(url.href);
    return state.site(url);
  });
  return state;
}

type RpcCall = { id: number; method: string; params?: readonly unknown[] };

function answerRpc(state: World, body: RpcCall | readonly RpcCall[]): Response {
  const one = ({ id, method, params = [] }: RpcCall) => {
    state.calls.rpc.push(method);
    return { jsonrpc: '2.0', id, result: state.rpc(method, params) };
  };
  return Response.json(Array.isArray(body) ? body.map(one) : one(body as RpcCall));
}

export type Buy = {
  capability?: string;
  /** Another paid route than that of the capability. */
  path?: string;
  body?: BodyInit;
  credential?: string;
  headers?: Record<string, string>;
  method?: string;
};

let callers = 0;

/** One request to a paid route, from a caller of its own unless the headers say otherwise. */
export function post({
  capability = 'check_health',
  path = `/api/agent/${capability}`,
  body,
  credential,
  headers = {},
  method = 'POST',
}: Buy = {}): Promise<Response> {
  callers += 1;
  const sent = body ?? (method === 'POST' ? JSON.stringify({ url: 'https://shop.example/' }) : undefined);
  return exports.default.fetch(
    new Request(`${env.BASE_URL}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'cf-connecting-ip': `198.51.${Math.floor(callers / 250)}.${callers % 250}`,
        ...(credential === undefined ? {} : { 'payment-signature': credential }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    }),
  );
}

export const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(new Request(`${env.BASE_URL}${path}`, { headers }));

type PaymentRequired = {
  accepts: Record<string, unknown>[];
  resource: { url: string };
  extensions: Record<string, unknown>;
};

export const decode = (header: string): unknown => JSON.parse(atob(header));
export const encode = (value: unknown): string => btoa(JSON.stringify(value));

let nonces = 0;

export type Changes = {
  path?: string;
  /** A 402 that was got already. */
  quote?: Response;
  accepted?: Record<string, unknown>;
  authorization?: Record<string, unknown>;
  extra?: Record<string, unknown>;
  top?: Record<string, unknown>;
};

/** What stands where a test changed an authorization into one that cannot be signed. */
const NO_SIGNATURE = `0x${'ab'.repeat(64)}1b`;

/** A signed payload as the official client makes it from a fresh 402, with changes that a test wants. */
export async function signedCredential(capability = 'check_health', changes: Changes = {}): Promise<string> {
  const quote =
    changes.quote ?? (await post({ capability, ...(changes.path === undefined ? {} : { path: changes.path }) }));
  const header = quote.headers.get('payment-required');
  const required = decode(header ?? '') as PaymentRequired;
  const [accepted] = required.accepts;
  nonces += 1;
  const authorization = {
    from: PAYER,
    to: env.PAY_TO,
    value: accepted?.['amount'],
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + 300),
    nonce: `0x${nonces.toString(16).padStart(64, '0')}`,
    ...changes.authorization,
  };
  const signature = await signatureOf(authorization).catch(() => NO_SIGNATURE);
  return encode({
    x402Version: 2,
    resource: required.resource,
    accepted: { ...accepted, ...changes.accepted, extra: { ...(accepted?.['extra'] as object), ...changes.extra } },
    payload: { signature, authorization },
    extensions: required.extensions,
    ...changes.top,
  });
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

const DOMAIN = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
} as const;

/** A real signature of the payer: it is recovered in the Worker. */
export function signatureOf(authorization: Record<string, unknown>, signer = account): Promise<`0x${string}`> {
  const { value, validAfter, validBefore, ...rest } = authorization;
  const message = {
    ...rest,
    value: BigInt(String(value)),
    validAfter: BigInt(String(validAfter)),
    validBefore: BigInt(String(validBefore)),
  };
  return signer.signTypedData({
    domain: DOMAIN,
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: message as never,
  });
}

/** Rows in all shards of the ledger. */
export async function ledgerRows(): Promise<number> {
  const counts = await Promise.all(
    listOpenedShards().map((id) =>
      runInDurableObject(
        env.PAYMENT_LEDGER.get(env.PAYMENT_LEDGER.idFromString(id)),
        (_object, { storage: { sql } }) => {
          // A shard that was only read has no tables.
          const made = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'payments'").toArray().length > 0;
          return made ? Number(sql.exec('SELECT count(*) AS n FROM payments').one()['n']) : 0;
        },
      ),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

export const problemOf = async (response: Response): Promise<{ status: number; code: string }> => ({
  status: response.status,
  code: ((await response.json()) as { code: string }).code,
});
