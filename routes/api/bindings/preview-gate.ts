import { PREVIEW_VERSION } from '../../../src/audit/core/preview.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { type AuditAdmission, normaliseTargetHost } from '../../../src/rate-limits/target-gate.ts';
import { service } from '../../../src/capabilities/service.ts';
import type { Env } from './env.ts';
import { callOrLog, type TargetPlaces, createTargetPlaces } from './target-places.ts';

/** The page to preview; `url` is canonical. */
export type PreviewOrder = { url: string; profile?: ProfileName };

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
