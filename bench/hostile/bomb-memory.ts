import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Aim, atMost, round } from '../aims.ts';
import { peakMiBOf, residentMiBOf } from '../process-usage.ts';
import { bombOf } from './bombs.ts';
import { type RunningStack, withStack } from './load.ts';

/** Growth of workerd's resident set in MiB, at its peak; `atOnce`: of 50, and how long other requests waited (p99). */
export type DoorGrowth = {
  door: string;
  oneMiB: number;
  /** Left out where one alone takes so much that 50 would end the machine. */
  atOnce?: { mib: number; waitMs: number };
  answers: Readonly<Record<string, number>>;
};

const MEBIBYTES = 1024;
const AT_ONCE = 50;
const ONE_MIB = 64;
const FIFTY_MIB = 256;
const WAIT_S = 0.5;
const TIMEOUT_MS = 120_000;
const PROBE_EVERY_MS = 10;
const SETTLE_MS = 1_500;
const WARM_UPS = 20;
const ACCOUNT = 'b'.repeat(32);
const BOUNDARY = 'hostile';
/** A Worker that takes more than this is ended, so that a machine which others use stays up: the figure is then "at least". */
const END_AT_MIB = 3_072;
const WATCH_MS = 20;
/** Where one takes more than this, 50 are not tried. */
const MAX_FOR_FIFTY_MIB = 256;
/** Writing it to `clear_refs` begins the peak of a process anew. */
const NEW_PEAK = '5';

type Around = { stack: RunningStack; site: string; bomb: Buffer };
/** Sends the bomb once; `turn` tells the callers of several apart. Resolves to the status of the answer. */
type Door = {
  name: string;
  open?: (around: Around) => Promise<void>;
  send: (around: Around, turn: number) => Promise<string>;
};

