import { classifyHost } from '../../../src/net/address.ts';
import {
  type AuditAdmission,
  type AuditKind,
  type AuditTarget,
  buildAuditTarget,
  normaliseTargetHost,
} from '../../../src/rate-limits/target-gate.ts';
import type { CapabilityTools, WorkOutcome } from '../../../src/capabilities/capability.ts';
import type { Env } from './env.ts';
import { logLine } from '../../shared/telemetry.ts';
import { PREVIEW_VERSION } from '../../../src/audit/core/preview.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { service } from '../../../src/capabilities/service.ts';

/**
 * The places that one audit holds in front of hosts and their domains (rule F6). What answers on this machine (local stack) belongs to who
 * runs it: everybody is let in there.
 */
export type TargetPlaces = {
  /** @param hostname of a parsed URL */
  enter: (hostname: string) => Promise<AuditAdmission>;
  /** The site has moved to this host: whether the audit may go on there. It needs no second place where it holds one. */
  mayMoveTo: (url: URL) => Promise<boolean>;
  /** When to try again, where the host that a site had moved to let the audit not in. */
  refusedMoveS: () => number | undefined;
  /** Gives all places back. A gate that fails forgets a place by itself after a while, and no result is lost over it. */
  leave: () => Promise<void>;
};

/** @param id names the places while they are held */
export function createTargetPlaces(env: Pick<Env, 'TARGET_GATE'>, id: string, kind: AuditKind): TargetPlaces {
  const held = new Map<string, AuditTarget>();
  let refusedS: number | undefined;
  const gateOf = ({ domain }: AuditTarget) => env.TARGET_GATE.getByName(domain);
  const enter = async (hostname: string): Promise<AuditAdmission> => {
    if (classifyHost(hostname).kind !== 'public') return { admitted: true };
    const target = buildAuditTarget(hostname);
    const admission = await gateOf(target).enter(id, kind, target);
    if (admission.admitted) held.set(target.host, target);
    return admission;
  };
  return {
    enter,
    mayMoveTo: async ({ hostname }) => {
      if (held.has(buildAuditTarget(hostname).host)) return true;
      const admission = await enter(hostname);
      if (!admission.admitted) refusedS = admission.retryAfterS;
      return admission.admitted;
    },
    refusedMoveS: () => refusedS,
    leave: async () => {
      const targets = [...held.values()];
      held.clear();
      refusedS = undefined;
      await Promise.all(
        targets.map((target) => callOrLog(id, 'target_gate.leave', () => gateOf(target).leave(id, target))),
      );
    },
  };
}

/**
 * Rule F6: the host that is named lets the audit in, and so does the one that its site has moved to. Tasks of one sale may enter hosts
 * at the same time: the places are given back when the last of them ends.
 */
export function createTargetEntrance(places: Omit<TargetPlaces, 'mayMoveTo'>): CapabilityTools['atTarget'] {
  let running = 0;
  return async (url, task) => {
    running += 1;
    try {
      const admission = await places.enter(new URL(url).hostname);
      if (!admission.admitted)
        return refuseBusyTarget('Other callers are having this host audited', admission.retryAfterS);
      const outcome = await task();
      const movedS = places.refusedMoveS();
      return movedS === undefined
        ? outcome
        : refuseBusyTarget('Other callers have the host audited that this one redirects to', movedS);
    } finally {
      running -= 1;
      if (running === 0) await places.leave();
    }
  };
}

const refuseBusyTarget = (detail: string, retryAfterS: number): WorkOutcome => ({
  ok: false,
  reason: 'target_busy',
  detail,
  retryAfterS,
});

/** Calls an object whose failure must not fail the request, and logs it: objects are reset at every deployment. */
export async function callOrLog(requestId: string, method: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    logLine({ event: 'gate_failed', request_id: requestId, method, error: String(error).slice(0, 200) });
  }
}

/** The page to preview; `url` is canonical, `isBare` where its scheme was left out. */
export type PreviewOrder = { url: string; isBare: boolean; profile?: ProfileName };

/** A result that was kept, as JSON, and when it was made (Unix milliseconds). */
export type CachedPreview = { text: string; atMs: number };

/** The gate of one order's host, for free previews (rule F6); `leave` and `keep` never fail. */
export type PreviewGate = Pick<TargetPlaces, 'mayMoveTo' | 'refusedMoveS' | 'leave'> & {
  /** The fresh result of the same order. */
  recall: () => Promise<CachedPreview | undefined>;
  enter: () => Promise<AuditAdmission>;
  keep: (text: string) => Promise<void>;
};

/**
 * The gate in front of the host that an order names, which also keeps its results: those of this machine, too.
 * @param id names the place while it is held
 */
export async function createPreviewGate(env: Env, id: string, { url, profile }: PreviewOrder): Promise<PreviewGate> {
  const { hostname } = new URL(url);
  const gate = env.TARGET_GATE.getByName(normaliseTargetHost(hostname));
  const key = await computeSha256Hex(JSON.stringify([service.version, PREVIEW_VERSION, url, profile ?? null]));
  const places = createTargetPlaces(env, id, 'unpaid');
  return {
    ...places,
    recall: () => gate.recall(key),
    enter: () => places.enter(hostname),
    keep: (text) => callOrLog(id, 'target_gate.keep', () => gate.keep(key, text)),
  };
}
