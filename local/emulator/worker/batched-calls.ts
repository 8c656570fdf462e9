import { readContent } from '../../../routes/control/respond.ts';
import { listOwnOrigins } from '../../../src/net/own-origins.ts';
import { type BatchCall, planBatch } from '../../../src/management/core/conventions/batch.ts';
import { MAX_BATCH_BYTES } from '../../../src/management/core/conventions/multipart.ts';
import type { BodyRoom } from '../../../src/net/held-bytes.ts';
import { BodyBrokenOff } from '../../../src/net/request-body.ts';
import type { EmulatorParts } from './parts.ts';

/** One part of a batch, in its order. */
export type BatchedCall = {
  /** Undefined for a part that cannot be read. */
  call: BatchCall | undefined;
  /** Whose it is by its own token, else by that of the batch; null without a good one. */
  tenant: string | null;
};

/** What the app keeps count of is enough: this copy is gone before its answer. */
const ROOM: BodyRoom = {
  count: () => true,
  isFull: () => false,
  asTheyArrive: false,
  maxMs: 60_000,
  release: () => undefined,
};

export const isBatchPath = (path: string): boolean => /^\/batch(?:\/|$)/.test(path);

/** The parts of a batch, read beside the app and as it reads them; none where it will refuse the whole. */
export async function readBatch(
  request: Request,
  ownUrl: string,
  identify: EmulatorParts['identify'],
): Promise<readonly BatchedCall[]> {
  const content = await readContent(request.clone(), MAX_BATCH_BYTES, ROOM).catch((error: unknown) => {
    if (error instanceof BodyBrokenOff) return undefined; // The app reads the same, and says so.
    throw error;
  });
  if (content?.ok !== true) return [];
  const outer = {
    headers: Object.fromEntries(request.headers),
    query: new URL(request.url).search.slice(1),
    ownOrigins: listOwnOrigins(ownUrl),
  };
  const plan = planBatch(outer, content.value, request.headers.get('content-type'));
  if (!plan.ok) return [];
  return Promise.all(
    plan.value.map(async (part) => {
      if (!part.ok) return { call: undefined, tenant: null };
      const caller = await identify(new Headers({ ...part.call.headers }));
      return { call: part.call, tenant: caller?.tenant ?? null };
    }),
  );
}
