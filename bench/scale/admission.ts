import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { reservePort } from '../../local/ports.ts';
import { type Aim, atLeast, atMost } from '../aims.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { type Child, startPrinting, startServer } from '../children.ts';
import type { HostileSites } from '../hostile/sites-child.ts';
import { serveWorkerd } from '../workerd.ts';
import { signMany } from '../x402/payloads.ts';
import { ourHeader } from '../x402/servers.ts';
import { type AdmissionShare, ASSUMED_MIX, HARSH_MIX, modelAdmission } from './admission-model.ts';
import { type Inspector, openInspector } from './inspector.ts';

/** Audits that were offered to one isolate: what became of them, and its memory meanwhile by the inspector, in MB. */
export type Offered = {
  audits: number;
  previews: number;
  sold: number;
  refused: number;
  /** Of the refused ones, those that lacked `Retry-After`. */
  withoutRetry: number;
  previewsShown: number;
  settled: number;
  idleMb: number;
  peakMb: number;
  heldMb: number;
};
export type AdmissionResults = {
  /** 50 audits of 25 MiB at once, 8 previews of the same site before them. */
  large: Offered;
  /** The same with one character outside of Latin-1 on each page: its text takes two bytes a character. */
  wide: Offered;
  /** 12 a second of a site with pages of 100 KiB for ten seconds. */
  steady: Offered;
  /** Modelled, by sizes and times that are assumed. */
  modelled: { perS: number; usual: readonly AdmissionShare[]; harsh: readonly AdmissionShare[] };
};

const MB = 1e6;
const LIMIT_MB = 96;
const MAX_REFUSED_PERCENT = 1;
const PER_S = 12;
const STEADY_S = 10;
const LARGE = 50;
const PREVIEWS = 8;
const PREVIEWS_FIRST_MS = 300;
const ISOLATES = [1, 2, 4, 8, 12, 24, 48];
const MODELLED_AUDITS = 20_000;
const SAMPLE_MS = 50;
const TIMEOUT_MS = 300_000;
const PAY_TO = '0x00000000000000000000000000000000000a11ce';
const PATH = '/api/agent/full_audit';
/** The platform gives an isolate 128 MB: V8 must collect garbage as it would there. */
const V8_FLAGS = ['--max-old-space-size=80', '--max-semi-space-size=2'];
const fileOf = (name: string): string => new URL(name, import.meta.url).pathname;

type Isolate = { origin: string; inspector: Inspector; stub: string; close: () => Promise<void> };

export async function measureAdmission(say: (line: string) => void): Promise<AdmissionResults> {
  const hostile = await startPrinting<HostileSites>(fileOf('../hostile/sites-child.ts'), []);
  const good = await startServer(fileOf('../audit/site-server.ts'));
  try {
    const largeSite = hostile.sites['site of 25 MiB'] ?? '';
    const large = await offer({ site: largeSite, audits: LARGE, everyMs: 0, previews: PREVIEWS });
    say(`50 audits of 25 MiB: ${describe(large)}`);
    const wideSite = hostile.sites['wide site of 25 MiB'] ?? '';
    const wide = await offer({ site: wideSite, audits: LARGE, everyMs: 0, previews: PREVIEWS });
    say(`50 audits of 25 MiB outside of Latin-1: ${describe(wide)}`);
    const everyMs = 1000 / PER_S;
    const steady = await offer({
      site: `http://127.0.0.1:${good.port}`,
      audits: PER_S * STEADY_S,
      everyMs,
      previews: 0,
    });
    say(`12 audits a second: ${describe(steady)}`);
    const shares = (mix: typeof ASSUMED_MIX) => ISOLATES.map((n) => modelAdmission(PER_S, n, MODELLED_AUDITS, mix));
    const modelled = { perS: PER_S, usual: shares(ASSUMED_MIX), harsh: shares(HARSH_MIX) };
    for (const { isolates, share } of modelled.usual)
      say(`12 audits a second over ${isolates} isolates, modelled: ${(100 * share).toFixed(2)} % refused`);
    return { large, wide, steady, modelled };
  } finally {
    await Promise.all([hostile.stop(), good.stop()]);
  }
}

const describe = ({ sold, refused, peakMb, heldMb, idleMb }: Offered): string =>
  `${sold} sold, ${refused} refused; heap and buffers ${peakMb.toFixed(0)} MB at most (idle ${idleMb.toFixed(0)}), counted ${heldMb.toFixed(0)} MB`;

type Offer = { site: string; audits: number; everyMs: number; previews: number };

