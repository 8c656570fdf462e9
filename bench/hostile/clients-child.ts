/** The clients of the load in a process of their own: answers a `LoadJob` by a `LoadReport`. */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import type { LaneName, LaneReport, LoadJob, LoadReport } from './lanes.ts';

const CALLERS = 8_192;
const REQUEST_TIMEOUT_MS = 90_000;
const MAX_ERRORS_TOLD = 5;
const TOLD_CHARS = 300;
/** Longest wait before a client that was told to come back does so. */
const MAX_RETRY_MS = 2_000;
const MAX_REPEATS = 60;

/** One request: what it is called in the counts, and whether that is as it should be. */
type Seen = { outcome: string; kind: 'good' | 'refused' | 'error'; retryMs?: number };
/** `again` counts what a repeat that follows at once saw. */
type Send = (client: Client, turn: number, again: (seen: Seen) => void) => Promise<Seen | undefined>;
type Tally = {
  times: number[];
  requests: number;
  refused: number;
  outcomes: Record<string, number>;
  errors: string[];
  errorCount: number;
};

process.on('message', (job: LoadJob) => {
  void run(job).then((report) => process.send?.(report));
});

async function run(job: LoadJob): Promise<LoadReport> {
  const { paymentsFile } = job;
  const payments = paymentsFile === undefined ? [] : (JSON.parse(readFileSync(paymentsFile, 'utf8')) as string[]);
  const front = job.connections === undefined ? undefined : frontOf(job.api, job.connections);
  let nextPayment = 0;
  let isOutOfPayments = false;
  const body = JSON.stringify({ url: `${job.good}/` });
  const sends: Readonly<Record<LaneName, Send>> = {
    unpaid: (client, turn) => unpaid(client, turn, body),
    paid: async (client, turn, again) => {
      const payment = payments[nextPayment];
      nextPayment += 1;
      if (payment !== undefined) return untilDecided(() => paid(client, turn, body, payment), again);
      isOutOfPayments = true;
      return undefined;
    },
    preview: (client, turn) => preview(client, turn, `${job.good}/?n=${turn}`, job.api),
    hostile: (client, turn) =>
      preview(client, turn, `${job.hostileSites[turn % job.hostileSites.length]}/?n=${turn}`, job.api),
  };
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  const names = Object.keys(sends) as LaneName[];
  const tallies = await Promise.all(
    names.map(async (name) => [name, await lane(job, name, sends[name], front)] as const),
  );
  lag.disable();
  const timedS = job.seconds - job.warmUpS;
  const lanes = Object.fromEntries(tallies.map(([name, tally]) => [name, reportOf(tally, timedS)]));
  return { lanes: lanes as LoadReport['lanes'], clientLagMs: lag.max / 1e6, isOutOfPayments };
}

async function lane(job: LoadJob, name: LaneName, send: Send, front: Front | undefined): Promise<Tally> {
  const tally: Tally = { times: [], requests: 0, refused: 0, outcomes: {}, errors: [], errorCount: 0 };
  const startMs = performance.now();
  let turn = 0;
  const one = async (): Promise<void> => {
    const own = front === undefined ? newClient(job.api) : undefined;
    if (name === 'hostile') await sleep(job.hostileFromS * 1000);
    while (performance.now() - startMs < job.seconds * 1000) {
      turn += 1;
      const mine = turn; // Others go on counting while this one waits for a connection.
      const sentMs = performance.now();
      let repeats = 0;
      const again = (seen: Seen): void => {
        repeats += 1;
        note(tally, seen);
      };
      const failed = (error: unknown): Seen => ({ outcome: String(error), kind: 'error' });
      const client = own ?? (await front?.take()) ?? newClient(job.api);
      const seen = await send(client, mine, again).catch(failed);
      front?.give(client);
      if (seen === undefined) break; // Nothing left to send.
      note(tally, seen);
      const isTimed = sentMs - startMs >= job.warmUpS * 1000 && seen.kind === 'good' && repeats === 0;
      if (isTimed) tally.times.push(performance.now() - sentMs);
      if (seen.retryMs !== undefined) await sleep(Math.min(seen.retryMs, MAX_RETRY_MS));
    }
    await own?.close();
  };
  await Promise.all(Array.from({ length: job.clients[name] }, one));
  return tally;
}

const newClient = (api: string): Client =>
  new Client(api, { headersTimeout: REQUEST_TIMEOUT_MS, bodyTimeout: REQUEST_TIMEOUT_MS });