const callerAt = (turn: number): string => `203.0.113.${turn % 250}`;
const agent = new Agent({ connections: AT_ONCE, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

async function post(url: string, headers: Record<string, string>, body: Buffer | string): Promise<string> {
  try {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
    const text = await answer.body.text();
    const code = /"(?:code|status)":\s?"(\w+)"/.exec(text)?.[1];
    return `${answer.statusCode}${code === undefined ? '' : ` ${code}`}`;
  } catch (error) {
    // A body that is refused unread ends the connection while it is still being sent.
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

const batch = ({ stack, bomb }: Around, turn: number, token: Record<string, string>): Promise<string> =>
  post(
    `${stack.control}/batch`,
    {
      'content-type': `multipart/mixed; boundary=${BOUNDARY}`,
      'content-encoding': 'gzip',
      'cf-connecting-ip': callerAt(turn),
      ...token,
    },
    bomb,
  );

const bearer = ({ token }: RunningStack): Record<string, string> => ({ authorization: `Bearer ${token}` });
const searchUrl = ({ control }: RunningStack): string => `${control}/client/v4/accounts/${ACCOUNT}/ai-search/instances`;

const doors: readonly Door[] = [
  { name: 'control POST /batch, no token', send: (around, turn) => batch(around, turn, {}) },
  { name: 'control POST /batch, valid token', send: (around, turn) => batch(around, turn, bearer(around.stack)) },
  {
    name: 'AI Search upload, valid token',
    open: async ({ stack }) => {
      const made = await post(
        searchUrl(stack),
        { 'content-type': 'application/json', ...bearer(stack) },
        JSON.stringify({ id: 'bench' }),
      );
      if (!made.startsWith('20')) throw new Error(`no instance was made: ${made}`);
    },
    send: ({ stack, bomb }) => {
      const headers = {
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-encoding': 'gzip',
        ...bearer(stack),
      };
      return post(`${searchUrl(stack)}/bench/items`, headers, bomb);
    },
  },
  {
    name: '.gz sitemap, free preview',
    send: async ({ stack, site }, turn) => {
      const headers = {
        'content-type': 'application/json',
        origin: stack.api,
        'sec-fetch-site': 'same-origin',
        'cf-connecting-ip': callerAt(turn),
      };
      return post(`${stack.api}/audit/stream`, headers, JSON.stringify({ url: `${site}/?n=${turn}` }));
    },
  },
];

/** A body of about a megabyte that inflates to 1 GiB, at each door by which bodies are inflated: once, then 50 at once. */
export async function measureBombs(say: (line: string) => void): Promise<readonly DoorGrowth[]> {
  const bomb = bombOf(MEBIBYTES);
  say(`bomb: ${round(bomb.length / 2 ** 20)} MiB that inflate to ${MEBIBYTES} MiB`);
  const measured: DoorGrowth[] = [];
  for (const door of doors) {
    // A stack of its own: what one door took and did not give back would hide what the next one takes.
    const growth = await withStack((stack, sites) =>
      measureDoor(door, { stack, site: sites['gz sitemap of 1 GiB'] ?? '', bomb }),
    );
    say(doorLine(growth));
    measured.push(growth);
  }
  return measured;
}

async function measureDoor(door: Door, around: Around): Promise<DoorGrowth> {
  const { stack } = around;
  for (let turn = 0; turn < WARM_UPS; turn += 1) await health(stack.api);
  await door.open?.(around);
  await door.send({ ...around, site: stack.good, bomb: bombOf(1) }, 0); // What is loaded at first use is no growth.
  await sleep(SETTLE_MS);
  const pid = stack.workerdPid;
  const answers: Record<string, number> = {};
  const send = async (turn: number): Promise<void> => {
    const answer = await door.send(around, turn);
    answers[answer] = (answers[answer] ?? 0) + 1;
  };
  const one = await growthDuring(pid, () => send(1));
  if (one > MAX_FOR_FIFTY_MIB) return { door: door.name, oneMiB: one, answers };
  await sleep(SETTLE_MS);
  const waits: number[] = [];
  const fifty = await growthDuring(pid, () =>
    probedWhile(stack.api, waits, () => Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => send(turn + 2)))),
  );
  const sorted = waits.toSorted((a, b) => a - b);
  const waitMs = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
  return { door: door.name, oneMiB: one, atOnce: { mib: fifty, waitMs }, answers };
}

async function growthDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  writeFileSync(`/proc/${pid}/clear_refs`, NEW_PEAK);
  const before = residentMiBOf(pid);
  let peak = before;
  const look = (): void => {
    peak = Math.max(peak, peakMiBOf(pid));
    if (peak > END_AT_MIB) process.kill(pid, 'SIGKILL');
  };
  const watching = setInterval(() => {
    if (peak <= END_AT_MIB) look();
  }, WATCH_MS);
  await work();
  clearInterval(watching);
  if (peak <= END_AT_MIB) look();
  return peak - before;
}

/** Asks for something that costs nothing again and again while `work` is done, and notes how long each answer took. */
async function probedWhile(api: string, waits: number[], work: () => Promise<unknown>): Promise<void> {
  const end = new AbortController();
  const probing = (async () => {
    while (!end.signal.aborted) {
      const startMs = performance.now();
      await health(api);
      waits.push(performance.now() - startMs);
      await sleep(PROBE_EVERY_MS);
    }
  })();
  await work();
  end.abort();
  await probing;
}

async function health(api: string): Promise<void> {
  const answer = await fetch(`${api}/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await answer.text();
}

function doorLine({ door, oneMiB, atOnce, answers }: DoorGrowth): string {
  const many =
    atOnce === undefined
      ? `${AT_ONCE} at once not tried`
      : `${AT_ONCE} at once +${round(atOnce.mib)} MiB, others wait ${round(atOnce.waitMs)} ms (p99)`;
  return `${door}: one +${round(oneMiB)} MiB, ${many}; answers ${JSON.stringify(answers)}`;
}

export const bombAims = (doorsMeasured: readonly DoorGrowth[]): Aim[] =>
  doorsMeasured.flatMap(({ door, oneMiB, atOnce }) => [
    atMost(`1 GiB bomb, ${door}: growth of workerd`, oneMiB, ONE_MIB, 'MiB'),
    ...(atOnce === undefined
      ? []
      : [
          atMost(`1 GiB bomb, ${door}: growth by ${AT_ONCE} at once`, atOnce.mib, FIFTY_MIB, 'MiB'),
          atMost(`1 GiB bomb, ${door}: others wait during ${AT_ONCE} at once (p99)`, atOnce.waitMs / 1000, WAIT_S, 's'),
        ]),
  ]);
