import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import {
  type SitePreview,
  type Preview,
  PREVIEW_LIMITS,
  type PreviewOutcome,
  runSitePreview,
  type PreviewStep,
  listPreviewSteps,
} from '../../../src/audit/core/preview.ts';
import { describeUnreachable, type Unreachable } from '../../../src/audit/core/report.ts';
import { failureWords } from '../../../src/net/failure-words-data.ts';
import { computeCallerNetwork } from '../../../src/net/caller-network.ts';
import { type AuditRoom, auditRoom, HELD_RETRY_AFTER_S } from '../../../src/net/held-bytes.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { getCallerAddress, createCounter, NETWORK_SHARES } from '../../../src/rate-limits/caller-counts.ts';
import {
  countEvents,
  formatRateHeaders,
  type RateAllowance,
  readEventAllowance,
} from '../../../src/rate-limits/rate-counts.ts';
import { logLine } from '../../shared/telemetry.ts';
import { type ReadBudget, createWorkerFetch } from '../bindings/composition.ts';
import {
  type CachedPreview,
  createPreviewGate,
  type PreviewGate,
  type PreviewOrder,
} from '../bindings/target-places.ts';
import { addRateHeaders } from '../free-guard.ts';
import type { AppContext, AppOptions } from '../context.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

/** Previews that a caller may have made; one that is reused costs nothing. */
export const PREVIEW_QUOTA = {
  /** Within ten minutes, as far as one isolate sees. */
  perWindow: 10,
  /** Within a minute, counted by one object for all isolates. */
  perMinute: 5,
} as const;

const WINDOW_MS = 600_000;

const counter = createCounter(WINDOW_MS);

/** Whose events are counted under which quota: the caller, and the /48 where an IPv6 caller can take other addresses from. */
type Share = { policy: string; caller: string; perWindow: number; quota: number };

function listQuotaShares(request: Request): readonly Share[] {
  const caller = getCallerAddress(request);
  const network = computeCallerNetwork(caller);
  const { perWindow, perMinute } = PREVIEW_QUOTA;
  const own = { policy: 'preview', caller, perWindow, quota: perMinute };
  if (network === caller) return [own];
  const all = { perWindow: perWindow * NETWORK_SHARES, quota: perMinute * NETWORK_SHARES };
  return [own, { policy: 'preview-network', caller: network, ...all }];
}

/** What to answer this caller when another preview would be one too many. Nothing is counted yet. */
async function refuseTooManyPreviews(c: AppContext): Promise<ProblemInput | undefined> {
  const now = Date.now();
  for (const share of listQuotaShares(c.req.raw)) {
    if (counter.peek(share.caller, now) >= share.perWindow)
      return refusePreview(c, share, counter.waitS(share.caller, now));
    const { isAllowed, retryAfterS } = await readEventAllowance(c.env.RATE_COUNTER, share, now);
    if (!isAllowed) return refusePreview(c, share, retryAfterS);
  }
  return undefined;
}

/**
 * Counts a preview that begins: up to 60 free requests at another party's host. Returns the refusal when previews of
 * this caller that were admitted at the same time have used up the limit. A caller that has nothing left takes nothing
 * from its network.
 */
async function countPreview(c: AppContext): Promise<ProblemInput | undefined> {
  const now = Date.now();
  for (const share of listQuotaShares(c.req.raw)) {
    if (counter.count(share.caller, now) > share.perWindow)
      return refusePreview(c, share, counter.waitS(share.caller, now));
    const allowance = await countEvents(c.env.RATE_COUNTER, { ...share, count: 1 }, now);
    if (!allowance.isAllowed) return refusePreview(c, share, allowance.retryAfterS);
    recordShare(c, share, allowance);
  }
  return undefined;
}

/** Says what is left of the caller's own previews, beside the limit of free answers. That of its network is no one's own. */
function recordShare(c: AppContext, { policy, quota }: Share, allowance: RateAllowance): void {
  if (policy === 'preview') addRateHeaders(c, formatRateHeaders(policy, quota, allowance));
}

function refusePreview(c: AppContext, share: Share, retryAfterS: number): ProblemInput {
  addRateHeaders(c, formatRateHeaders(share.policy, share.quota, { left: 0, retryAfterS }));
  return buildTooManyPreviewsProblem(retryAfterS);
}

const buildTooManyPreviewsProblem = (retryAfterS: number): ProblemInput =>
  buildProblem('rate_limited', {
    detail: `Too many free previews from this address. A preview makes up to 60 requests, so that each address has ${PREVIEW_QUOTA.perMinute} a minute and ${PREVIEW_QUOTA.perWindow} in ten minutes, and the addresses of one IPv6 /48 together have ${NETWORK_SHARES} times as many. Results of the last ten minutes are shown again without counting`,
    retryAfterS,
  });

/** Why there is no preview; `failure`: what stopped the reading of the site, where it did. */
export type PreviewProblem = ProblemInput & { failure?: Unreachable['failure'] };

/** A preview that may begin, or that was made a short time ago. */
export type PreviewAdmission = { order: PreviewOrder; gate: PreviewGate } & (
  | { kept: CachedPreview }
  | { kept: undefined; room: AuditRoom }
);

/** Rule F7: audits of ours that ask for audits would go on for ever. */
export const findLoopProblem = (c: AppContext): ProblemInput | undefined =>
  isOurVia(c.req.header('via') ?? null) ? buildProblem('loop_detected') : undefined;