/** A bounded number of connections, handed out in the order in which they were asked for. */
type Front = { take: () => Promise<Client>; give: (client: Client) => void };

function frontOf(api: string, connections: number): Front {
  const free = Array.from({ length: connections }, () => newClient(api));
  const waiting: ((client: Client) => void)[] = [];
  return {
    take: () => {
      const client = free.pop();
      return client === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(client);
    },
    give: (client) => {
      const next = waiting.shift();
      if (next === undefined) free.push(client);
      else next(client);
    },
  };
}

function note(tally: Tally, { outcome, kind }: Seen): void {
  tally.requests += 1;
  tally.outcomes[outcome] = (tally.outcomes[outcome] ?? 0) + 1;
  if (kind === 'refused') tally.refused += 1;
  if (kind !== 'error') return;
  tally.errorCount += 1;
  if (tally.errors.length < MAX_ERRORS_TOLD) tally.errors.push(outcome);
}

function reportOf({ times, requests, refused, outcomes, errors, errorCount }: Tally, timedS: number): LaneReport {
  const sorted = Float64Array.from(times).toSorted();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const delivered = { requests, refused, outcomes, errors, errorCount };
  return {
    ...delivered,
    timed: sorted.length,
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: at(1),
    perS: sorted.length / timedS,
  };
}

/** Limits count callers by this header where a platform's front sets it. */
const callerAt = (turn: number): string => {
  const index = turn % CALLERS;
  return `198.18.${index >> 8}.${index & 255}`;
};

const headersFor = (turn: number): Record<string, string> => ({
  'content-type': 'application/json',
  'cf-connecting-ip': callerAt(turn),
});

/** A payment is presented until it is sold or refused for good, as an honest buyer does. */
async function untilDecided(send: () => Promise<Seen>, again: (seen: Seen) => void): Promise<Seen> {
  for (let repeat = 0; repeat < MAX_REPEATS; repeat += 1) {
    const seen = await send();
    if (seen.retryMs === undefined) return seen;
    again(seen);
    await sleep(Math.min(seen.retryMs, MAX_RETRY_MS));
  }
  return { outcome: 'undecided', kind: 'error' };
}

const PATH = '/api/agent/check_health';

async function unpaid(client: Client, turn: number, body: string): Promise<Seen> {
  const answer = await client.request({ method: 'POST', path: PATH, headers: headersFor(turn), body });
  const text = await answer.body.text();
  const seen = seenOf(answer.statusCode, 402, answer.headers['retry-after']);
  return seen.kind === 'error' ? { ...seen, outcome: `${seen.outcome} ${text.slice(0, TOLD_CHARS)}` } : seen;
}

async function paid(client: Client, turn: number, body: string, payment: string): Promise<Seen> {
  const headers = { ...headersFor(turn), 'payment-signature': payment };
  const answer = await client.request({ method: 'POST', path: PATH, headers, body });
  const text = await answer.body.text();
  const seen = seenOf(answer.statusCode, 200, answer.headers['retry-after']);
  return seen.kind === 'error' ? { ...seen, outcome: `${seen.outcome} ${text.slice(0, TOLD_CHARS)}` } : seen;
}

/** As the page of the service asks for it: its last event is the result, or a problem that says why there is none. */
async function preview(client: Client, turn: number, url: string, origin: string): Promise<Seen> {
  const headers = { ...headersFor(turn), origin, 'sec-fetch-site': 'same-origin', accept: 'text/event-stream' };
  const answer = await client.request({
    method: 'POST',
    path: '/audit/stream',
    headers,
    body: JSON.stringify({ url }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) return seenOf(answer.statusCode, 200, answer.headers['retry-after']);
  if (text.includes('event: result')) return { outcome: 'result', kind: 'good' };
  const [, data = '{}'] = /event: problem\ndata: (.*)/.exec(text) ?? [];
  const { code = 'no result', status = 0 } = JSON.parse(data) as { code?: string; status?: number };
  if (status === 503) return { outcome: code, kind: 'refused', retryMs: MAX_RETRY_MS };
  return { outcome: code, kind: code === 'target_unreachable' ? 'good' : 'error' };
}

function seenOf(status: number, wanted: number, retryAfter: string | string[] | undefined): Seen {
  if (status === wanted) return { outcome: String(status), kind: 'good' };
  if ((status === 503 || status === 409) && typeof retryAfter === 'string')
    return { outcome: String(status), kind: 'refused', retryMs: Number(retryAfter) * 1000 };
  return { outcome: String(status), kind: 'error' };
}
