import { computeSha256Hex } from '../../lib/digest.ts';
import { generateMonitorToken } from '../../monitors/core/monitor-token.ts';
import type { Delivery, ManualRunResult, MonitorOverview } from '../../monitors/core/protocol.ts';
import type { Receiver } from '../../monitors/core/receiver.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import {
  answerMonitorCall,
  type MonitorAnswer,
  type MonitorApiPorts,
  type MonitorCaller,
  NO_SUCH_MONITOR,
  refuseMonitorCall,
  refuseCaller,
  refuseUnknownPart,
  withMonitor,
} from './ports.ts';

/** A run now, beside the schedule. It is paid as every other. */
export async function runMonitor(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
): Promise<MonitorAnswer<MonitorRun>> {
  const refused = refuseCaller(caller, { spending: true });
  if (refused !== undefined) return refused;
  return withMonitor(ports, caller, id, async (shard, account) => {
    const started = await shard.runNow(account, id);
    return started.ok ? answerMonitorCall(started.run) : refuseRun(started);
  });
}

function refuseRun({ reason, retryAfterS }: Extract<ManualRunResult, { ok: false }>): MonitorAnswer<never> {
  if (reason === 'not_found') return NO_SUCH_MONITOR;
  if (reason === 'under_way') return refuseMonitorCall('monitor_run_under_way', { retryAfterS });
  return refuseMonitorCall('rate_limited', { detail: 'This monitor ran a short while ago', retryAfterS });
}

/** Deletes a monitor with its runs and alerts. Its reports can be read until their own days are over. */
export const deleteMonitor = (
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
): Promise<MonitorAnswer<{ reportIds: readonly string[] }>> =>
  withMonitor(ports, caller, id, async (shard, account) => {
    const deleted = await shard.delete(account, id);
    if (deleted === undefined) return NO_SUCH_MONITOR;
    ports.dropReports(deleted.reportIds);
    return answerMonitorCall(deleted);
  });

/** Sends one message to a receiver, to see whether it comes. */
export async function sendTestMessage(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  receiverId: string,
): Promise<MonitorAnswer<Delivery>> {
  const refused = refuseCaller(caller, { account: true });
  if (refused !== undefined) return refused;
  return withMonitor(ports, caller, id, async (shard, account) => {
    const sent = await shard.testReceiver(account, id, receiverId);
    if (sent === 'too_soon')
      return refuseMonitorCall('rate_limited', {
        detail: 'This receiver was tested a short while ago',
        retryAfterS: TEST_RETRY_S,
      });
    return sent === undefined ? refuseUnknownPart('receiver that can be tested') : answerMonitorCall(sent);
  });
}

const TEST_RETRY_S = 60;

/** Gives a webhook a new secret, or a feed a new address; the old one ends at once. */
export async function renewReceiverSecret(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  receiverId: string,
): Promise<MonitorAnswer<Receiver>> {
  const refused = refuseCaller(caller, { account: true });
  if (refused !== undefined) return refused;
  return withMonitor(ports, caller, id, async (shard, account) => {
    const rotated = await shard.rotate(account, id, receiverId);
    return rotated === undefined
      ? refuseUnknownPart('receiver whose secret can be renewed')
      : answerMonitorCall(rotated);
  });
}

/** Sends a delivery again, as a new try with the same id. */
export async function replayDelivery(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  deliveryId: string,
): Promise<MonitorAnswer<{ id: string }>> {
  const refused = refuseCaller(caller, { account: true });
  if (refused !== undefined) return refused;
  return withMonitor(ports, caller, id, async (shard, account) =>
    (await shard.replay(account, id, deliveryId))
      ? answerMonitorCall({ id: deliveryId })
      : refuseUnknownPart('delivery to send again'),
  );
}

/** Gives a monitor a new token; the one before it ends at once. Only its hash is kept. */
export async function issueMonitorToken(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
): Promise<MonitorAnswer<{ overview: MonitorOverview; token: string }>> {
  const refused = refuseCaller(caller, { account: true, spending: true });
  if (refused !== undefined) return refused;
  return withMonitor(ports, caller, id, async (shard, account) => {
    const overview = await shard.read(account, id);
    const token = generateMonitorToken();
    const isSet = overview !== undefined && (await shard.setToken(account, id, await computeSha256Hex(token)));
    return isSet ? answerMonitorCall({ overview, token }) : NO_SUCH_MONITOR;
  });
}
