import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { bundleWorker } from '../../../local/bundle.ts';
import { type HttpServer, readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { type LocalWorker, startWorker } from '../../../local/worker.ts';
import { rememberPerKey } from '../../../src/lib/memo.ts';
import { BASE_GENESIS_HASH } from '../../../src/payment/terms/constants.ts';
import { demoBrands } from '../../../src/models/adapters/simulated/answer.ts';
import { startControlStack } from '../../conformance/support/control-stack.ts';
import { type FaultFacilitator, startFaultFacilitator } from '../../support/stack/fault-facilitator.ts';
import { sampleRows } from '../../support/runner/budget.ts';
import { codeOf, present, sign } from '../../support/stack/presenting.ts';
import { settingsWithoutEngine, unsafeSettings } from '../../support/stack/refused-settings.ts';
import { type SignedReceiver, startSignedReceiver } from '../../support/stack/signed-receiver.ts';
import { push, type SmallDirectory, startSmallDirectory } from '../../support/management/small-directory.ts';
import { startWebhookStack } from '../../support/webhooks/webhook-stack.ts';

/** Each row of a table starts a Worker; test/routes/api/deployment-settings.test.ts judges all of them without. */
const ROW_STEP = 12;
/** A simulated engine, and one on this machine in disguise, are among them. */
const ENGINE_ROW_STEP = 5;
const PRODUCTION_ENTRY = fileURLToPath(new URL('../../../src/worker.ts', import.meta.url));
const WEBHOOK_ENTRY = fileURLToPath(new URL('../../../src/webhook-worker.ts', import.meta.url));
const LOCAL_WEBHOOK_ENTRY = fileURLToPath(new URL('../../../local/webhook-worker.ts', import.meta.url));
const CONTROL_ENTRY = fileURLToPath(new URL('../../../src/control-worker.ts', import.meta.url));
const LOCAL_CONTROL_ENTRY = fileURLToPath(new URL('../../../local/control-worker.ts', import.meta.url));
const LOCAL_ENTRY = fileURLToPath(new URL('../../../local/api-worker.ts', import.meta.url));
const EXAMPLE = new URL('../../../.dev.vars.example', import.meta.url);
const A_HASH = `0x${'3c'.repeat(32)}`;

/** Values as an operator would fill them in; the hosts do not exist. */
const filledIn: Readonly<Record<string, string>> = {
  PAY_TO: '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c',
  RPC_URL: 'https://rpc.invalid',
  FACILITATOR_URL: 'https://facilitator.invalid',
  FACILITATOR_AUTHORIZATION: 'Bearer of-the-operator',
  PAYMENT_NETWORK: 'eip155:8453',
  LEDGER_SECRET: 'a-secret-of-the-operator-with-32-chars-or-more',
  LEDGER_SECRET_PREVIOUS: 'the-secret-before-with-32-chars-or-more',
  LEDGER_PLACING_SECRET: 'the-first-secret-of-all-with-32-chars-or-more',
  ANSWER_ENGINE_URL: 'https://engine.invalid/v1',
  ANSWER_ENGINE_MODEL: 'a-model',
  ANSWER_ENGINE_KEY: 'sk-of-the-operator',
  ANSWER_ENGINES: '', // The one engine of the other variables.
  CONTACT_EMAIL: 'office@operator.invalid',
  DNS_RESOLVER_URL: 'https://resolver.invalid/dns-query',
  MONITOR_MAIL_FROM: 'monitors@operator.invalid',
  MONITOR_FREE_HOSTS: 'operator.invalid',
  OPERATOR_IDENTITIES: 'https://register.invalid/operator',
  WEBHOOK_URL: 'https://webhook.invalid',
  CONTROL_URL: 'https://control.invalid',
  OPERATOR_SECRET: 'an-operator-secret-of-43-base64url-characters',
  MCP_ALLOWED_ORIGINS: 'https://pages.invalid',
  CHANNEL_TOKEN_KEYS: '1:a-channel-secret-of-the-operator-with-32-chars',
  DIRECTORY_KEY: '{"type":"service_account"}',
  DIRECTORY_SUBJECT: 'admin@operator.invalid',
  FRONT_SECRET: 'a-secret-of-the-front-with-32-characters',
  PAYMENT_NETWORKS: '', // The one network of the other variables.
  MPP: 'on',
  STRIPE_SECRET_KEY: 'sk_live_of_the_operator',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_operator',
  STRIPE_WEBHOOK_SECRET_PREVIOUS: 'whsec_before',
  RESULT_SIGNING_KEY: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
  RESULT_SIGNING_KEYS_RETIRED: '',
  BOT_SIGNING_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
  BOT_SIGNING_KEY_PREVIOUS: 'HxwdHhobGBkWFxQVEhMQEQ4PDA0KCwgJBgcEBQIDAAE',
  BOT_ADDRESSES: '192.0.2.0/28',
  SIGN_IN_MAIL_FROM: 'sign-in@operator.invalid',
};

/** Every variable of the example file, in use or commented out; none stays empty. */
function exampleVariables(): Record<string, string> {
  const lines = readFileSync(EXAMPLE, 'utf8').matchAll(/^#?\s?([A-Z][A-Z0-9_]+)=(.*)$/gm);
  return Object.fromEntries(
    [...lines].map(([, name = '', value = '']) => [name, filledIn[name] ?? (value.trim() || '1')]),
  );
}

/** Names that could be taken for a way to open the local stack's doors. */
const tempting = {
  LOCAL: '1',
  LOCAL_STACK: '1',
  ALLOW_LOOPBACK: '1',
  ALLOW_PRIVATE: '1',
  ALLOWED_PORTS: '80,443,8545',
  EMULATOR: '1',
  NODE_ENV: 'development',
  ENVIRONMENT: 'local',
  DEMO_BUYER: '1',
  LOCAL_DEMO_BUYER_KEY: `0x${'5c'.repeat(32)}`,
  LOCAL_DEMO_BUYER_TOKEN: 'a-token-of-the-local-stack-with-32-chars-or-more',
  ANSWER_ENGINE: 'simulated',
  ANSWER_ENGINE_RECORDING: '{"id":"price-1","text":"Acme"}',
  ANSWER_ENGINE_BRANDS: 'Acme=0.5',
};

/** The code of an entry's bundle. */
const readBundle = rememberPerKey(bundleWorker);

const started: LocalWorker[] = [];
async function startedFrom(entry: string, changes: Record<string, string>): Promise<LocalWorker> {
  const worker = await startWorker({ entry, bindings: { ...exampleVariables(), ...changes } });
  started.push(worker);
  return worker;
}
const production = (changes: Record<string, string> = {}): Promise<LocalWorker> =>
  startedFrom(PRODUCTION_ENTRY, changes);
const stopStarted = async (): Promise<void> => {
  for (const worker of started.splice(0)) await worker.stop();
};

type Asking = { method?: 'GET' | 'POST'; host?: string; headers?: Record<string, string>; body?: string };

/** One request under any host name, which `fetch` does not let its caller choose. */
async function requestAs(
  host: string,
  url: string,
  { method = 'GET', headers, body }: Omit<Asking, 'host'> = {},
): Promise<Response> {
  const answer = await request(url, { method, headers: { ...headers, host }, ...(body === undefined ? {} : { body }) });
  const known = Object.entries(answer.headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return new Response(await answer.body.text(), { status: answer.statusCode, headers: known });
}

/** A request under the configured host name, as the platform would route it. */
function ask(worker: LocalWorker, path: string, { host, ...asking }: Asking = {}): Promise<Response> {
  return requestAs(host ?? new URL(exampleVariables()['BASE_URL'] ?? '').host, `${worker.url}${path}`, asking);
}

const pay = (worker: LocalWorker, url: string, credential = A_HASH): Promise<Response> =>
  ask(worker, '/api/agent/check_health', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'payment-signature': credential },
    body: JSON.stringify({ url }),
  });
const measuring = {
  visibility_check: { brand: 'Acme', niche: 'help desk software' },
  visibility_vs_competitor: { brand: 'Acme', niche: 'help desk software', competitor_brand: 'Rival One' },
} as const;
const measuringRoutes = ['visibility_check', 'visibility_vs_competitor'] as const;

/** A good body to a capability that asks an answer engine, with or without a payment. */
const measureBy = (worker: LocalWorker, capability: keyof typeof measuring, credential?: string): Promise<Response> =>
  ask(worker, `/api/agent/${capability}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(credential === undefined ? {} : { 'payment-signature': credential }),
    },
    body: JSON.stringify(measuring[capability]),
  });

/** Both measuring routes answer 503 whether or not they are paid, and name no terms; what needs no engine is sold. */
async function expectNoEngine(worker: LocalWorker): Promise<void> {
  for (const capability of measuringRoutes) {
    for (const credential of [undefined, A_HASH]) {
      const answer = await measureBy(worker, capability, credential);
      expect(answer.headers.get('payment-required')).toBeNull();
      expect(await verdict(answer)).toEqual([503, 'engine_not_configured']);
    }
  }
  expect((await ask(worker, '/api/agent/visibility_fix_pack', { method: 'POST' })).status).toBe(402);
  expect(await unavailableIn(worker)).toEqual(measuringRoutes);
}

const catalogue = z.object({ capabilities: z.record(z.string(), z.object({ available: z.boolean() })) });
async function unavailableIn(worker: LocalWorker): Promise<readonly string[]> {
  const { capabilities } = catalogue.parse(await (await ask(worker, '/api/agent/index')).json());
  return Object.entries(capabilities).flatMap(([name, { available }]) => (available ? [] : [name]));
}

const verdict = async (answer: Response): Promise<[number, string]> => [answer.status, await codeOf(answer)];

test('the example file names every setting that the Worker reads', () => {
  const env = readFileSync(new URL('../../../src/sales/settings.ts', import.meta.url), 'utf8');
  const read = [...env.matchAll(/^ {2}([A-Z][A-Z0-9_]+): (?!DurableObject|R2Bucket|RateLimit|Queue)/gm)].map(
    ([, name]) => name,
  );
  expect(read).toContain('PAY_TO');
  expect(Object.keys(exampleVariables())).toEqual(expect.arrayContaining(read));
});

describe('the production entry with every variable of the example set', () => {
  let worker: LocalWorker;
  let site: HttpServer;
  let reads = 0;
  beforeAll(async () => {
    site = await startHttpServer((_request, response) => {
      reads += 1;
      response.end('<title>private</title>');
    });
    worker = await production(tempting);
  });
  afterAll(async () => {
    await stopStarted();
    await site.stop();
  });

  test('serves its documents and its terms', async () => {
    for (const path of ['/health', '/api/agent/index', '/openapi.json', '/llms.txt'])
      expect((await ask(worker, path)).status).toBe(200);
    const unpaid = await ask(worker, '/api/agent/check_health', { method: 'POST' });
    expect(unpaid.status).toBe(402);
    expect(unpaid.headers.get('payment-required')).toBeTruthy();
  });

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0.0.0.0/',
    'http://localhost/',
    'http://localhost./',
    'http://app.localhost/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://metadata.google.internal/',
    'http://router.local/',
    'http://intranet/',
  ])('F3: %s is refused before any payment is looked at', async (url) => {
    expect(await verdict(await pay(worker, url))).toEqual([422, 'target_refused']);
  });

  test('F3: a page on this machine, on its real port, is refused and never read', async () => {
    expect(await verdict(await pay(worker, site.url))).toEqual([422, 'target_refused']);
    expect(await verdict(await pay(worker, site.url.replace('127.0.0.1', 'localhost')))).toEqual([
      422,
      'target_refused',
    ]);
    expect(reads).toBe(0);
  });

  test('a public target gets as far as the payment', async () => {
    expect(await verdict(await pay(worker, 'https://example.com/'))).toEqual([503, 'payment_unverifiable']);
  });

  test.each([
    '/demo',
    '/demo-buyer',
    '/demo/buy',
    '/buy',
    '/local',
    '/local/buy',
    '/local/demo-buyer',
    '/api/demo-buyer',
    '/api/demo/buy',
    '/api/local/buy',
    '/stack.json',
    '/.local/stack.json',
  ])('F3: there is no demo buyer at %s', async (path) => {
    for (const method of ['GET', 'POST'] as const)
      expect(await verdict(await ask(worker, path, { method }))).toEqual([404, 'not_found']);
  });

  test('F3: its page offers no demo buyer, and asks the wallets of browsers', async () => {
    const page = await (await ask(worker, '/audit')).text();
    expect(page).toContain('data-mode="wallet"');
    for (const word of ['demo', 'data-token', 'a-token-of-the-local-stack']) expect(page).not.toContain(word);
  });

  test('F3: nothing of the local stack is in its bundle', async () => {
    const text = await readBundle(PRODUCTION_ENTRY);
    expect(text).toContain('// src/worker.ts'); // esbuild writes where each part comes from.
    expect(text).not.toMatch(/^\/\/ local\//m);
    for (const word of ['LOCAL_BLOCKED_PORTS', 'LOCAL_DEMO_BUYER', 'allowLoopbackExcept', 'stack.json'])
      expect(text).not.toContain(word);
  });

  test('no engine that invents or replays answers is in its bundle, nor a brand of theirs', async () => {
    const [deployed, local] = [await readBundle(PRODUCTION_ENTRY), await readBundle(LOCAL_ENTRY)];
    // Plain words that are no names of theirs may stand anywhere.
    const invented = demoBrands.map(({ name }) => name).filter((name) => /^[A-Za-z]{6,}$/.test(name));
    expect(invented.length).toBeGreaterThan(3);
    for (const word of ['simulated-1', 'TranscriptFault', ...invented]) {
      expect(local).toContain(word);
      expect(deployed).not.toContain(word);
    }
  });

  test('A10: a host name that is not the configured one is 421, whatever the path', async () => {
    for (const host of [
      'evil.example',
      'sightline.example.evil.example',
      'sightline.example:8080',
      `127.0.0.1:${worker.port}`,
    ]) {
      for (const path of ['/api/agent/index', '/openapi.json', '/nothing']) {
        expect(await verdict(await ask(worker, path, { host }))).toEqual([421, 'wrong_host']);
      }
      const answer = await ask(worker, '/api/agent/check_health', {
        method: 'POST',
        host,
        headers: { 'payment-signature': A_HASH },
      });
      expect(await verdict(answer)).toEqual([421, 'wrong_host']);
    }
  });
});

describe('B11: a deployed Worker that no front proves itself to', () => {
  afterEach(stopStarted);

  test.each([PRODUCTION_ENTRY, CONTROL_ENTRY, WEBHOOK_ENTRY])(
    '%s answers nothing but /health, with an address that the client wrote as well',
    async (entry) => {
      const worker = await startedFrom(entry, { FRONT_SECRET: '' });
      expect((await ask(worker, '/health')).status).toBe(200);
      for (const path of ['/api/agent/index', '/openapi.json', '/oauth/register', '/batch']) {
        const headers = { 'cf-connecting-ip': '203.0.113.7' };
        expect(await verdict(await ask(worker, path, { method: 'POST', headers }))).toEqual([
          503,
          'caller_address_missing',
        ]);
      }
    },
  );
});

describe('P8: a deployment that cannot be paid safely sells nothing', () => {
  afterEach(stopStarted);

  test.each(sampleRows(unsafeSettings, ROW_STEP))(
    '%s: 503 not_configured with and without a payment, while the free documents stay',
    async (_what, changes) => {
      const worker = await production({ ...changes, ...tempting });
      expect(await verdict(await pay(worker, 'https://example.com/'))).toEqual([503, 'not_configured']);
      const unpaid = await ask(worker, '/api/agent/full_audit', { method: 'POST' });
      expect(unpaid.headers.get('payment-required')).toBeNull();
      expect(await verdict(unpaid)).toEqual([503, 'not_configured']);
      expect((await ask(worker, '/openapi.json')).status).toBe(200);
    },
  );
});

describe('a deployment measures by an AI model, or not at all', () => {
  afterEach(stopStarted);

  test.each(sampleRows(settingsWithoutEngine, ENGINE_ROW_STEP))(
    '%s: 503 engine_not_configured on both measuring routes, paid or not',
    async (_what, changes) => {
      await expectNoEngine(await production({ ...tempting, ...changes }));
    },
  );

  test('an engine at a public https address is sold, and neither its key nor its address is in any answer', async () => {
    const worker = await production({ ANSWER_ENGINE: 'openai-compatible', REQUIRE_PAYER_PROOF_ABOVE_USD: '' });
    for (const capability of measuringRoutes) {
      const unpaid = await measureBy(worker, capability);
      expect([unpaid.status, unpaid.headers.has('payment-required')]).toEqual([402, true]);
      expect(await verdict(await measureBy(worker, capability, A_HASH))).toEqual([503, 'payment_unverifiable']);
    }
    expect(await unavailableIn(worker)).toEqual([]);
    for (const path of ['/api/agent/index', '/openapi.json', '/llms.txt']) {
      const text = await (await ask(worker, path)).text();
      for (const secret of ['sk-of-the-operator', 'engine.invalid']) expect(text).not.toContain(secret);
    }
  });
});

describe('P8: where the first block of the chain is that of Base, the local entry sells no demonstration', () => {
  let rpc: HttpServer;
  let genesis = '';
  const methods: string[] = [];
  beforeAll(async () => {
    rpc = await startHttpServer(async (incoming, response) => {
      const { id, method, params } = rpcCall.parse(JSON.parse(await readBody(incoming)));
      methods.push(method);
      sendJson(response, 200, { jsonrpc: '2.0', id, result: chainAnswer(method, params, genesis) });
    });
  });
  afterEach(stopStarted);
  afterAll(() => rpc.stop());

  /** The local entry with an engine; each Worker asks the chain of its first request only, so each is a new one. */
  const local = (engine: string, rpcUrl = rpc.url): Promise<LocalWorker> =>
    startedFrom(LOCAL_ENTRY, { ...tempting, ANSWER_ENGINE: engine, RPC_URL: rpcUrl });

  test.each(['simulated', 'recorded'])('ANSWER_ENGINE=%s: 503 engine_not_configured, paid or not', async (engine) => {
    genesis = BASE_GENESIS_HASH;
    methods.length = 0;
    const worker = await local(engine);
    for (const capability of measuringRoutes) {
      for (const credential of [undefined, A_HASH])
        expect(await verdict(await measureBy(worker, capability, credential))).toEqual([503, 'engine_not_configured']);
    }
    expect(methods).toContain('eth_getBlockByNumber');
  });

  test('on a chain of the same id with another first block it is sold', async () => {
    genesis = `0x${'ab'.repeat(32)}`;
    const worker = await local('simulated');
    for (const capability of measuringRoutes) expect((await measureBy(worker, capability)).status).toBe(402);
  });

  test('an engine that is a model is sold without a look at the chain', async () => {
    genesis = BASE_GENESIS_HASH;
    methods.length = 0;
    const worker = await local('openai-compatible');
    expect((await measureBy(worker, 'visibility_check')).status).toBe(402);
    expect(methods).toEqual([]);
  });

  test('a chain that cannot be read is no permission: 503 capability_unavailable', async () => {
    const nobody = await startHttpServer((_request, response) => void response.writeHead(500).end());
    try {
      const worker = await local('simulated', nobody.url);
      for (const credential of [undefined, A_HASH])
        expect(await verdict(await measureBy(worker, 'visibility_check', credential))).toEqual([
          503,
          'capability_unavailable',
        ]);
    } finally {
      await nobody.stop();
    }
  });
});

describe('F5: the webhook Worker as deployed', () => {
  /** As a deployment has them, but for what makes it work here: our own origins, and a directory with a token. */
  const variables = (directory: SmallDirectory, destinations: readonly object[]): Record<string, string> => {
    const { BASE_URL: _base, WEBHOOK_URL: _own, ...example } = exampleVariables();
    const here = { DIRECTORY_URL: directory.url, DIRECTORY_TOKEN: directory.token, DIRECTORY_KEY: '' };
    return { ...example, ...tempting, LOCAL_BLOCKED_PORTS: '', ...here, DESTINATIONS: JSON.stringify(destinations) };
  };
  const WAIT = { timeout: 30_000, interval: 250 };
  const active = (orgUnitPath: string) => ({ orgUnitPath, suspended: false });
  const messagesSchema = z.object({
    messages: z.array(z.looseObject({ state: z.string(), user_id: z.string().nullable() })),
  });
  /** Where a receiver is on its real port, and where others could be. */
  const destinationsOf = ({ destination }: SignedReceiver) =>
    Object.entries({
      'by-http': destination.url,
      'by-https': destination.url.replace('http:', 'https:'),
      'by-name': destination.url.replace('http://127.0.0.1', 'https://localhost'),
      'in-disguise': destination.url.replace('http://127.0.0.1', 'https://[::ffff:127.0.0.1]'),
      private: 'https://10.0.0.7/hooks',
      metadata: 'https://169.254.169.254/hooks',
    }).map(([name, url]) => ({ ...destination, name, url }));

  test('F3: tells no receiver on this machine or in a private network: the message is dead at once', async () => {
    const directory = await startSmallDirectory(new Map([['watched', active('/before')]]));
    const receiver = await startSignedReceiver();
    const destinations = destinationsOf(receiver);
    const webhookBindings = variables(directory, destinations);
    const stack = await startWebhookStack({ webhookEntry: WEBHOOK_ENTRY, webhookBindings });
    try {
      expect((await stack.operate('POST /channels', {})).status).toBe(201);
      const [channel] = directory.channels;
      if (channel === undefined) throw new Error('no channel was asked for');
      directory.users.set('added', active('/after'));
      await expect.poll(() => push(channel, { number: 2, state: 'add', userId: 'added' }), WAIT).toBe(true);
      const ofUser = async () =>
        messagesSchema
          .parse((await stack.operate('GET /messages')).body)
          .messages.filter((message) => message.user_id === 'added');
      const dead = { state: 'dead', tries: 1, last_error: expect.stringContaining('private_target') };
      await expect.poll(ofUser, WAIT).toEqual([expect.objectContaining(dead)]);
      const refused = () =>
        stack.lines.flatMap((line) =>
          line['event'] === 'delivery_dead' && String(line['effect']).startsWith('C00000001/added/')
            ? [`${String(line['sink'])} ${String(line['outcome'])}`]
            : [],
        );
      await expect
        .poll(() => refused().toSorted(), WAIT)
        .toEqual(destinations.map(({ name }) => `webhook:${name} refused`).toSorted());
      expect([receiver.received, receiver.turnedAway, receiver.refused]).toEqual([[], [], []]);
    } finally {
      await stack.stop();
      await Promise.all([directory.stop(), receiver.stop()]);
    }
  });

  test('F3: nothing of the local stack is in its bundle', async () => {
    const words = ['LOCAL_BLOCKED_PORTS', 'LOCAL_DIRECTORY_KEY', 'allowLoopbackExcept'];
    const [deployed, local] = [await readBundle(WEBHOOK_ENTRY), await readBundle(LOCAL_WEBHOOK_ENTRY)];
    expect(deployed).toContain('// src/webhook-worker.ts');
    expect(deployed).not.toMatch(/^\/\/ local\//m);
    for (const word of words) {
      expect(local).toContain(word);
      expect(deployed).not.toContain(word);
    }
  });
});

describe('the control Worker as deployed answers chats by an AI model, or not at all', () => {
  test('F3: nothing of the local stack, and no engine that is no model, is in its bundle', async () => {
    const [deployed, local] = [await readBundle(CONTROL_ENTRY), await readBundle(LOCAL_CONTROL_ENTRY)];
    expect(deployed).toContain('// src/control-worker.ts');
    expect(deployed).not.toMatch(/^\/\/ local\//m);
    for (const word of [
      'LOCAL_BLOCKED_PORTS',
      'allowLoopbackExcept',
      'simulated-extractive-1',
      'simulated-ngrams-256',
    ]) {
      expect(local).toContain(word);
      expect(deployed).not.toContain(word);
    }
  });

  test('and no variable makes it: a chat answers 503 where they name the simulated engine', async () => {
    // The tenant is a live one: its account has an id as the vendor forms them.
    const account = '5f'.repeat(16);
    const controlBindings = {
      ...tempting,
      EMBEDDING_ENGINE: 'simulated',
      EMULATOR: '1',
      FRONT_SECRET: exampleVariables()['FRONT_SECRET'] ?? '',
    };
    const stack = await startControlStack({ controlEntry: CONTROL_ENTRY, controlBindings });
    try {
      const token = await stack.anotherToken();
      const call = (path: string, body: object): Promise<Response> =>
        fetch(`${stack.world.url}/client/v4/accounts/${account}/ai-search/instances${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect((await call('', { id: 'docs' })).status).toBe(200);
      expect((await call('/docs/search', { query: 'anything' })).status).toBe(200);
      const chat = await call('/docs/chat/completions', { messages: [{ role: 'user', content: 'Why?' }] });
      expect([chat.status, await chat.text()]).toEqual([503, expect.stringContaining('"code":7012')]);
    } finally {
      await stack.stop();
    }
  });
});

