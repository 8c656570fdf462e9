import { HOUR_MS } from '../lib/time.ts';
import { withoutTrailingDot } from '../net/address.ts';
import { computeIpv6Network } from '../net/caller-network.ts';
import { getRegistrableDomain } from '../net/registrable-domain.ts';

/** Names an audited host: `example.com.` and `EXAMPLE.com` are one, and so are the IPv6 addresses of one /64. */
export function normaliseTargetHost(hostname: string): string {
  const host = withoutTrailingDot(hostname).toLowerCase();
  return host.startsWith('[') ? computeIpv6Network(host.slice(1, -1)) : host;
}

/** An audited host, and the domain whose gate it goes through; both are the same for an IP address. */
export type AuditTarget = { host: string; domain: string };

/** @param hostname of a parsed URL, or a `normaliseTargetHost` */
export function buildAuditTarget(hostname: string): AuditTarget {
  const host = normaliseTargetHost(hostname);
  return { host, domain: host.includes(':') ? host : getRegistrableDomain(host) };
}

/** What is allowed towards one audited host by all callers together (rule F6). */
export const TARGET_LIMITS = {
  /** Audits at the same time. */
  running: 2,
  /** Paid audits that may start within an hour. */
  paidPerHour: 60,
  /** Free previews that may start within an hour. */
  unpaidPerHour: 12,
} as const;

/**
 * The same for all hosts of one registrable domain: the owner of a domain can name any number of them. A single host
 * takes a third of it at most, by its own limits. The domain itself and its `www` are never refused for what other
 * hosts took: strangers who audit invented subdomains do not lock the site's owner out.
 */
export const DOMAIN_LIMITS = {
  running: 3 * TARGET_LIMITS.running,
  paidPerHour: 3 * TARGET_LIMITS.paidPerHour,
  unpaidPerHour: 3 * TARGET_LIMITS.unpaidPerHour,
} as const;

/** A running audit that never said it was done is forgotten after this: an audit takes at most 60 s. */
const RUN_EXPIRES_MS = 90_000;
/** The `Retry-After` when both places are taken, in seconds. */
const BUSY_RETRY_S = 10;

/** Audits of one host: when those of the last hour started, and which run now. Times are Unix milliseconds. */
export type TargetState = {
  /** Paid ones. */
  startedAtMs: readonly number[];
  /** Free previews. */
  unpaidAtMs: readonly number[];
  running: readonly { id: string; sinceMs: number }[];
};

export const idleTarget: TargetState = { startedAtMs: [], unpaidAtMs: [], running: [] };

/** Audits of one domain by host. Hosts without any of the last hour are left out, so there are no more than those allowed in it. */
export type DomainState = ReadonlyMap<string, TargetState>;

export const idleDomain: DomainState = new Map();

/** Which count an audit goes into; places are taken by both alike. */
export type AuditKind = 'paid' | 'unpaid';

const COUNTS = {
  paid: { times: 'startedAtMs', perHour: 'paidPerHour' },
  unpaid: { times: 'unpaidAtMs', perHour: 'unpaidPerHour' },
} as const satisfies Record<AuditKind, { times: keyof TargetState; perHour: keyof typeof TARGET_LIMITS }>;

export type AuditAdmission = { admitted: true } | { admitted: false; retryAfterS: number };

/** Who wants in. */
export type AdmissionRequest = { id: string; kind: AuditKind; target: AuditTarget };

/** Decides whether an audit may start now; `state` is what to keep afterwards. */
export function admitAudit(
  state: DomainState,
  { id, kind, target }: AdmissionRequest,
  nowMs: number,
): { admission: AuditAdmission; state: DomainState } {
  const current = forget(state, nowMs);
  const own = current.get(target.host) ?? idleTarget;
  const refusedS =
    waitS(own, TARGET_LIMITS, kind, nowMs) ??
    (isMainHost(target) ? undefined : waitS(mergeHostStates(current), DOMAIN_LIMITS, kind, nowMs));
  if (refusedS !== undefined) return { admission: { admitted: false, retryAfterS: refusedS }, state: current };
  const { times } = COUNTS[kind];
  const entered = {
    ...own,
    [times]: [...own[times], nowMs],
    running: [...own.running, { id, sinceMs: nowMs }],
  };
  return { admission: { admitted: true }, state: new Map([...current, [target.host, entered]]) };
}

