import {
  convertV4MiniflareOptions,
  Miniflare,
  type Request as WorkerRequest,
  Response as WorkerResponse,
} from 'miniflare';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStandIn } from '../../../local/stripe/stand-in.ts';
import { signEvent } from '../../../local/stripe/webhooks.ts';
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS } from '../../../local/worker-resources-data.ts';
import {
  encodeChallenge,
  type PasskeyJudge,
  readPasskeyAssertion,
  readPasskeyAttestation,
  verifyAssertion,
  verifyAttestation,
} from '../../../src/authorization/people/passkeys.ts';
import { createRemotePasskeyJudge } from '../../../src/authorization/people/remote-passkey-judge.ts';
import {
  type CardService,
  createRemoteEventJudge,
  createRemoteStripe,
} from '../../../src/payment/cards/remote-stripe.ts';
import { startPurchase } from '../../../src/payment/cards/purchases.ts';
import { makeSoftPasskey, type PasskeyChanges } from '../../support/workers/soft-passkey.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BUILD_MS = 60_000;
const SECRET_KEY = 'sk_test_of_the_models_worker';
const WEBHOOK_SECRET = 'whsec_of_the_models_worker';
const ORIGIN = 'https://sightline.test';
const terms = { origin: ORIGIN, rpId: 'sightline.test' };
/** Makes one call of the binding for each request, as the api Worker does. */
const CALLER = `export default {
  async fetch(request, { MODELS }) {
    const { method, args } = await request.json();
    if (method === 'judgeCardEvent') args[0] = new TextEncoder().encode(args[0]);
    const value = await MODELS[method](...args);
    return Response.json({ value });
  },
};`;

/** The bundle that a deployment uploads, made by the tool that uploads it. */
function bundleModelsWorker(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-models-'));
  try {
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
    const config = ['--config', 'wrangler.models.toml', '--env', 'production', '--outdir', folder];
    execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', ...config], {
      cwd: ROOT,
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
      stdio: 'ignore',
      timeout: BUILD_MS,
    });
    return readFileSync(join(folder, 'models-worker.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const stripe = createStandIn({
  secretKey: SECRET_KEY,
  webhookSecrets: [WEBHOOK_SECRET],
  url: () => 'https://api.stripe.com',
  webhookUrl: () => undefined,
});
const outgoing: string[] = [];
async function answerStripe(request: WorkerRequest): Promise<WorkerResponse> {
  outgoing.push(new URL(request.url).hostname);
  const { url, method } = request;
  const body = method === 'GET' ? {} : { body: await request.text() };
  const answer = await stripe.answer(new Request(url, { method, headers: [...request.headers], ...body }));
  return new WorkerResponse(await answer.text(), { status: answer.status, headers: [...answer.headers] });
}

let miniflare: Miniflare;
beforeAll(() => {
  const compatibility = { compatibilityDate: COMPATIBILITY_DATE, compatibilityFlags: [...COMPATIBILITY_FLAGS] };
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          name: 'api',
          ...compatibility,
          modules: [{ type: 'ESModule', path: 'caller.js', contents: CALLER }],
          serviceBindings: { MODELS: { name: 'models', entrypoint: 'Models' } },
        },
        {
          name: 'models',
          ...compatibility,
          modules: [{ type: 'ESModule', path: 'models-worker.js', contents: bundleModelsWorker() }],
          outboundService: answerStripe,
        },
      ],
    }),
  );
}, BUILD_MS);
afterAll(() => miniflare.dispose());

async function call<T>(method: string, ...args: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ method, args });
  const answer = await miniflare.dispatchFetch('http://localhost/', { method: 'POST', body });
  return ((await answer.json()) as { value: T }).value;
}
const cards: CardService = {
  callStripe: (account, method, ...args) => call('callStripe', account, method, ...args),
  judgeCardEvent: (bytes, ...more) => call('judgeCardEvent', new TextDecoder().decode(bytes), ...more),
};
const judge = createRemotePasskeyJudge({
  judgeAssertion: (asked) => call('judgeAssertion', asked),
  judgeAttestation: (asked) => call('judgeAttestation', asked),
} satisfies PasskeyJudge);

describe('the Worker of models as it is deployed', () => {
  test('judges a new passkey, its sign-ins, and those of another key or host', async () => {
    const passkey = await makeSoftPasskey(terms.rpId, ORIGIN);
    const challenge = encodeChallenge('a-nonce');
    const made = readPasskeyAttestation(await passkey.register({ challenge }));
    if (made === undefined) throw new Error('unreadable');
    const stored = await verifyAttestation(made, { terms, challenge, judge, label: 'Desk', nowMs: 1 });
    if (!stored.ok) throw new Error(stored.reason);
    expect(stored.passkey).toMatchObject({ kind: 'passkey', id: passkey.id, label: 'Desk', isSynced: false });
    const signIn = async (changes: PasskeyChanges = {}) => {
      const given = readPasskeyAssertion(await passkey.sign({ challenge }, changes));
      if (given === undefined) throw new Error('unreadable');
      return verifyAssertion(given, stored.passkey, { terms, challenge, judge });
    };
    expect(await signIn({ counter: 7 })).toEqual({ ok: true, counter: 7, isSynced: false });
    for (const changes of [{ isForged: true }, { rpId: 'evil.example' }, { isUserAbsent: true }])
      expect(await signIn(changes)).toEqual({ ok: false, reason: 'bad_passkey' });
  });

  test('judges signatures of card events', async () => {
    const judgeEvent = createRemoteEventJudge(cards);
    const event = { id: 'evt_1', object: 'event', type: 'checkout.session.completed' };
    const nowMs = Date.now();
    const ask = async (secret: string) => {
      const signature = await signEvent(JSON.stringify(event), [secret], Math.floor(nowMs / 1000));
      const bytes = new TextEncoder().encode(JSON.stringify(event));
      return judgeEvent(bytes, signature, { secrets: [WEBHOOK_SECRET], nowMs });
    };
    expect(await ask(WEBHOOK_SECRET)).toEqual({ verdict: 'good', value: event });
    expect(await ask('whsec_forged')).toEqual({ verdict: 'bad' });
  });

  test('asks Stripe with the key of each call, and nothing else on the network', async () => {
    const order = { id: 'a'.repeat(32), account: 'b', creditObject: 'b', pack: 'credits_5', cents: 500 };
    const purchase = startPurchase(order, Date.now());
    const places = { returnUrl: `${ORIGIN}/back`, cancelUrl: `${ORIGIN}/no`, title: 'Credits' };
    const port = createRemoteStripe(cards, { secretKey: SECRET_KEY, isLive: false });
    const opened = await port.createSession(purchase, places);
    if (!opened.ok) throw new Error(opened.code);
    expect(await port.createSession(purchase, places)).toEqual(opened);
    const { sessionId } = opened.value;
    expect(await port.readSession(sessionId)).toMatchObject({ ok: true, value: { status: 'open' } });
    expect(await port.expireSession(sessionId)).toMatchObject({ ok: true });
    expect(await port.readSession('cs_none')).toMatchObject({ ok: false, reason: 'gone' });
    const stranger = createRemoteStripe(cards, { secretKey: 'sk_test_of_someone', isLive: false });
    expect(await stranger.readSession(sessionId)).toMatchObject({ ok: false, reason: 'refused' });
    expect(new Set(outgoing)).toEqual(new Set(['api.stripe.com']));
  });
});