const rpcCall = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()).default([]) });

/** A chain that has Base's id and one block. */
function chainAnswer(method: string, params: readonly unknown[], genesis: string): unknown {
  if (method === 'eth_chainId') return '0x2105';
  if (method !== 'eth_getBlockByNumber' || params[0] !== '0x0') return null;
  return { number: '0x0', hash: genesis, timestamp: '0x64899b67', transactions: [] };
}

describe('F3: the local entry reads this machine, but not the ports of its own stack', () => {
  let stack: Stack;
  let faults: FaultFacilitator;
  let neighbour: HttpServer;
  let bait: HttpServer;
  let neighbourReads = 0;

  beforeAll(async () => {
    stack = await startStack({
      facilitatorFor: async (url) => {
        faults = await startFaultFacilitator(url);
        return faults.url;
      },
    });
    neighbour = await startHttpServer((_request, response) => {
      neighbourReads += 1;
      response.end('ok');
    });
    bait = await startHttpServer((incoming, response) => {
      const path = incoming.url ?? '/';
      // What an auditor follows: redirects of well-known files, links, sitemaps, descriptions of servers.
      const own = `${faults.url}/supported`;
      if (path === '/robots.txt') return void response.writeHead(302, { location: own }).end();
      if (path === '/llms.txt') return void response.writeHead(302, { location: `${neighbour.url}/llms.txt` }).end();
      if (path === '/sitemap.xml') return void response.writeHead(307, { location: own }).end();
      if (path === '/.well-known/mcp.json')
        return void response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ mcpServers: { own: { url: own } } }));
      if (path === '/to-own') return void response.writeHead(302, { location: own }).end();
      if (path !== '/') return void response.writeHead(302, { location: own }).end();
      response.setHeader('link', `<${own}>; rel="service-desc"`).setHeader('content-type', 'text/html');
      return void response.end(
        `<title>bait</title><link rel="canonical" href="${own}"><a href="${own}">own</a><script src="${own}"></script>`,
      );
    });
  });
  afterAll(async () => {
    await stack.stop();
    await Promise.all([faults.stop(), neighbour.stop(), bait.stop()]);
  });

  const buy = async (url: string, capability = 'check_health'): Promise<Response> => {
    const order = { capability, body: { url } };
    return present(stack, order, await sign(stack, await stack.chain.freshAccount(10_000_000n), order));
  };

  test('as the named target they are refused before payment', async () => {
    const before = faults.calls.supported;
    for (const url of [
      stack.chain.rpcUrl,
      faults.url,
      stack.facilitator.url,
      stack.file.control ?? 'no control Worker',
      stack.file.webhook ?? 'no webhook Worker',
      faults.url.replace('127.0.0.1', 'localhost'),
    ]) {
      expect(await verdict(await buy(url))).toEqual([422, 'target_refused']);
    }
    expect(faults.calls.supported).toBe(before);
  });

  test('through links and redirects of an audited page they are not reached, while a neighbouring port is', async () => {
    const before = faults.calls.supported;
    expect((await buy(bait.url, 'full_audit')).status).toBe(200);
    expect(faults.calls.supported).toBe(before);
    expect(neighbourReads).toBeGreaterThan(0);
  });

  test('a target that redirects to one of them cannot be audited, and nothing is charged', async () => {
    const before = [faults.calls.supported, faults.calls.settle];
    const answer = await buy(`${bait.url}/to-own`);
    expect(await verdict(answer)).toEqual([422, 'target_unreachable']);
    expect([faults.calls.supported, faults.calls.settle]).toEqual(before);
  });

  test('A10: a foreign Host is 421 there too', async () => {
    const index = `${stack.api.url}/api/agent/index`;
    expect(await verdict(await requestAs('evil.example', index))).toEqual([421, 'wrong_host']);
    expect((await requestAs(new URL(index).host, index)).status).toBe(200);
  });
});
