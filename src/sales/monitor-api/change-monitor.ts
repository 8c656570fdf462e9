import { readMonitorPatch } from '../../monitors/core/monitor-request.ts';
import type { Monitor } from '../../monitors/core/monitor.ts';
import type { ChangeMonitorResult, MonitorOverview, MonitorPatch } from '../../monitors/core/protocol.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import { buildCreateProblem, buildRequestProblem, refuseUnsold } from './create-monitor.ts';
import {
  answerMonitorCall,
  type MonitorAnswer,
  type MonitorApiPorts,
  type MonitorCaller,
  NO_SUCH_MONITOR,
  refuseCaller,
  withMonitor,
} from './ports.ts';

/** `revisions`: those that the caller knows; undefined where it takes any. */
export type ChangeRequest = { body: unknown; revisions: readonly number[] | undefined };

/** Changes a monitor as its owner asks. Receivers that it adds have their secrets in this answer alone. */
export async function changeMonitor(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  { body, revisions }: ChangeRequest,
): Promise<MonitorAnswer<{ overview: MonitorOverview; added: readonly string[] }>> {
  const refused = refuseCaller(caller, { account: true });
  if (refused !== undefined) return refused;
  return withMonitor(ports, caller, id, async (shard, account) => {
    const before = await shard.read(account, id);
    if (before === undefined) return NO_SUCH_MONITOR;
    const { monitor } = before;
    if (revisions !== undefined && !revisions.includes(monitor.revision)) return PRECONDITION_FAILED;
    const { policy, hasMail, now } = ports;
    const read = await readMonitorPatch(body, monitor, { policy, hasMail, nowMs: now() });
    if (!read.ok) return { ok: false, problem: buildRequestProblem(read) };
    const { value: patch } = read;
    const unpaid = isPauseAlone(patch) ? undefined : refuseCaller(caller, { spending: true });
    if (unpaid !== undefined) return unpaid;
    const unsold = patch.subject && (await refuseUnsold(ports, { ...monitor, subject: patch.subject }));
    if (unsold !== undefined) return { ok: false, problem: unsold };
    const changed = await shard.change(caller.owner, id, revisions && monitor.revision, patch);
    return changed.ok
      ? answerMonitorCall({
          overview: { ...before, monitor: changed.monitor },
          added: listAdded(monitor, changed.monitor),
        })
      : { ok: false, problem: buildChangeProblem(changed) };
  });
}

/** The receivers that are new, whose secrets are shown once. */
const listAdded = (before: Monitor, after: Monitor): readonly string[] =>
  after.receivers.flatMap(({ id }) => (before.receivers.some((receiver) => receiver.id === id) ? [] : [id]));

/** Pausing saves money: every token of the account may. */
const isPauseAlone = (patch: MonitorPatch): boolean =>
  patch.state === 'paused' && Object.keys(patch).every((member) => member === 'state');

const PRECONDITION_FAILED: MonitorAnswer<never> = { ok: false, problem: buildProblem('precondition_failed') };

function buildChangeProblem({ reason }: Extract<ChangeMonitorResult, { ok: false }>): ProblemInput {
  switch (reason) {
    case 'not_found':
      return buildProblem('monitor_not_found');
    case 'revision_mismatch':
      return buildProblem('precondition_failed');
    case 'another_subject':
      return buildProblem('invalid_body', {
        errors: [{ pointer: '/subject', message: 'is another site or brand: create another monitor for it' }],
      });
    case 'unknown_receiver':
      return buildProblem('invalid_body', {
        errors: [{ pointer: '/receivers', message: 'names a receiver that this monitor does not have' }],
      });
    default:
      return buildCreateProblem(reason);
  }
}

/** Pauses a monitor, or lets it go on. The token of a monitor may do both. */
export async function switchMonitor(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  state: 'active' | 'paused',
): Promise<MonitorAnswer<MonitorOverview>> {
  const refused = state === 'active' ? refuseCaller(caller, { spending: true }) : undefined;
  if (refused !== undefined) return refused;
  return withMonitor(ports, caller, id, async (shard, account) => {
    const changed = await shard.change(caller.owner, id, undefined, { state });
    if (!changed.ok) return { ok: false, problem: buildChangeProblem(changed) };
    const overview = await shard.read(account, id);
    return overview === undefined ? NO_SUCH_MONITOR : answerMonitorCall({ ...overview, monitor: changed.monitor });
  });
}
