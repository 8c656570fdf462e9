import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { type Aim, atMost } from '../aims.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { peakMiBOf } from '../process-usage.ts';
import { serveWorkerd } from '../workerd.ts';
import { inTurns, type Round, shown, type Side, startOurs } from './sides.ts';
import { type Size, statusOf } from './tenant.ts';
import { TOKEN } from './token.ts';

/** Ours against a Worker that answers the same bodies without looking: what its work costs. Nobody set an aim for it. */
export type AgainstCanned = { call: string; ours: Round; canned: Round; ratio: number };
export type Growth = { call: string; smallUs: number; largeUs: number; ratio: number };
export type ManagementResults = {
  againstCanned: readonly AgainstCanned[];
  growth: readonly Growth[];
  sizes: readonly Record<string, number>[];
  aims: readonly Aim[];
};

/** Time per call with 100,000 users against 1,000. */
const MAX_GROWTH = 2;
const SMALL: Size = { users: 1_000, groups: 100, memberships: 10_000 };
const LARGE: Size = { users: 100_000, groups: 10_000, memberships: 1_000_000 };
const COMPARED = ['users.get', 'users.list(500)', 'users.insert'] as const;
const GROWING = [...COMPARED, 'members.insert', 'members.list', 'members.hasMember'] as const;

/** Loads a tenant twice, small and large, and measures calls through the official client: against a canned body, and against each other. */
export async function measureManagement(say: (line: string) => void): Promise<ManagementResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const sides: Side[] = [];
  const start = async (starting: Promise<Side>): Promise<Side> => {
    const side = await starting;
    sides.push(side);
    return side;
  };
  try {
    const small = await start(startOurs('small', SMALL, folder, say));
    const canned = await start(startCanned(small, folder));
    const againstCanned: AgainstCanned[] = [];
    for (const call of COMPARED) againstCanned.push(await compare(call, small, canned, folder, say));
    const large = await start(startOurs('large', LARGE, folder, say));
    const growth: Growth[] = [];
    for (const call of GROWING) growth.push(await grow(call, small, large, folder, say));
    const sizes = await Promise.all([small, large].map(sizeOf));
    for (const size of sizes) say(`size ${JSON.stringify(size)}`);
    return { againstCanned, growth, sizes, aims: aimsOf(growth) };
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

const aimsOf = (growth: readonly Growth[]): readonly Aim[] =>
  growth.map(({ call, ratio }) =>
    atMost(`management, ${call} with 100,000 users against 1,000, CPU per call`, ratio, MAX_GROWTH, 'x'),
  );

/** The bodies are those that ours answers, so that both clients read the same. */
async function startCanned(ours: Side, around: string): Promise<Side> {
  const port = await reservePort(0, 'canned', '');
  const folder = join(around, 'canned');
  mkdirSync(folder, { recursive: true });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const read = async (path: string): Promise<string> =>
    (await fetch(`${ours.origin}/admin/directory/v1/${path}`, { headers })).text();
  const got = await read(`users/${ours.keys.users[0] ?? ''}`);
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(new URL('canned-worker.ts', import.meta.url).pathname),
      bindings: { GOT: got, INSERTED: got, LISTED: await read('users?customer=my_customer&maxResults=500') },
    },
    { method: 'GET', path: '/' },
  );
  return { ...running, name: 'canned', origin: `http://127.0.0.1:${port}`, keys: ours.keys };
}

async function compare(
  call: string,
  ours: Side,
  canned: Side,
  folder: string,
  say: (line: string) => void,
): Promise<AgainstCanned> {
  const [mine, theirs] = await inTurns(call, [ours, canned], folder);
  const ratio = mine.perS / theirs.perS;
  say(`${call}: ours ${shown(mine)}, canned body ${shown(theirs)}: ${ratio.toFixed(2)} x`);
  return { call, ours: mine, canned: theirs, ratio };
}

async function grow(
  call: string,
  small: Side,
  large: Side,
  folder: string,
  say: (line: string) => void,
): Promise<Growth> {
  const [one, other] = await inTurns(call, [small, large], folder);
  const ratio = other.cpuUs / one.cpuUs;
  say(`${call}: ${shown(one)} with 1,000 users, ${shown(other)} with 100,000: ${ratio.toFixed(2)} x`);
  return { call, smallUs: one.cpuUs, largeUs: other.cpuUs, ratio };
}

async function sizeOf({ origin, pid }: Side): Promise<Record<string, number>> {
  return { ...(await statusOf(origin)), peakMiB: Math.round(peakMiBOf(pid)) };
}
