import type { MonitorOwner, MonitorShardObject, MonitorShards } from '../../monitors/core/protocol.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import type { OfferPorts } from '../seller.ts';

/** Who asks. A token of a monitor opens that monitor and no other. */
export type MonitorCaller =
  | {
      kind: 'account';
      owner: MonitorOwner;
      /** Whether its token may spend credits. */
      canSpend: boolean;
      isOperator: boolean;
    }
  | { kind: 'monitor_token'; owner: MonitorOwner; monitorId: string };

/** What the interface of monitors works with: HTTP, MCP and pages bring the same. */
export type MonitorApiPorts = {
  shards: MonitorShards;
  /** Our own address. */
  baseUrl: string;
  /** Whether a row can be sold here now. */
  sales: OfferPorts;
  /** Which addresses may be read and written to. */
  policy: AddressPolicy;
  /** Whether this deployment can send mail. */
  hasMail: boolean;
  /** Hosts that operators watch without charge. */
  freeHosts: ReadonlySet<string>;
  /** A report by its id, as JSON; undefined where it can no longer be read. */
  readReport: (reportId: string) => Promise<string | undefined>;
  /** Ends what monitors kept of reports, whose own days go on. */
  dropReports: (reportIds: readonly string[]) => void;
  /** Unix milliseconds. */
  now: () => number;
  log: (event: Record<string, unknown>) => void;
};

export type MonitorAnswer<T> = { ok: true; value: T } | { ok: false; problem: ProblemInput };

export const answerMonitorCall = <T>(value: T): MonitorAnswer<T> => ({ ok: true, value });

export const refuseMonitorCall = (...given: Parameters<typeof buildProblem>): { ok: false; problem: ProblemInput } => ({
  ok: false,
  problem: buildProblem(...given),
});

export const NO_SUCH_MONITOR = refuseMonitorCall('monitor_not_found');

/** Something below a monitor that is there. */
export const refuseUnknownPart = (what: string): { ok: false; problem: ProblemInput } =>
  refuseMonitorCall('not_found', { detail: `This monitor has no such ${what}` });

const UNAVAILABLE_RETRY_S = 5;

/** What could not be asked is 503: whether it was done is not known. */
export async function reachShards<T>(
  { log }: Pick<MonitorApiPorts, 'log'>,
  call: () => Promise<MonitorAnswer<T>>,
): Promise<MonitorAnswer<T>> {
  try {
    return await call();
  } catch (error) {
    log({ event: 'monitors_failed', error: String(error).slice(0, 200) });
    return refuseMonitorCall('monitors_unavailable', { retryAfterS: UNAVAILABLE_RETRY_S });
  }
}

/** Does something with one monitor of the caller; a monitor of another account is one that is not there. */
export async function withMonitor<T>(
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  work: (shard: MonitorShardObject, account: string) => Promise<MonitorAnswer<T>>,
): Promise<MonitorAnswer<T>> {
  const shard = caller.kind === 'account' || caller.monitorId === id ? ports.shards.ofMonitor(id) : undefined;
  if (shard === undefined) return NO_SUCH_MONITOR;
  return reachShards(ports, () => work(shard, caller.owner.account));
}

/** What only an account may do, and what spends. */
export function refuseCaller(
  caller: MonitorCaller,
  needs: { account?: true; spending?: true },
): { ok: false; problem: ProblemInput } | undefined {
  if (caller.kind === 'monitor_token')
    return needs.account === true ? refuseMonitorCall('insufficient_scope', { detail: TOKEN_IS_FOR_ONE }) : undefined;
  return needs.spending === true && !caller.canSpend
    ? refuseMonitorCall('insufficient_scope', { detail: NEEDS_CREDITS_SCOPE })
    : undefined;
}

const TOKEN_IS_FOR_ONE =
  'The token of a monitor reads, pauses, resumes, runs and deletes that monitor; everything else needs a token of its account';
const NEEDS_CREDITS_SCOPE = 'Each run is paid from credits: ask for a token with the scope credits:use';
