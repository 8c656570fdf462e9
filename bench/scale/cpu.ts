import type { Senders } from './kinds.ts';
import { KINDS, type KindName } from './plan-data.ts';
import { cpuMsOf } from '../process-usage.ts';

/** CPU of one request in microseconds, of the whole workerd, and how many a second two cores carried. */
export type KindCpu = { cpuUs: number; perS: number };

type Round = { requests: number; connections: number };
const ROUNDS: Readonly<Record<KindName, Round>> = {
  unpaid: { requests: 3_000, connections: 16 },
  management: { requests: 1_000, connections: 8 },
  audit: { requests: 16, connections: 2 },
  measurement: { requests: 12, connections: 2 },
  push: { requests: 500, connections: 8 },
};
const WARM_UP_SHARE = 0.25;

/** Puts each kind on a stack in turn, as fast as it answers, and takes the CPU of workerd while it does. */
export async function measureCpu(
  pid: number,
  senders: Senders,
  say: (line: string) => void,
): Promise<Readonly<Record<KindName, KindCpu>>> {
  const measured: Partial<Record<KindName, KindCpu>> = {};
  let key = 0;
  const run = ({ requests, connections }: Round, name: KindName): Promise<unknown> => {
    let left = requests;
    const one = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        key += 1;
        await senders[name].send(key);
      }
    };
    return Promise.all(Array.from({ length: connections }, one));
  };
  for (const { name } of KINDS) {
    const round = ROUNDS[name];
    await run({ ...round, requests: Math.ceil(round.requests * WARM_UP_SHARE) }, name);
    const [beforeMs, startedMs] = [cpuMsOf(pid), performance.now()];
    await run(round, name);
    const tookS = (performance.now() - startedMs) / 1000;
    const kind = { cpuUs: ((cpuMsOf(pid) - beforeMs) * 1000) / round.requests, perS: round.requests / tookS };
    measured[name] = kind;
    say(`${name}: ${kind.cpuUs.toFixed(0)} us CPU a request, ${kind.perS.toFixed(1)} a second`);
  }
  return measured as Record<KindName, KindCpu>;
}
