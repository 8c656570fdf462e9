import { computeSha256Hex } from '../../lib/digest.ts';
import { formatCanonicalJson } from '../../lib/json.ts';
import { MAX_MONITORS, MAX_MONITORS_OF_HOST } from '../../monitors/core/monitor.ts';
import { readNewMonitor, type RequestRefusal } from '../../monitors/core/monitor-request.ts';
import type { CreateRefusal, MonitorOverview, NewMonitor } from '../../monitors/core/protocol.ts';
import { getWatchedRow } from '../../monitors/core/run-price.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import { judgeFreeMonitor } from '../monitors/free-monitors.ts';
import { chooseOrderEngines } from '../order-engines.ts';
import { parseIdempotencyKey } from '../read-order.ts';
import { buildOfferedSale } from '../seller.ts';
import {
  answerMonitorCall,
  type MonitorAnswer,
  type MonitorApiPorts,
  type MonitorCaller,
  reachShards,
  refuseMonitorCall,
  refuseCaller,
} from './ports.ts';

/** A confirmation mail each: an account may ask for no more of them within a day. */
const MAIL_RETRY_S = 3_600;

/** `idempotencyKey`: the header, or the text that MCP carries. */
export type CreateRequest = { body: unknown; idempotencyKey: string | undefined };
export type CreatedMonitor = { overview: Pick<MonitorOverview, 'monitor' | 'lastRun' | 'alerts'>; isRepeat: boolean };

/** Creates a monitor for the account of the caller; its first run begins right away. */
export async function createMonitor(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  { body, idempotencyKey }: CreateRequest,
): Promise<MonitorAnswer<CreatedMonitor>> {
  const refused = refuseCaller(caller, { account: true, spending: true });
  if (refused !== undefined) return refused;
  const named = parseIdempotencyKey({}, idempotencyKey);
  if (!named.ok) return refuseMonitorCall('idempotency_key_invalid', { detail: named.detail });
  if (named.key === undefined) return refuseMonitorCall('idempotency_key_required');
  const { policy, hasMail, now } = ports;
  const read = await readNewMonitor(body, { policy, hasMail, nowMs: now() });
  if (!read.ok) return { ok: false, problem: buildRequestProblem(read) };
  const { value: monitor } = read;
  const unsold = refuseFree(ports, caller, monitor) ?? (await refuseUnsold(ports, monitor));
  if (unsold !== undefined) return { ok: false, problem: unsold };
  const order = {
    owner: caller.owner,
    monitor,
    idempotencyKey: named.key,
    contentSha256: await computeSha256Hex(formatCanonicalJson(monitor)),
  };
  return reachShards(ports, async () => {
    const made = await (await ports.shards.ofAccount(caller.owner.account)).create(order);
    if (!made.ok) return { ok: false, problem: buildCreateProblem(made.reason) };
    return answerMonitorCall({
      overview: { monitor: made.monitor, lastRun: null, alerts: 0 },
      isRepeat: made.isRepeat,
    });
  });
}

/** What a body is refused for, as a problem. */
export const buildRequestProblem = ({ code, errors }: RequestRefusal): ProblemInput =>
  buildProblem(code ?? 'invalid_body', { errors });

/** Monitors without charge are an operator's, on hosts that the deployment names. */
function refuseFree(
  { freeHosts }: MonitorApiPorts,
  caller: MonitorCaller,
  monitor: NewMonitor,
): ProblemInput | undefined {
  if (monitor.payment === 'credits') return undefined;
  const kind = caller.kind === 'account' && caller.isOperator ? 'operator' : 'payer';
  if (judgeFreeMonitor(monitor, { kind }, { hosts: freeHosts }) === undefined) return undefined;
  const message = 'runs without charge are for operators, on hosts that the deployment names';
  return buildProblem('invalid_body', { errors: [{ pointer: '/payment', message }] });
}

/** What its runs would buy is sold here now, by the engines that it names. */
export async function refuseUnsold(
  { sales }: Pick<MonitorApiPorts, 'sales'>,
  monitor: Pick<NewMonitor, 'subject' | 'payment'>,
): Promise<ProblemInput | undefined> {
  const row = getWatchedRow(monitor);
  const offered = monitor.payment === 'credits' ? await buildOfferedSale(sales, row) : undefined;
  if (offered?.ok === false) return offered.problem;
  if (offered?.sale.closed !== undefined) return offered.sale.closed;
  if (monitor.subject.kind === 'site') return undefined;
  const choice = sales.engines();
  if (!choice.ok) return buildProblem('engine_not_configured', { detail: choice.detail });
  const chosen = chooseOrderEngines(choice.engines, row, monitor.subject.body);
  if (chosen.ok) return undefined;
  return buildProblem('invalid_body', { errors: [{ pointer: '/subject/body/engines', message: chosen.detail }] });
}

/** Why an account can have no more, as a problem. */
export function buildCreateProblem(reason: CreateRefusal): ProblemInput {
  switch (reason) {
    case 'too_many_monitors':
      return buildProblem('limit_reached', { detail: `An account has at most ${MAX_MONITORS} monitors` });
    case 'too_many_of_host':
      return buildProblem('limit_reached', {
        detail: `An account has at most ${MAX_MONITORS_OF_HOST} monitors of one host`,
      });
    case 'idempotency_key_reused':
      return buildProblem('idempotency_key_reused');
    case 'too_many_mails':
      return buildProblem('rate_limited', {
        detail: 'The account had all the mails of today, and each new address needs one to confirm it',
        retryAfterS: MAIL_RETRY_S,
      });
  }
}