/**
 * Asks for a place at the host (rule F6). A fresh result is reused before any limit is checked: it costs nothing.
 * A caller admitted without one runs the preview, which gives the place back.
 */
export async function admitPreview(
  c: AppContext,
  order: PreviewOrder,
): Promise<PreviewAdmission | { problem: ProblemInput }> {
  const gate = await createPreviewGate(c.env, c.get('requestId'), order);
  const kept = await gate.recall();
  if (kept) return { order, gate, kept };
  const tooMany = await refuseTooManyPreviews(c);
  if (tooMany) return { problem: tooMany };
  const room = auditRoom('preview');
  if (!room.take()) return { problem: SERVICE_BUSY };
  const problem = await enterAndCount(c, gate).catch((error: unknown) => {
    room.release();
    throw error;
  });
  if (problem === undefined) return { order, gate, kept, room };
  room.release();
  return { problem };
}

/** Takes a place in front of the host and counts the preview, or says why not; then no place is held. */
async function enterAndCount(c: AppContext, gate: PreviewGate): Promise<ProblemInput | undefined> {
  const admission = await gate.enter();
  if (!admission.admitted) return buildBusyHostProblem(admission.retryAfterS);
  let isCounted = false;
  try {
    // Only what begins counts: a caller that has to wait for a host is not locked out over it.
    const oneTooMany = await countPreview(c);
    isCounted = oneTooMany === undefined;
    return oneTooMany;
  } finally {
    if (!isCounted) await gate.leave();
  }
}

/** Previews give way to purchases: they have a part of the memory, and stop where it is used up. */
const SERVICE_BUSY: ProblemInput = buildProblem('service_busy', { retryAfterS: HELD_RETRY_AFTER_S });

const BUSY_HOST = 'All free previews of one host together are 12 an hour, and two audits of it run at once';

const buildBusyHostProblem = (retryAfterS: number, detail = BUSY_HOST): ProblemInput =>
  buildProblem('target_busy', { detail, retryAfterS });

/** The host that was asked for redirects to one that others have audited. */
const buildBusyRedirectProblem = (retryAfterS: number): ProblemInput =>
  buildBusyHostProblem(retryAfterS, `This site redirects to such a host. ${BUSY_HOST}`);

/** What is said before anything is fetched. */
export const buildPreviewStart = ({ order, kept }: PreviewAdmission) => ({
  url: order.url,
  limits: PREVIEW_LIMITS,
  reused: kept !== undefined,
  ...(kept === undefined ? {} : { made_at: new Date(kept.atMs).toISOString() }),
});

export type PreviewFollower = { onStep: (step: PreviewStep) => void; signal: AbortSignal };

/** Makes the preview, or replays the cached one. Undefined: no client waits for it any more. */
export async function runPreview(
  c: AppContext,
  options: AppOptions,
  admitted: PreviewAdmission,
  following: PreviewFollower,
): Promise<SitePreview | { problem: PreviewProblem } | undefined> {
  if (admitted.kept) return replayPreview(admitted.kept, following);
  const { gate, room } = admitted;
  try {
    const signal = AbortSignal.any([following.signal, room.signal]);
    const outcome = await makePreview(c, options, admitted, { ...following, signal, hold: room.hold });
    if (room.isStarved()) return { problem: SERVICE_BUSY };
    const movedS = gate.refusedMoveS();
    if (movedS !== undefined) return { problem: buildBusyRedirectProblem(movedS) };
    if (!outcome.ok) return outcome.reason === 'stopped' ? undefined : { problem: buildUnreadSiteProblem(outcome) };
    const { preview } = outcome;
    await gate.keep(JSON.stringify(preview));
    return { preview, reused: false, made_at: new Date().toISOString() };
  } catch (error) {
    return { problem: buildFaultProblem(c, error) };
  } finally {
    room.release();
    await gate.leave();
  }
}

/** Logs a bug, and returns the problem that the caller gets. */
export function buildFaultProblem(c: AppContext, error: unknown): ProblemInput {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  logLine({ event: 'bug', request_id: c.get('requestId'), name, message: message.slice(0, 300) });
  return buildProblem('internal_error', { detail: 'Try again' });
}

function replayPreview({ text, atMs }: CachedPreview, { onStep }: PreviewFollower): SitePreview {
  const preview = JSON.parse(text) as Preview; // Holds because its key names the build that kept it.
  for (const step of listPreviewSteps(preview)) onStep(step);
  return { preview, reused: true, made_at: new Date(atMs).toISOString() };
}

function makePreview(
  c: AppContext,
  options: AppOptions,
  { order: { url, isBare, profile }, gate }: PreviewAdmission,
  { onStep, signal, hold }: PreviewFollower & ReadBudget,
): Promise<PreviewOutcome> {
  const createFetch = () =>
    createWorkerFetch(c.env, c.get('settings'), options, {}, { signal, mayMoveTo: gate.mayMoveTo, hold });
  return runSitePreview(url, {
    fetch: createFetch(),
    ...(isBare ? { overHttp: () => ({ fetch: createFetch() }) } : {}),
    clockMs: Date.now(),
    ...(profile === undefined ? {} : { profile }),
    onStep,
    pause: () => scheduler.wait(0),
    signal,
  });
}

const buildUnreadSiteProblem = (unread: Unreachable): PreviewProblem => ({
  ...buildProblem('target_unreachable', { detail: describeUnreachable(unread) }),
  ...failureWords[unread.failure],
  failure: unread.failure,
});
