import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import type { Child } from '../children.ts';
import { serveWorkerd } from '../workerd.ts';
import type { SignedPayload } from './payloads.ts';

const pathOf = (name: string): string => new URL(name, import.meta.url).pathname;

export type Server = Child & { name: string; url: string; headerOf: (payload: SignedPayload) => string };

/** What both sides are told: the same payee, the same stub services. */
export type Surroundings = { folder: string; payTo: string; stubPort: number };

const PATH = '/api/agent/check_health';

export async function startOurs(
  name: string,
  facilitatorBudget: 'kept' | 'lifted',
  around: Surroundings,
  own: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = await reservePort(0, name, '');
  const origin = `http://127.0.0.1:${port}`;
  const folder = join(around.folder, name);
  mkdirSync(folder, { recursive: true });
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(new URL('./ours-worker.ts', import.meta.url).pathname),
      bindings: {
        BASE_URL: origin,
        PAY_TO: around.payTo,
        RPC_URL: `http://127.0.0.1:${around.stubPort}/rpc`,
        FACILITATOR_URL: `http://127.0.0.1:${around.stubPort}`,
        LEDGER_SECRET: randomBytes(32).toString('hex'),
        // At the rates of a benchmark every request would be past half of the default.
        ...(facilitatorBudget === 'lifted' ? { FACILITATOR_CALLS_PER_S: '100000' } : {}),
        ...own,
      },
      durableObject: { className: 'PaymentLedger', binding: 'PAYMENT_LEDGER' },
    },
    { method: 'GET', path: '/health' },
  );
  return { ...running, name, url: `${origin}${PATH}`, headerOf: (payload) => ourHeader(payload, `${origin}${PATH}`) };
}

export async function startPeer(name: string, bazaar: boolean, around: Surroundings): Promise<Server> {
  const port = await reservePort(0, name, '');
  const origin = `http://127.0.0.1:${port}`;
  const folder = join(around.folder, name);
  mkdirSync(folder, { recursive: true });
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(pathOf('peer-worker.mjs')),
      flags: ['nodejs_compat'],
      bindings: {
        BAZAAR: bazaar ? '1' : '0',
        FACILITATOR_URL: `http://127.0.0.1:${around.stubPort}`,
        PAY_TO: around.payTo,
      },
    },
    // The request that builds the middleware must be one of its routes: any other never waits for `/supported`.
    { method: 'POST', path: PATH },
  );
  return {
    ...running,
    name,
    url: `${origin}${PATH}`,
    headerOf: (payload) => credentialHeader(payload, `${origin}${PATH}`, {}),
  };
}

/** A Worker that answers the 402 of `model` again and again: what the runtime costs for an answer of this size. */
export async function startFloor(name: string, model: string, around: Surroundings): Promise<Server> {
  const answer = await fetch(model, { method: 'POST', body: '{}', signal: AbortSignal.timeout(10_000) });
  const headers = JSON.stringify([...answer.headers].filter(([header]) => header !== 'content-length'));
  const body = JSON.stringify(await answer.text());
  const script = `const body = ${body}, headers = ${headers};
export default { fetch() { return new Response(body, { status: 402, headers }); } };`;
  const port = await reservePort(0, name, '');
  const folder = join(around.folder, 'floor');
  const running = await serveWorkerd({ folder, port, script }, { method: 'GET', path: '/' });
  return { ...running, name, url: `http://127.0.0.1:${port}${PATH}`, headerOf: () => '' };
}

/** Two facilitator calls and three durable writes, and nothing else: what the runtime costs for a ledger. */
export async function startLedgerFloor(name: string, around: Surroundings): Promise<Server> {
  const port = await reservePort(0, name, '');
  const running = await serveWorkerd(
    {
      folder: join(around.folder, 'ledger-floor'),
      port,
      script: readFileSync(pathOf('ledger-floor-worker.mjs'), 'utf8'),
      bindings: { FACILITATOR_URL: `http://127.0.0.1:${around.stubPort}` },
      durableObject: { className: 'PaymentLedger', binding: 'PAYMENT_LEDGER' },
    },
    { method: 'GET', path: '/' },
  );
  const url = `http://127.0.0.1:${port}${PATH}`;
  return { ...running, name, url, headerOf: (payload) => credentialHeader(payload, url, {}) };
}

/** The least that a paid request with a kept result can be, see `honest-floor-worker.ts`. */
export async function startHonestFloor(name: string, around: Surroundings): Promise<Server> {
  const port = await reservePort(0, name, '');
  const folder = join(around.folder, 'honest-floor');
  mkdirSync(folder, { recursive: true });
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(pathOf('honest-floor-worker.ts')),
      flags: ['nodejs_compat'],
      bindings: { FACILITATOR_URL: `http://127.0.0.1:${around.stubPort}`, PAY_TO: around.payTo },
      durableObject: { className: 'PaymentLedger', binding: 'PAYMENT_LEDGER' },
    },
    // As with the peer: its own route builds the middleware.
    { method: 'POST', path: PATH },
  );
  const url = `http://127.0.0.1:${port}${PATH}`;
  return { ...running, name, url, headerOf: (payload) => credentialHeader(payload, url, {}) };
}

/** As a client sends it that saw our 402: with the quote of that answer. */
export const ourHeader = (payload: SignedPayload, url: string): string =>
  credentialHeader(payload, url, { quote: payload.authorization.nonce.slice(2, 34) });

function credentialHeader(
  { authorization, signature }: SignedPayload,
  url: string,
  extra: Record<string, string>,
): string {
  const accepted = {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: authorization.value,
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    payTo: authorization.to,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2', ...extra },
  };
  const resource = { url, description: 'check_health', mimeType: 'application/json' };
  const envelope = { x402Version: 2, payload: { authorization, signature }, resource, accepted };
  return Buffer.from(JSON.stringify(envelope)).toString('base64');
}