/** The audit `id` is done: its places in front of the domain's hosts are free. */
export function leave(state: DomainState, id: string, nowMs: number): DomainState {
  const left = [...state].map(
    ([host, one]) => [host, { ...one, running: one.running.filter((run) => run.id !== id) }] as const,
  );
  return forget(new Map(left), nowMs);
}

const isMainHost = ({ host, domain }: AuditTarget): boolean => host === domain || host === `www.${domain}`;

/** Seconds until there is room again; undefined while there is. */
function waitS(
  state: TargetState,
  limits: Readonly<Record<keyof typeof TARGET_LIMITS, number>>,
  kind: AuditKind,
  nowMs: number,
): number | undefined {
  if (state.running.length >= limits.running) return BUSY_RETRY_S;
  const { times, perHour } = COUNTS[kind];
  const started = state[times];
  if (started.length < limits[perHour]) return undefined;
  const frees = started.at(-limits[perHour]) ?? nowMs;
  return Math.ceil((frees + HOUR_MS - nowMs) / 1000);
}

/** All hosts of the domain as one. */
function mergeHostStates(state: DomainState): TargetState {
  const all = [...state.values()];
  const inOrder = (times: readonly number[]): readonly number[] => times.toSorted((one, other) => one - other);
  return {
    startedAtMs: inOrder(all.flatMap(({ startedAtMs }) => startedAtMs)),
    unpaidAtMs: inOrder(all.flatMap(({ unpaidAtMs }) => unpaidAtMs)),
    running: all.flatMap(({ running }) => running),
  };
}

function forget(state: DomainState, nowMs: number): DomainState {
  const kept = [...state].map(([host, one]) => [host, forgetOld(one, nowMs)] as const);
  return new Map(kept.filter(([, one]) => !isIdle(one)));
}

function forgetOld(state: TargetState, nowMs: number): TargetState {
  return {
    startedAtMs: state.startedAtMs.filter((atMs) => nowMs - atMs < HOUR_MS),
    unpaidAtMs: state.unpaidAtMs.filter((atMs) => nowMs - atMs < HOUR_MS),
    running: state.running.filter((run) => nowMs - run.sinceMs < RUN_EXPIRES_MS),
  };
}

const isIdle = ({ startedAtMs, unpaidAtMs, running }: TargetState): boolean =>
  startedAtMs.length + unpaidAtMs.length + running.length === 0;

/** What is kept of free previews of one host, so that who asks again soon makes no request at it (rule F6). */
export const KEPT_LIMITS = {
  /** How long a result is handed out again, in milliseconds. */
  ageMs: 600_000,
  /** As many as previews may start within an hour. */
  results: 12,
  /** A longer result is not kept: a stored value has at most 2 MB, and a character may take two bytes. */
  chars: 500_000,
} as const;

/** The results of one host, the oldest first; `key` names what was asked. */
export type StoredResultList = readonly { key: string; atMs: number }[];

/** The list with one result more, and the keys of those that are to be deleted. */
export function addStoredResult(
  list: StoredResultList,
  key: string,
  nowMs: number,
): { list: StoredResultList; dropped: readonly string[] } {
  const others = list.filter((one) => one.key !== key);
  const kept = [...others.filter((one) => isFresh(one, nowMs)), { key, atMs: nowMs }].slice(-KEPT_LIMITS.results);
  const stays = new Set(kept.map((one) => one.key));
  return { list: kept, dropped: list.flatMap((one) => (stays.has(one.key) ? [] : [one.key])) };
}

/** When the result under `key` was made, Unix milliseconds; undefined when there is none that may be handed out. */
export const findCreatedAtMs = (list: StoredResultList, key: string, nowMs: number): number | undefined =>
  list.find((one) => one.key === key && isFresh(one, nowMs))?.atMs;

const isFresh = ({ atMs }: StoredResultList[number], nowMs: number): boolean => nowMs - atMs < KEPT_LIMITS.ageMs;
