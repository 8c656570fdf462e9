import { hexOf } from '../../src/net/digest.ts';
import { batchSchema } from '../../src/telemetry/batch-schema.ts';
import { callsOf, type TelemetryCall } from '../../src/telemetry/calls.ts';
import type { TelemetryBatch } from '../../src/telemetry/wire.ts';
import type { Caller, Tenant } from '../../src/management/engine/operation.ts';
import { askTenant } from './ask-tenant.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import { claimOf, tenantOf } from './tenants.ts';

const ID_BYTES = 8;
/** The same fault is told to the console so often. */
const COMPLAINT_MS = 60_000;

const complaints = new Map<string, number>();

/**
 * Writes a batch of the service's own telemetry to the operator's project, through the same operations as anybody's call.
 * Without such a project, or where it is another tenant's, nothing is kept. It is no request, so nothing is told of it.
 * @throws what asking an object throws: the batch is lost
 */
export async function writeTelemetry(given: unknown, env: ControlEnv): Promise<void> {
  const batch = batchSchema.safeParse(given);
  if (!batch.success) return complain('invalid_batch', batch.error.issues[0]?.path.join('.'));
  const operator = await operatorOf(env);
  if (operator === undefined) return undefined;
  for (const call of callsFor(batch.data, operator.project)) await write(call, operator.tenant, env);
  return undefined;
}

async function operatorOf(env: ControlEnv): Promise<{ tenant: Tenant; project: string } | undefined> {
  const settings = readControlSettings(env);
  const { OPERATOR_TENANT: id, OPERATOR_PROJECT: projectId } = settings;
  if (id === undefined || projectId === undefined) {
    complain('no_operator_project');
    return undefined;
  }
  const tenant = await tenantOf(id, env, settings);
  const project = `projects/${projectId}`;
  if ((await claimOf(env)(tenant.id, project)) === 'own') return { tenant, project };
  complain('project_of_another_tenant');
  return undefined;
}

const callsFor = (batch: TelemetryBatch, project: string): readonly TelemetryCall[] =>
  callsOf(batch, project, hexOf(crypto.getRandomValues(new Uint8Array(ID_BYTES))), Date.now());

async function write(call: TelemetryCall, tenant: Tenant, env: ControlEnv): Promise<void> {
  const answer = await askTenant(tenant, { ...call, query: {}, caller: serviceOf(tenant), isOwn: true }, env);
  if ('ok' in answer && !answer.ok) complain('refused', `${call.method} ${answer.refusal.word}`);
}

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
