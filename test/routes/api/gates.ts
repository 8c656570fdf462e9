import { env } from 'cloudflare:workers';
import { type AuditAdmission, type AuditKind, buildAuditTarget } from '../../../src/rate-limits/target-gate.ts';

/** The gate in front of a host, as audits go through it. */
export function gateOf(host: string): {
  enter: (id: string, kind?: AuditKind) => Promise<AuditAdmission>;
  leave: (id: string) => Promise<void>;
} {
  const target = buildAuditTarget(host);
  const gate = env.TARGET_GATE.getByName(target.domain);
  return { enter: (id, kind = 'paid') => gate.enter(id, kind, target), leave: (id) => gate.leave(id, target) };
}