async function offer({ site, audits, everyMs, previews }: Offer): Promise<Offered> {
  const isolate = await startIsolate();
  try {
    const idle = await isolate.inspector.heapUse();
    const signers = Array.from({ length: audits }, () => {
      const key = generatePrivateKey();
      return { key, from: privateKeyToAccount(key).address };
    });
    const payloads = await signMany(audits, signers, PAY_TO, 'full_audit');
    const agent = new Agent({ connections: audits + previews, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    const watch = watchMemory(isolate);
    const shown = Array.from({ length: previews }, (_, turn) => preview(isolate, agent, `${site}/?preview=${turn}`));
    if (previews > 0) await sleep(PREVIEWS_FIRST_MS);
    const answers = payloads.map(async (payload, turn) => {
      await sleep(turn * everyMs);
      const headers = {
        'content-type': 'application/json',
        'payment-signature': ourHeader(payload, `${isolate.origin}${PATH}`),
      };
      const body = JSON.stringify({ url: `${site}/?audit=${turn}` });
      const answer = await request(`${isolate.origin}${PATH}`, { method: 'POST', dispatcher: agent, headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 200 && answer.statusCode !== 503)
        throw new Error(`an audit is answered ${answer.statusCode}: ${text.slice(0, 300)}`);
      return { status: answer.statusCode, hasRetry: answer.headers['retry-after'] !== undefined };
    });
    const all = await Promise.all(answers);
    const previewsShown = (await Promise.all(shown)).filter(Boolean).length;
    const { peak, held } = await watch();
    const refused = all.filter(({ status }) => status === 503);
    return {
      audits,
      previews,
      sold: all.length - refused.length,
      refused: refused.length,
      withoutRetry: refused.filter(({ hasRetry }) => !hasRetry).length,
      previewsShown,
      settled: await countSettlements(isolate.stub),
      idleMb: (idle.heap + idle.buffers) / MB,
      peakMb: peak / MB,
      heldMb: held / MB,
    };
  } finally {
    await isolate.close();
  }
}

async function startIsolate(): Promise<Isolate> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const stub = await startServer(fileOf('../x402/stub-services.ts'));
  const [port, inspectorPort] = [await reservePort(0, 'the isolate', ''), await reservePort(0, 'its inspector', '')];
  const origin = `http://127.0.0.1:${port}`;
  const facilitator = `http://127.0.0.1:${stub.port}`;
  const running: Child = await serveWorkerd(
    {
      folder,
      port,
      inspectorPort,
      v8Flags: V8_FLAGS,
      flags: ['enable_request_signal'],
      script: await bundleForWorkerd(fileOf('admission-worker.ts')),
      bindings: {
        BASE_URL: origin,
        PAY_TO,
        RPC_URL: `${facilitator}/rpc`,
        FACILITATOR_URL: facilitator,
        LEDGER_SECRET: randomBytes(32).toString('hex'),
        FACILITATOR_CALLS_PER_S: '100000',
      },
      durableObjects: [
        { className: 'PaymentLedger', binding: 'PAYMENT_LEDGER' },
        { className: 'RateCounter', binding: 'RATE_COUNTER' },
        { className: 'TargetGate', binding: 'TARGET_GATE' },
      ],
    },
    { method: 'GET', path: '/health' },
  );
  const inspector = await openInspector(inspectorPort);
  const close = async (): Promise<void> => {
    inspector.close();
    await Promise.all([running.stop(), stub.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
  return { origin, inspector, stub: facilitator, close };
}

const heldSchema = z.object({ mostHeld: z.number() });

/** Asks the inspector again and again until it is stopped. */
function watchMemory({ inspector, origin }: Isolate): () => Promise<{ peak: number; held: number }> {
  const end = new AbortController();
  let peak = 0;
  const watching = (async () => {
    while (!end.signal.aborted) {
      const { heap, buffers } = await inspector.heapUse();
      peak = Math.max(peak, heap + buffers);
      await sleep(SAMPLE_MS);
    }
  })();
  return async () => {
    end.abort();
    await watching;
    const { mostHeld } = heldSchema.parse(await (await fetch(`${origin}/bench/held`)).json());
    return { peak, held: mostHeld };
  };
}

/** Whether the preview showed a result. */
async function preview({ origin }: Isolate, agent: Agent, url: string): Promise<boolean> {
  const headers = {
    'content-type': 'application/json',
    origin,
    'sec-fetch-site': 'same-origin',
    accept: 'text/event-stream',
  };
  const body = JSON.stringify({ url });
  const answer = await request(`${origin}/audit/stream`, { method: 'POST', dispatcher: agent, headers, body });
  return (await answer.body.text()).includes('event: result');
}

const countsSchema = z.record(z.string(), z.number());

async function countSettlements(stub: string): Promise<number> {
  const counts = countsSchema.parse(await (await fetch(`${stub}/counts`)).json());
  return counts['/settle'] ?? 0;
}

export function admissionAims({ large, wide, steady, modelled }: AdmissionResults): Aim[] {
  const usual = modelled.usual.find(({ isolates }) => isolates === MODELLED_FOR_AIM);
  return [
    atMost(
      'scale, 50 audits of 25 MiB offered to one isolate: heap and held bytes by the inspector',
      large.peakMb,
      LIMIT_MB,
      'MB',
    ),
    atMost('scale, the same with one character outside of Latin-1 on each page', wide.peakMb, LIMIT_MB, 'MB'),
    atLeast('scale, audits sold of these 50 in both runs, the fewer', Math.min(large.sold, wide.sold), 1, ''),
    atMost(
      'scale, 12 audits a second in one isolate: heap and held bytes by the inspector',
      steady.peakMb,
      LIMIT_MB,
      'MB',
    ),
    atMost(
      'scale, audits settled and not delivered, or refused without Retry-After',
      [large, wide, steady].reduce((sum, one) => sum + Math.abs(one.settled - one.sold) + one.withoutRetry, 0),
      0,
      '',
    ),
    atMost(
      `scale, modelled: audits refused at 12 a second over ${MODELLED_FOR_AIM} isolates`,
      100 * (usual?.share ?? Number.NaN),
      MAX_REFUSED_PERCENT,
      '%',
    ),
  ];
}

/** One audit a second for each: ten times what its processor carries is not offered to an isolate. */
const MODELLED_FOR_AIM = 12;
