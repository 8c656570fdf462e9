import type { MonitorAlert } from '../../monitors/core/alert.ts';
import type { Delivery, MonitorOverview } from '../../monitors/core/protocol.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import { type ListedPage, listMonitorPage, type MonitorListQuery } from './pages.ts';
import {
  answerMonitorCall,
  type MonitorAnswer,
  type MonitorApiPorts,
  type MonitorCaller,
  NO_SUCH_MONITOR,
  reachShards,
  refuseCaller,
  refuseUnknownPart,
  withMonitor,
} from './ports.ts';

/** The monitors of an account, newest first. */
export async function listMonitors(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  query: MonitorListQuery,
): Promise<MonitorAnswer<ListedPage<MonitorOverview>>> {
  const refused = refuseCaller(caller, { account: true });
  if (refused !== undefined) return refused;
  const { account } = caller.owner;
  return reachShards(ports, async () => {
    const shard = await ports.shards.ofAccount(account);
    return listMonitorPage(`monitors of ${account}`, query, (page) => shard.list(account, page), NO_SUCH_MONITOR);
  });
}

export const readMonitor = (
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
): Promise<MonitorAnswer<MonitorOverview>> =>
  withMonitor(ports, caller, id, async (shard, account) => {
    const found = await shard.read(account, id);
    return found === undefined ? NO_SUCH_MONITOR : answerMonitorCall(found);
  });

export const listMonitorRuns = (
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  query: MonitorListQuery,
): Promise<MonitorAnswer<ListedPage<MonitorRun>>> =>
  withMonitor(ports, caller, id, (shard, account) =>
    listMonitorPage(`runs of ${id}`, query, (page) => shard.runs(account, id, page), NO_SUCH_MONITOR),
  );

export const readMonitorRun = (
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  runId: string,
): Promise<MonitorAnswer<MonitorRun>> =>
  withMonitor(ports, caller, id, async (shard, account) => {
    const found = await shard.run(account, id, runId);
    return found === undefined ? refuseUnknownPart('run') : answerMonitorCall(found);
  });

export const listMonitorAlerts = (
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  query: MonitorListQuery,
): Promise<MonitorAnswer<ListedPage<MonitorAlert>>> =>
  withMonitor(ports, caller, id, (shard, account) =>
    listMonitorPage(`alerts of ${id}`, query, (page) => shard.alerts(account, id, page), NO_SUCH_MONITOR),
  );

export const readMonitorAlert = (
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  alertId: string,
): Promise<MonitorAnswer<MonitorAlert>> =>
  withMonitor(ports, caller, id, async (shard, account) => {
    const found = await shard.alert(account, id, alertId);
    return found === undefined ? refuseUnknownPart('alert') : answerMonitorCall(found);
  });

export const listMonitorDeliveries = (
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  query: MonitorListQuery,
): Promise<MonitorAnswer<ListedPage<Delivery>>> =>
  withMonitor(ports, caller, id, (shard, account) =>
    listMonitorPage(`deliveries of ${id}`, query, (page) => shard.deliveries(account, id, page), NO_SUCH_MONITOR),
  );
