import type { Caller, Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { OwnRecords } from '../../../src/management/log-store/self-telemetry.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import { createContainerClaim, getResourceStore, ensureTenant } from './tenants.ts';

/** Where the service writes its own telemetry: `project` is `projects/p` of the operator's tenant. */
export type OwnProject = { tenant: Tenant; project: string };

type Plan = { order: OwnRecords['order']; madeMs: number };

/** What the operator's resources say of a write (sinks, buckets) is asked anew after this. */
const PLAN_MS = 5_000;
const WRITE = 'logging.entries.write';
/** Shortest time between two console lines about the same fault. */
const COMPLAINT_MS = 60_000;

const plans = new WeakMap<ControlEnv, Plan>();
const complaints = new Map<string, number>();

/** The operator's project; undefined, with a complaint, where the settings name none. */
export async function findOwnProject(env: ControlEnv): Promise<OwnProject | undefined> {
  const settings = readControlSettings(env);
  const { OPERATOR_TENANT: id, OPERATOR_PROJECT: projectId } = settings;
  if (id === undefined || projectId === undefined) {
    complain('no_operator_project');
    return undefined;
  }
  const tenant = await ensureTenant(id, env, settings);
  const project = `projects/${projectId}`;
  await createContainerClaim(env)(tenant.id, project); // It stays this tenant's under other settings.
  return { tenant, project };
}

/** What the operator's resources say of a write: as they said it a few seconds ago, at the time that it is for them by now. */
export async function writeOrder(own: OwnProject, env: ControlEnv): Promise<OwnRecords['order'] | undefined> {
  const nowMs = Date.now();
  const known = plans.get(env);
  const isFresh = known !== undefined && nowMs >= known.madeMs && nowMs - known.madeMs < PLAN_MS;
  const plan = isFresh ? known : await planTelemetryWrite(own, env, nowMs);
  if (plan === undefined) return undefined;
  plans.set(env, plan);
  return { ...plan.order, nowMs: plan.order.nowMs + nowMs - plan.madeMs };
}

async function planTelemetryWrite(
  { tenant, project }: OwnProject,
  env: ControlEnv,
  madeMs: number,
): Promise<Plan | undefined> {
  const body = { containers: [project] };
  const call = { method: WRITE, path: {}, query: {}, body, caller: buildServiceCaller(tenant), isOwn: true } as const;
  const { answer, order } = await getResourceStore(env, tenant).call(tenant, call);
  if (answer.ok && order?.do === 'write') return { order, madeMs };
  complain('refused', answer.ok ? WRITE : `${WRITE} ${answer.refusal.word}`);
  return undefined;
}

/** The service itself, as a caller of its operator's tenant. */
const buildServiceCaller = ({ id }: Tenant): Caller => ({
  tenant: id,
  kind: 'service',
  userId: 'sightline',
  clientId: 'sightline',
  scopes: [],
});

/** Says why something is not kept. To the console alone. */
export function complain(reason: string, detail?: string): void {
  const nowMs = Date.now();
  if (nowMs - (complaints.get(reason) ?? -Infinity) < COMPLAINT_MS) return;
  complaints.set(reason, nowMs);
  console.log(JSON.stringify({ event: 'telemetry_not_written', reason, ...(detail === undefined ? {} : { detail }) }));
}
