import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { createMonitorRunPorts } from '../../../../routes/api/bindings/monitor-runs.ts';
import { createMonitorShards } from '../../../../routes/api/bindings/monitor-shards.ts';
import { type Env, readSettings } from '../../../../routes/api/bindings/env.ts';
import { findCapability } from '../../../../src/capabilities/catalog.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import type { MonitorShardObject } from '../../../../src/monitors/core/protocol.ts';
import type { Monitor, MonitorSubject } from '../../../../src/monitors/core/monitor.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { heldBytes } from '../../../../src/net/held-bytes.ts';
import { executeMonitorRun } from '../../../../src/sales/monitors/execute-run.ts';
import { PAYER } from '../world.ts';
import { accountOf } from './credit-world.ts';

const bindings = env as unknown as Env; // The same, under the types of the Worker.
const options = { policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: localAnswers };

export const AUDIT_PRICE = findCapability('full_audit')?.priceMicroUsdc ?? 0;

export type Watched = { monitor: Monitor; shard: MonitorShardObject; runId: string };

/** A monitor of the payer's account, whose first run is due. */
export async function watch(subject: string | MonitorSubject): Promise<Watched> {
  const { id: account } = await accountOf(PAYER);
  const shard = await createMonitorShards(bindings)?.ofAccount(account);
  const made = await shard?.create({
    owner: { account, clientId: 'sightline:pages', authorizedAtMs: Date.now() },
    monitor: {
      name: 'Watched',
      subject: typeof subject === 'string' ? { kind: 'site', url: subject } : subject,
      interval: { every: 'weekly' },
      rules: {},
      receivers: [],
      quietHours: null,
      payment: 'credits',
    },
    idempotencyKey: JSON.stringify(subject),
    contentSha256: '0'.repeat(64),
  });
  if (shard === undefined || made?.ok !== true) throw new Error('no monitor was made');
  const { monitor } = made;
  const runs = await shard.runs(account, monitor.id, { limit: 1 });
  return { monitor, shard, runId: runs?.items[0]?.id ?? '' };
}

/** Where an attempt is killed: before or after its nth call to anything that remembers. */
export type Kill = { at: number; when: 'before' | 'after' };

/** What else happens right before a call. */
export type OnCall = (name: string) => Promise<unknown>;

/** What waits in attempts that were killed. */
let hung: (() => void)[] = [];
let areOver = false;

/** A killed isolate takes its memory with it; the one of the tests goes on, so that what waits there is ended after each test. */
export async function endKilledAttempts(): Promise<void> {
  areOver = true;
  for (const end of hung.splice(0)) end();
  await vi.waitFor(() => expect(heldBytes.held()).toBe(0));
  areOver = false;
}

/** Calls of one attempt, in order; from its kill on none of them is made, and none is answered. */
function createLife(kill: Kill | undefined, onCall: OnCall | undefined) {
  const calls: string[] = [];
  const died = Promise.withResolvers<'killed'>();
  let isDead = false;
  const hang = (): Promise<never> => {
    isDead = true;
    died.resolve('killed');
    const killed = new Error('the attempt was killed');
    if (areOver) return Promise.reject(killed);
    return new Promise<never>((_, reject) => {
      hung.push(() => reject(killed));
    });
  };
  const live = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    if (isDead) return hang();
    const isLast = calls.push(name) === kill?.at; // Calls that are made at once have a place each.
    await onCall?.(name);
    if (isDead || (isLast && kill?.when === 'before')) return hang();
    const answer = await call();
    return isLast || isDead ? hang() : answer;
  };
  return { calls, live, died: died.promise };
}

type Live = ReturnType<typeof createLife>['live'];

/** A method of a stub must be called on it: taken off, it is a path of the other side. */
type Methods = Record<string, (...given: readonly unknown[]) => Promise<unknown>>;

/** The same object, with some of its methods counted. */
function wrapMethods(object: object, names: readonly string[], prefix: string, live: Live): object {
  const methods = object as Methods;
  return Object.fromEntries(
    names.map((name) => [
      name,
      (...given: readonly unknown[]) => live(`${prefix}${name}`, async () => methods[name]?.(...given)),
    ]),
  );
}

const ACCOUNT_METHODS = ['view', 'standing', 'reserve', 'renew', 'capture', 'release'];

const wrapAccounts = (live: Live): Env['CREDIT_ACCOUNT'] =>
  ({
    getByName: (name: string) => wrapMethods(bindings.CREDIT_ACCOUNT.getByName(name), ACCOUNT_METHODS, '', live),
  }) as Env['CREDIT_ACCOUNT'];

const wrapBucket = (live: Live): R2Bucket =>
  wrapMethods(bindings.REPORTS, ['head', 'get', 'put', 'delete'], 'bucket.', live) as R2Bucket;

/** One attempt at a run, from its begin to its finish, as the consumer makes it; `idle`: there was nothing to do. */
export async function attemptRun(
  { shard, runId }: Watched,
  kill?: Kill,
  onCall?: OnCall,
): Promise<{ ended: 'finished' | 'superseded' | 'killed' | 'idle'; calls: readonly string[] }> {
  const { calls, live, died } = createLife(kill, onCall);
  const scope = {
    env: { ...bindings, CREDIT_ACCOUNT: wrapAccounts(live), REPORTS: wrapBucket(live) },
    settings: readSettings(bindings),
    requestId: crypto.randomUUID(),
    waitUntil: () => undefined,
  };
  const carryOut = async () => {
    const order = await live('begin', () => shard.begin(runId));
    if (order === undefined) return 'idle';
    const result = await executeMonitorRun(order, createMonitorRunPorts(scope, options));
    return (await live('finish', () => shard.finish(runId, order.attempt, result))) ? 'finished' : 'superseded';
  };
  const carried = carryOut();
  carried.catch(() => undefined); // Of a killed attempt it is heard by no one; of another, by the race.
  const ended = await Promise.race([carried, died]);
  return { ended, calls };
}
