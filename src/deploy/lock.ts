import * as z from 'zod';
import type { PlatformApi } from './api.ts';
import { type DeployRefusal, refuseByPlatform, refuseDeploy } from './refusal.ts';
import type { DeployEnvironment } from './configuration.ts';

/** A lease without a renewal ends after so long: a run that was killed blocks no one for longer. */
export const LEASE_S = 90;
/** Between two renewals. */
export const RENEW_EVERY_MS = 20_000;
const DATABASE = 'sightline-deploy';

/** Who runs a deployment. `run` is different for each; `pid` counts on one `machine`, and a name of a host may be that of several. */
export type LockHolder = { run: string; user: string; host: string; machine?: string | undefined; pid: number };

const databaseSchema = z.looseObject({ uuid: z.string(), name: z.string() });
const rowSchema = z.looseObject({ run: z.string(), holder: z.string(), left_s: z.number() });
const resultsSchema = z.array(z.looseObject({ results: z.array(z.unknown()).default([]) }));
const holderSchema = z.object({
  run: z.string(),
  user: z.string(),
  host: z.string(),
  machine: z.string().optional(),
  pid: z.number(),
});

const MAKE_TABLE =
  'CREATE TABLE IF NOT EXISTS deployments (env TEXT PRIMARY KEY, run TEXT NOT NULL, holder TEXT NOT NULL, until INTEGER NOT NULL)';
/** One statement, so that of two runs at the same moment one gets it. The clock is that of the database. */
const TAKE = `INSERT INTO deployments (env, run, holder, until) VALUES (?1, ?2, ?3, unixepoch() + ${LEASE_S})
  ON CONFLICT (env) DO UPDATE SET run = excluded.run, holder = excluded.holder, until = excluded.until
  WHERE deployments.until <= unixepoch() OR deployments.run IN (?2, ?4)`;
/** Of a lease that is still ours: one that another run took and gave back is not taken again, since its state was read before. */
const RENEW = `UPDATE deployments SET until = unixepoch() + ${LEASE_S} WHERE env = ?1 AND run = ?2`;
const LOOK = 'SELECT run, holder, until - unixepoch() AS left_s FROM deployments WHERE env = ?1';
const END = 'DELETE FROM deployments WHERE env = ?1 AND run = ?2';

export type HeldLock = {
  ok: true;
  /** `lost`: another run has it, or had it. `unknown`: no answer came. */
  renew: () => Promise<'held' | 'lost' | 'unknown'>;
  release: () => Promise<void>;
};

export type LockOrder = {
  accountId: string;
  env: DeployEnvironment;
  holder: LockHolder;
  /** Whether a process of this machine is gone: its lease is taken over at once. */
  isGone: (holder: LockHolder) => boolean;
};

/**
 * Takes the lease of an environment, which is a row of a database at the platform: it has one winner, also between two
 * machines, and ends by itself.
 */
export async function takeDeployLock(api: PlatformApi, order: LockOrder): Promise<HeldLock | DeployRefusal> {
  const { accountId, env, holder, isGone } = order;
  const database = await openDatabase(api, accountId);
  if (!database.ok) return database;
  const path = `/accounts/${accountId}/d1/database/${database.uuid}/query`;
  const ask = (sql: string, params: readonly string[]) => api.send('POST', path, { sql, params }, resultsSchema);
  const made = await ask(MAKE_TABLE, []);
  if (!made.ok) return refuseByPlatform(made, 'take the lock of this deployment');
  const take = async (instead: string): Promise<{ ok: true; row: z.infer<typeof rowSchema> } | DeployRefusal> => {
    const taken = await ask(TAKE, [env, holder.run, JSON.stringify(holder), instead]);
    const seen = taken.ok ? await ask(LOOK, [env]) : taken;
    if (!seen.ok) return refuseByPlatform(seen, 'take the lock of this deployment');
    const row = rowSchema.safeParse(seen.result[0]?.results[0]);
    if (row.success) return { ok: true, row: row.data };
    return refuseDeploy(
      'lock_unreadable',
      `The database ${DATABASE} does not answer as a lock.`,
      `Delete the database ${DATABASE} at the platform, then run the same command again.`,
    );
  };
  let now = await take(holder.run);
  if (!now.ok) return now;
  if (now.row.run !== holder.run) {
    const other = parseHolder(now.row.holder);
    if (other === undefined || !isGone(other)) return refuseHeld(env, other, now.row.left_s);
    now = await take(now.row.run);
    if (!now.ok) return now;
    if (now.row.run !== holder.run) return refuseHeld(env, parseHolder(now.row.holder), now.row.left_s);
  }
  return {
    ok: true,
    renew: async () => {
      const renewed = await ask(RENEW, [env, holder.run]);
      const seen = renewed.ok ? await ask(LOOK, [env]) : renewed;
      if (!seen.ok) return 'unknown';
      const row = rowSchema.safeParse(seen.result[0]?.results[0]);
      return row.success && row.data.run === holder.run ? 'held' : 'lost';
    },
    release: async () => void (await ask(END, [env, holder.run])),
  };
}

async function openDatabase(api: PlatformApi, accountId: string): Promise<{ ok: true; uuid: string } | DeployRefusal> {
  const find = () => api.list(`/accounts/${accountId}/d1/database?name=${DATABASE}`, databaseSchema);
  const listed = await find();
  if (!listed.ok) return refuseByPlatform(listed, 'look for the lock of this deployment');
  const found = listed.result.find(({ name }) => name === DATABASE);
  if (found !== undefined) return { ok: true, uuid: found.uuid };
  const made = await api.send('POST', `/accounts/${accountId}/d1/database`, { name: DATABASE }, databaseSchema);
  if (made.ok) return { ok: true, uuid: made.result.uuid };
  const again = await find(); // Another run may have made it meanwhile.
  const theirs = again.ok ? again.result.find(({ name }) => name === DATABASE) : undefined;
  return theirs === undefined
    ? refuseByPlatform(made, 'make the database for the lock of this deployment')
    : { ok: true, uuid: theirs.uuid };
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const read = holderSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

function refuseHeld(env: DeployEnvironment, other: LockHolder | undefined, leftS: number): DeployRefusal {
  const who = other === undefined ? 'another run' : `${other.user} on ${other.host} (process ${other.pid})`;
  return refuseDeploy(
    'deploy_under_way',
    `${env} is being deployed by ${who}.`,
    `Wait until that run has ended. If it was killed, its lock ends by itself in at most ${Math.max(leftS, 1)} s.`,
  );
}
