import { hexOf } from '../../src/net/digest.ts';
import { batchSchema } from '../../src/telemetry/batch-schema.ts';
import { writtenOf } from '../../src/telemetry/calls.ts';
import type { NotKept, TelemetryBatch } from '../../src/telemetry/wire.ts';
import type { Caller, Tenant } from '../../src/management/engine/operation.ts';
import { type OwnOutcome, type OwnRecords, ownText } from '../../src/management/entries/own.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import { claimOf, entriesOf, storeOf, tenantOf } from './tenants.ts';

const ID_BYTES = 8;
/** The same fault is told to the console so often. */
const COMPLAINT_MS = 60_000;

/** What the operator's resources say of a write (sinks, buckets) is asked anew after this. */
const PLAN_MS = 5_000;
const WRITE = 'logging.entries.write';

type Operator = { tenant: Tenant; project: string };
type Plan = { order: OwnRecords['order']; madeMs: number };

const plans = new WeakMap<ControlEnv, Plan>();
const complaints = new Map<string, number>();

/**
 * Writes a batch of the service's own telemetry to the operator's project: one call of its store of entries, by what its
 * sinks say. Without such a project nothing is kept. It is no request, so nothing is told of it.
 * @returns what is not kept, for the sender to tell with its next batch
 * @throws what asking an object throws: the batch is lost
 */
export async function writeTelemetry(given: unknown, env: ControlEnv): Promise<NotKept> {
  const batch = batchSchema.safeParse(given);
  if (!batch.success) {
    complain('invalid_batch', batch.error.issues[0]?.path.join('.'));
    return 'all';
  }
  const operator = await operatorOf(env);
  const order = operator && (await orderOf(operator, env));
  if (operator === undefined || order === undefined) return 'all';
  const { tenant, project } = operator;
  const written = writtenIn(batch.data, project);
  const text = ownText({ project, order, ...written });
  const outcome = await entriesOf(env, tenant).keepOwn(tenant, text);
  for (const refused of outcome.refused) complain('refused', refused);
  return notKeptOf(batch.data, outcome, written.body.entries.length);
}

/** Where all entries are refused, that of what was left out before is among them. */
function notKeptOf({ lines, dropped }: TelemetryBatch, { entries, spans }: OwnOutcome, written: number): NotKept {
  if (entries < written) return { lines: Math.min(entries, lines.length), spans };
  return { lines: lines.length + dropped.lines, spans: spans + dropped.spans };
}

async function operatorOf(env: ControlEnv): Promise<Operator | undefined> {
  const settings = readControlSettings(env);
  const { OPERATOR_TENANT: id, OPERATOR_PROJECT: projectId } = settings;
  if (id === undefined || projectId === undefined) {
    complain('no_operator_project');
    return undefined;
  }
  const tenant = await tenantOf(id, env, settings);
  const project = `projects/${projectId}`;
  await claimOf(env)(tenant.id, project); // It stays this tenant's under other settings.
  return { tenant, project };
}

/** What the operator's resources say of a write: as they said it a few seconds ago, at the time that it is for them by now. */
async function orderOf(operator: Operator, env: ControlEnv): Promise<OwnRecords['order'] | undefined> {
  const nowMs = Date.now();
  const known = plans.get(env);
  const isFresh = known !== undefined && nowMs >= known.madeMs && nowMs - known.madeMs < PLAN_MS;
  const plan = isFresh ? known : await planned(operator, env, nowMs);
  if (plan === undefined) return undefined;
  plans.set(env, plan);
  return { ...plan.order, nowMs: plan.order.nowMs + nowMs - plan.madeMs };
}

async function planned({ tenant, project }: Operator, env: ControlEnv, madeMs: number): Promise<Plan | undefined> {
  const body = { containers: [project] };
  const call = { method: WRITE, path: {}, query: {}, body, caller: serviceOf(tenant), isOwn: true } as const;
  const { answer, order } = await storeOf(env, tenant).call(tenant, call);
  if (answer.ok && order?.do === 'write') return { order, madeMs };
  complain('refused', answer.ok ? WRITE : `${WRITE} ${answer.refusal.word}`);
  return undefined;
}

const writtenIn = (batch: TelemetryBatch, project: string) =>
  writtenOf(batch, project, hexOf(crypto.getRandomValues(new Uint8Array(ID_BYTES))), Date.now());

/** The service itself, as a caller of its operator's tenant. */
const serviceOf = ({ id }: Tenant): Caller => ({
  tenant: id,
  kind: 'service',
  userId: 'sightline',
  clientId: 'sightline',
  scopes: [],
});

/** To the console alone. */
function complain(reason: string, detail?: string): void {
  const nowMs = Date.now();
  if (nowMs - (complaints.get(reason) ?? -Infinity) < COMPLAINT_MS) return;
  complaints.set(reason, nowMs);
  console.log(JSON.stringify({ event: 'telemetry_not_written', reason, ...(detail === undefined ? {} : { detail }) }));
}
