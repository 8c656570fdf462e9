import { PREVIEW_VERSION } from '../src/audit/preview.ts';
import type { ProfileName } from '../src/audit/site.ts';
import { classifyHost } from '../src/net/address.ts';
import { sha256Hex } from '../src/net/digest.ts';
import { type Admission, targetName } from '../src/net/target-gate.ts';
import { service } from '../src/capabilities/service.ts';
import type { Env } from './env.ts';

/** What somebody wants a preview of; `url` is canonical. */
export type PreviewOrder = { url: string; profile?: ProfileName };

/** A result that was kept, as JSON, and when it was made (Unix milliseconds). */
export type Kept = { text: string; atMs: number };

/** The gate of one order's host, for free previews (rule F6). */
export type PreviewGate = {
  /** The fresh result of the same order. */
  recall: () => Promise<Kept | undefined>;
  enter: () => Promise<Admission>;
  leave: () => Promise<void>;
  keep: (text: string) => Promise<void>;
};

/**
 * The gate in front of the host that an order names. What answers on this machine (local stack) belongs to who runs it:
 * its results are kept like those of others, and everybody is let in.
 * @param id names the place while it is held
 */
export async function previewGate(env: Env, id: string, { url, profile }: PreviewOrder): Promise<PreviewGate> {
  const { hostname } = new URL(url);
  const gate = env.TARGET_GATE.getByName(targetName(hostname));
  const key = await sha256Hex(JSON.stringify([service.version, PREVIEW_VERSION, url, profile ?? null]));
  const isPublic = classifyHost(hostname).kind === 'public';
  return {
    recall: () => gate.recall(key),
    enter: async () => (isPublic ? gate.enter(id, 'unpaid') : { admitted: true }),
    leave: async () => {
      if (isPublic) await gate.leave(id);
    },
    keep: (text) => gate.keep(key, text),
  };
}
