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
  };

/** Goes back to the code of before. */
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
    if (!ran.ok) return ran;
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
