import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { type Child, runNode } from '../children.ts';
import { cpuMsOf } from '../process-usage.ts';
import { serveWorkerd } from '../workerd.ts';
import { type Keys, keysOf, loaded, type Size } from './tenant.ts';

/** Requests a second of the best round and the least CPU of a request, in microseconds. */
export type Round = { perS: number; cpuUs: number };
/** A Worker under plain workerd, with keys of its tenant that calls go round over. */
export type Side = Child & { name: string; origin: string; keys: Keys };

const ROUNDS = 3;
const ROUND_S = 3;
const WARM_UP_S = 1;
const CONNECTIONS = 8;

/** The control Worker with a tenant of a size. */
export async function startOurs(name: string, size: Size, around: string, say: (line: string) => void): Promise<Side> {
  const port = await reservePort(0, name, '');
  const origin = `http://127.0.0.1:${port}`;
  const folder = join(around, name);
  mkdirSync(folder, { recursive: true });
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(new URL('ours-worker.ts', import.meta.url).pathname),
      flags: ['enable_request_signal'],
      bindings: { BASE_URL: origin, CONTROL_URL: origin, EMULATOR: '1' },
      durableObjects: [
        { className: 'ResourceStore', binding: 'RESOURCE_STORE' },
        { className: 'TenantRegistry', binding: 'TENANT_REGISTRY' },
        { className: 'EntryStore', binding: 'ENTRY_STORE' },
      ],
    },
    { method: 'GET', path: '/' },
  );
  const beforeMs = cpuMsOf(running.pid);
  const startedMs = performance.now();
  await loaded(origin, size);
  const rows = size.users + size.groups + size.memberships;
  const tookS = (performance.now() - startedMs) / 1000;
  say(
    `${name}: ${rows} rows loaded in ${tookS.toFixed(0)} s, ${(((cpuMsOf(running.pid) - beforeMs) * 1000) / rows).toFixed(0)} us CPU a row`,
  );
  return { ...running, name, origin, keys: await keysOf(origin) };
}

export const shown = ({ perS, cpuUs }: Round): string => `${perS.toFixed(0)} calls/s (${cpuUs.toFixed(0)} us CPU)`;

/** Rounds of both sides, or of two calls, in turns, so that a noisy minute hits both; the best of each. */
export async function inTurns(
  calls: string | readonly [string, string],
  sides: readonly [Side, Side],
  folder: string,
): Promise<[Round, Round]> {
  const rounds: [Round[], Round[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const index of [0, 1] as const) {
      const call = typeof calls === 'string' ? calls : calls[index];
      const result = await runRound(call, sides[index], join(folder, 'job.json'), round);
      if (round > 0) rounds[index].push(result);
    }
  }
  return [bestOf(rounds[0]), bestOf(rounds[1])];
}

const bestOf = (rounds: readonly Round[]): Round => ({
  perS: Math.max(...rounds.map(({ perS }) => perS)),
  cpuUs: Math.min(...rounds.map(({ cpuUs }) => cpuUs)),
});

async function runRound(
  call: string,
  { origin, pid, keys, name }: Side,
  jobFile: string,
  round: number,
): Promise<Round> {
  const seconds = round === 0 ? WARM_UP_S : ROUND_S;
  const prefix = `${call.replaceAll(/[^a-z]/gi, '')}-${name}-${round}-${Date.now()}`;
  writeFileSync(
    jobFile,
    JSON.stringify({ rootUrl: `${origin}/`, call, connections: CONNECTIONS, seconds, names: keys, prefix }),
  );
  const beforeMs = cpuMsOf(pid);
  const client = new URL('client.mjs', import.meta.url).pathname;
  const { requests, elapsedS } = JSON.parse(await runNode([client, jobFile])) as { requests: number; elapsedS: number };
  return { perS: requests / elapsedS, cpuUs: ((cpuMsOf(pid) - beforeMs) * 1000) / requests };
}
