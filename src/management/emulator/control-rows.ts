import type * as z from 'zod';
import { type RefusalData, vendorRefusals } from '../../lib/refusal.ts';
import { authorize, type Claim, extractMentionedNames, type ResourceName } from '../core/authorize.ts';
import { captureOutcome } from '../core/conventions/outcome.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import type { Replaced, SeedOutcome, TenantEmulator, ControlResult } from '../core/tenant-object.ts';
import type { EntryCalls } from '../log-store/entry-object.ts';
import {
  clockBody,
  faultBody,
  type ResetBody,
  resetBody,
  type SeedBody,
  seedBody,
  settingsBody,
  type SeedCall,
  snapshotBody,
} from './bodies.ts';
import { buildEmulatorCaller } from './made-up.ts';
import { readSeedCall } from './seed-calls.ts';

/** Names that all calls of one seed may have together: each may be a question to the registry. */
const MAX_SEED_NAMES = 500;
/** Of those, how many are asked about at a time. */
const NAMES_AT_A_TIME = 50;

/**
 * Why a seed may not be made: one of its calls has a name that is not the tenant's (rule K1). A call that is wrong in
 * itself is passed over: that is what comes of it in its turn.
 */
async function findSeedRefusal(
  calls: readonly SeedCall[],
  tenant: Tenant,
  claim: Claim,
): Promise<RefusalData | undefined> {
  const found = captureOutcome(() => collectSeedNames(calls, tenant));
  if (!found.ok) return found.refusal;
  const caller = buildEmulatorCaller(tenant);
  for (let at = 0; at < found.value.length; at += NAMES_AT_A_TIME) {
    const some = found.value.slice(at, at + NAMES_AT_A_TIME);
    const refusals = await Promise.all(some.map((name) => authorize(caller, name, claim)));
    const refusal = refusals.find((each) => each !== undefined);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Each name once. @throws Refusal for too many, and for those that a call may not have */
function collectSeedNames(calls: readonly SeedCall[], tenant: Tenant): readonly ResourceName[] {
  const names = new Map<string, ResourceName>();
  for (const sent of calls) {
    const judged = readSeedCall(sent, tenant);
    if ('refusal' in judged) continue;
    for (const name of extractMentionedNames(judged.row, judged.call)) names.set(JSON.stringify(name), name);
    if (names.size > MAX_SEED_NAMES)
      throw vendorRefusals.invalid(`A seed may name at most ${MAX_SEED_NAMES} containers`);
  }
  return [...names.values()];
}

/** What a control of the emulator works on: the tenant's objects, and the names of its path after decoding. */
export type Subject = {
  store: TenantEmulator;
  entries: EntryCalls;
  tenant: Tenant;
  name: string;
  /** Whether the tenant may use names (rule K1). */
  claim: Claim;
  /** Empties the object of an AI Search instance, by its name. */
  drop: (uid: string) => Promise<void>;
};

/** A control as it is called: its body is judged by `run`. Undefined there: no body is read. */
export type EmulatorRow = {
  method: 'GET' | 'POST' | 'DELETE';
  /** `{tenant}` is the caller's own, `{name}` a name in it. */
  path: string;
  run: (subject: Subject, body: unknown) => Promise<Ran>;
};

/** What came of it, or what is wrong with the body. */
export type Ran = ControlResult<unknown> | { ok: false; issues: readonly z.core.$ZodIssue[] };

const withBody =
  <T>(schema: z.ZodType<T>, act: (subject: Subject, body: T) => Promise<ControlResult<unknown>>) =>
  async (subject: Subject, body: unknown): Promise<Ran> => {
    const parsed = schema.safeParse(body);
    return parsed.success ? act(subject, parsed.data) : { ok: false, issues: parsed.error.issues };
  };

/** Names the array of a list: JSON answers are objects. */
async function wrapListResult(name: string, result: Promise<ControlResult<unknown>>): Promise<ControlResult<unknown>> {
  const answer = await result;
  return answer.ok ? { ok: true, value: { [name]: answer.value } } : answer;
}

/** Resources first: a tenant that may not be reset is refused there. Log entries and spans go with them. */
async function reset({ store, entries, tenant, drop }: Subject, body: ResetBody): Promise<ControlResult<unknown>> {
  const result = await store.reset(tenant, body);
  const call = { method: '', path: {}, query: {}, body: {}, caller: buildEmulatorCaller(tenant) };
  if (result.ok) await entries.run(tenant, call, { do: 'reset' });
  return withoutGone(result, drop);
}

async function restore(subject: Subject, { name }: { name: string }): Promise<ControlResult<unknown>> {
  return withoutGone(
    await runWithDoubtedBuckets(subject, () => subject.store.restore(subject.tenant, name)),
    subject.drop,
  );
}

/**
 * Also drops the objects of deleted instances, which would otherwise go on crawling. Each is notified twice if need be;
 * one that cannot be reached checks for itself later: what was asked for has happened.
 */
async function withoutGone(result: Replaced, drop: Subject['drop']): Promise<ControlResult<unknown>> {
  if (!result.ok) return result;
  await Promise.allSettled(result.gone.map((uid) => drop(uid).catch(() => drop(uid))));
  return { ok: true, value: result.value };
}

/**
 * Buckets change without a word to the store of entries: before, so that no failure in between makes it delete what the
 * tenant's resources say is kept.
 */
async function runWithDoubtedBuckets<T>({ entries, tenant }: Subject, change: () => Promise<T>): Promise<T> {
  const call = { method: '', path: {}, query: {}, body: {}, caller: buildEmulatorCaller(tenant) };
  await entries.run(tenant, call, { do: 'doubtBuckets' });
  return change();
}

/** Calls of a seed may name what calls by HTTP may, and nothing else; the tenant's object cannot tell (rule K1). */
async function seed(subject: Subject, body: SeedBody): Promise<ControlResult<SeedOutcome>> {
  const refusal = 'calls' in body ? await findSeedRefusal(body.calls, subject.tenant, subject.claim) : undefined;
  return refusal === undefined
    ? runWithDoubtedBuckets(subject, () => subject.store.seed(subject.tenant, body))
    : { ok: false, refusal };
}

/** The controls of sandbox tenants (rule K2). */
const emulatorRows: readonly EmulatorRow[] = [
  { method: 'GET', path: '/v1/tenants/{tenant}', run: ({ store, tenant }) => store.status(tenant) },
  {
    method: 'POST',
    path: '/v1/tenants/{tenant}:reset',
    run: withBody(resetBody, reset),
  },
  {
    method: 'POST',
    path: '/v1/tenants/{tenant}:seed',
    run: withBody(seedBody, seed),
  },
  {
    method: 'POST',
    path: '/v1/tenants/{tenant}:clock',
    run: withBody(clockBody, ({ store, tenant }, body) => store.setClock(tenant, body)),
  },
  {
    method: 'POST',
    path: '/v1/tenants/{tenant}:settings',
    run: withBody(settingsBody, ({ store, tenant }, body) => store.setSettings(tenant, body)),
  },
  {
    method: 'POST',
    path: '/v1/tenants/{tenant}:snapshot',
    run: withBody(snapshotBody, ({ store, tenant }, { name }) => store.snapshot(tenant, name)),
  },
  {
    method: 'POST',
    path: '/v1/tenants/{tenant}:restore',
    run: withBody(snapshotBody, restore),
  },
  {
    method: 'GET',
    path: '/v1/tenants/{tenant}/snapshots',
    run: ({ store, tenant }) => wrapListResult('snapshots', store.snapshots(tenant)),
  },
  {
    method: 'DELETE',
    path: '/v1/tenants/{tenant}/snapshots/{name}',
    run: ({ store, tenant, name }) => store.deleteSnapshot(tenant, name),
  },
  { method: 'GET', path: '/v1/faults', run: ({ store, tenant }) => wrapListResult('faults', store.faults(tenant)) },
  {
    method: 'POST',
    path: '/v1/faults',
    run: withBody(faultBody, ({ store, tenant }, body) => store.addFault(tenant, body)),
  },
  {
    method: 'DELETE',
    path: '/v1/faults',
    run: ({ store, tenant }) => wrapListResult('deleted', store.clearFaults(tenant)),
  },
  {
    method: 'DELETE',
    path: '/v1/faults/{name}',
    run: ({ store, tenant, name }) => store.deleteFault(tenant, name),
  },
];

/** The control that a request names, with the parts of its path. Undefined: it is none of them. */
export function findEmulatorRow(
  method: string,
  path: string,
): { row: EmulatorRow; tenant?: string; name: string } | undefined {
  for (const row of emulatorRows) {
    const parts = row.method === method ? parseControlPath(row.path.split('/'), path.split('/')) : undefined;
    if (parts !== undefined) return { row, ...parts };
  }
  return undefined;
}

function parseControlPath(
  template: readonly string[],
  segments: readonly string[],
): { tenant?: string; name: string } | undefined {
  if (template.length !== segments.length) return undefined;
  const parts: { tenant?: string; name: string } = { name: '' };
  for (const [at, expected] of template.entries()) {
    const segment = segments[at] ?? '';
    const [, name, verb = ''] = /^\{(tenant|name)\}(:[a-z]+)?$/.exec(expected) ?? [];
    const value = segment.slice(0, segment.length - verb.length);
    if (name === undefined && segment !== expected) return undefined;
    if (name === undefined) continue;
    if (!segment.endsWith(verb) || value === '' || value.includes(':')) return undefined;
    if (name === 'tenant') parts.tenant = value;
    else parts.name = value;
  }
  return parts;
}
