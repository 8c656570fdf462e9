import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Aim, atMost, round } from '../aims.ts';
import { start } from '../children.ts';
import { median, residentMiBOf } from '../process-usage.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/emulator/sightline-emulator.js', import.meta.url));
const STARTS = 5;
const RESETS = 21;
const SECOND_MS = 1_000;
const LIMIT = { readyS: 2, residentMiB: 250, resetMs: 20 };
/** What a test project begins with. */
const SEED = {
  version: 1,
  tenants: [
    {
      id: 'C00000001',
      generate: { users: 100, groups: 10, membersPerGroup: 5, orgUnits: 5 },
      entries: [{ logName: 'projects/local/logs/app', resource: { type: 'global' }, textPayload: 'seed' }],
    },
  ],
};
const ENTRY = { logName: 'projects/local/logs/app', resource: { type: 'global' }, textPayload: 'test' };
const USERS = '/admin/directory/v1/users';

type Facts = { control: string; pid: number; workerd: number };
type Round = { readyS: number; residentMiB: number; resetMs: number; afterEntriesMs: number; healthMs: number };

/** Starts the emulator as its users do: from the spawn of Node to the first line; then resets it between small changes. */
export async function measureEmulator(
  print: (line: string) => void,
): Promise<{ aims: readonly Aim[]; rounds: object }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-emulator-'));
  const seed = join(folder, 'seed.json');
  writeFileSync(seed, JSON.stringify(SEED));
  try {
    const empty: Round[] = [];
    const seeded: Round[] = [];
    for (let n = 0; n < STARTS; n += 1) {
      empty.push(await runRound([]));
      seeded.push(await runRound(['--seed', seed]));
    }
    const of = (rounds: readonly Round[], name: keyof Round): number => median(rounds.map((one) => one[name]));
    for (const [name, rounds] of [
      ['empty', empty],
      ['seeded', seeded],
    ] as const)
      print(
        `emulator, ${name}: ready ${round(of(rounds, 'readyS'))} s, ${round(of(rounds, 'residentMiB'))} MiB, reset ${round(of(rounds, 'resetMs'))} ms, after log entries ${round(of(rounds, 'afterEntriesMs'))} ms; GET /health ${round(of(rounds, 'healthMs'))} ms`,
      );
    const ratio = (name: string, measured: number, limit: number): Aim =>
      atMost(`emulator: ${name}, of its limit`, measured / limit, 1, '');
    const aims = [
      ratio(`ready with a seed of 100 users (${LIMIT.readyS} s)`, of(seeded, 'readyS'), LIMIT.readyS),
      ratio(`node and workerd, resident (${LIMIT.residentMiB} MiB)`, of(seeded, 'residentMiB'), LIMIT.residentMiB),
      ratio(`reset of 100 users after a change (${LIMIT.resetMs} ms)`, of(seeded, 'resetMs'), LIMIT.resetMs),
    ];
    return { aims, rounds: { empty, seeded } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runRound(args: readonly string[]): Promise<Round> {
  const startedMs = performance.now();
  const { child, stop } = start(process.execPath, [PROGRAM, '--no-auth', '--port', '0', '--json', ...args], true);
  const facts = await new Promise<Facts>((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error('the emulator ended')));
    child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      if (text.includes('\n')) resolve(JSON.parse(text) as Facts);
    });
  });
  const readyS = (performance.now() - startedMs) / SECOND_MS;
  const residentMiB = residentMiBOf(facts.pid) + residentMiBOf(facts.workerd);
  const resetMs = await timeResets(facts.control, (n) => post(`${facts.control}${USERS}`, makeUser(n)));
  const afterEntriesMs = await timeResets(facts.control, () =>
    post(`${facts.control}/v2/entries:write`, { entries: [ENTRY] }),
  );
  const healthMs = await timeCalls(() => fetch(`${facts.control}/health`));
  await stop();
  return { readyS, residentMiB, resetMs, afterEntriesMs, healthMs };
}

/** What a call takes here that does nothing: how busy the machine is. */
async function timeCalls(call: () => Promise<Response>): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < RESETS; n += 1) {
    const startedMs = performance.now();
    await (await call()).arrayBuffer();
    took.push(performance.now() - startedMs);
  }
  return median(took);
}

async function timeResets(control: string, change: (n: number) => Promise<void>): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < RESETS; n += 1) {
    await change(n);
    const startedMs = performance.now();
    await post(`${control}/v1/reset`, {});
    took.push(performance.now() - startedMs);
  }
  return median(took);
}

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

const makeUser = (n: number) => ({
  primaryEmail: `bench-${n}@example.com`,
  password: 'kept nowhere',
  name: { givenName: 'Bench', familyName: 'Mark' },
});
