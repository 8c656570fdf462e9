import { classifyHost } from '../../../src/net/address.ts';
import { type Admission, type AuditKind, type Target, targetOf } from '../../../src/rate-limits/target-gate.ts';
import type { Env } from './env.ts';
import { logLine } from '../../shared/log.ts';

/**
 * The places that one audit holds in front of hosts and their domains (rule F6). What answers on this machine (local stack) belongs to who
 * runs it: everybody is let in there.
 */
export type TargetPlaces = {
  /** @param hostname of a parsed URL */
  enter: (hostname: string) => Promise<Admission>;
  /** The site has moved to this host: whether the audit may go on there. It needs no second place where it holds one. */
  mayMoveTo: (url: URL) => Promise<boolean>;
  /** When to try again, where the host that a site had moved to let the audit not in. */
  refusedMoveS: () => number | undefined;
  /** Gives all places back. A gate that fails forgets a place by itself after a while, and no result is lost over it. */
  leave: () => Promise<void>;
};

/** @param id names the places while they are held */
export function targetPlaces(env: Pick<Env, 'TARGET_GATE'>, id: string, kind: AuditKind): TargetPlaces {
  const held = new Map<string, Target>();
  let refusedS: number | undefined;
  const gateOf = ({ domain }: Target) => env.TARGET_GATE.getByName(domain);
  const enter = async (hostname: string): Promise<Admission> => {
    if (classifyHost(hostname).kind !== 'public') return { admitted: true };
    const target = targetOf(hostname);
    const admission = await gateOf(target).enter(id, kind, target);
    if (admission.admitted) held.set(target.host, target);
    return admission;
  };
  return {
    enter,
    mayMoveTo: async ({ hostname }) => {
      if (held.has(targetOf(hostname).host)) return true;
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
        targets.map((target) => orLog(id, 'target_gate.leave', () => gateOf(target).leave(id, target))),
      );
    },
  };
}

/** Calls an object whose failure must spoil nothing: objects are reset at every deployment. The log is told. */
export async function orLog(requestId: string, method: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    logLine({ event: 'gate_failed', request_id: requestId, method, error: String(error).slice(0, 200) });
  }
}
