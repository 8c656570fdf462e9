import { readSubdomain } from './account.ts';
import { buildAddresses } from './addresses.ts';
import {
  type DeployEnd,
  type DeployFailure,
  type DeployOrder,
  type DeployPorts,
  endDryRun,
  readPlans,
} from './deploy.ts';
import { planRollback } from './plan-rollback.ts';
import { runSteps } from './run.ts';
import { runInSession, type SessionOrder } from './session.ts';
import { readPlatformState } from './state.ts';

export type ReturnOrder = SessionOrder &
  Pick<DeployOrder, 'workers'> & {
    /** Whether secrets may go back to older values. */
    withOlderSecrets: boolean;
    /** The release to go back from; the newest one when absent. */
    past?: string | undefined;
  };

/** Goes back to the previous code. */
export const undoDeployment = (order: ReturnOrder, ports: DeployPorts): Promise<DeployEnd | DeployFailure> =>
  runInSession(order, ports, async (account, askHeld) => {
    const configured = await readPlans(order.env, ports);
    if (!configured.ok) return configured;
    const { plans } = configured;
    const read = await readPlatformState(ports.api, account.id, plans);
    if (!read.ok) return read;
    const { state } = read;
    const subdomain = await readSubdomain(ports.api, account.id);
    if (!subdomain.ok) return subdomain;
    const there = plans.filter(({ worker, name }) => order.workers.includes(worker) && state.workers.has(name));
    const located = await buildAddresses({
      domains: new Map(),
      plans,
      chosen: there,
      state,
      subdomain: subdomain.subdomain,
    });
    if (!located.ok) return located;
    const planned = await planRollback(ports.api, { ...order, accountId: account.id, plans: there });
    if (!planned.ok) return planned;
    const end = { ok: true, env: order.env, account, addresses: located.addresses, missing: [] } as const;
    if (order.isDryRun) return endDryRun(end, planned.steps, ports);
    const ran = await runSteps(planned.steps, { ...ports, readSetting: () => undefined, askHeld });
    if (!ran.ok) return { ...ran, next: describeNext(ran, order) };
    const stored = await ports.readHandedOver({ env: order.env, accountId: account.id });
    const report = await ports.smoke({
      addresses: located.addresses,
      env: order.env,
      operatorSecret: stored.ok ? stored.values.get('OPERATOR_SECRET') : undefined,
      payTo: undefined,
      network: undefined,
      isNew: true,
    });
    return { ...end, steps: ran.ended, isChanged: true, isReturn: true, report, handedOver: undefined };
  });

/** What to do after a rollback that did not end. The same command continues it, and changes nothing that went back. */
function describeNext({ reason, next, ended = [] }: DeployFailure, { env }: ReturnOrder): string {
  const deploy = `npm run deploy -- --env ${env}`;
  if (reason === 'lock_lost')
    return `Wait until that run has ended. Then npm run deploy -- rollback --env ${env} --dry-run shows what would go back.`;
  if (ended.every(({ did }) => did.length === 0)) return next;
  return `${next} Or deploy the code of this clone to all Workers again: ${deploy}`;
}
