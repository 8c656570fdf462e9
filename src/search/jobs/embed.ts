import type { InstanceFacts } from '../../management/aisearch/order.ts';
import { type Embedder, MAX_BATCH } from '../search-object.ts';
import type { Parts } from './parts.ts';

/** Batches of one round. */
const BATCHES_PER_ROUND = 8;
/** One question to the engine. */
const EMBED_MS = 30_000;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;
/** Failures on end after which the longest wait begins. */
const MAX_TRIES = 6;

/** Makes vectors for chunks that have none, batch by batch. Where the engine fails it waits longer each time. */
export async function workOnVectors(parts: Parts, facts: InstanceFacts): Promise<void> {
  const { store, own, tools } = parts;
  const embedder = facts.config.vector ? tools.embedder() : undefined;
  if (!embedder || own.time('embed_after') > tools.now()) return;
  forgetOthers(parts, embedder);
  for (let batch = 0; batch < BATCHES_PER_ROUND; batch += 1) {
    const chunks = store.chunksWithoutVectors(MAX_BATCH);
    if (chunks.length === 0) return;
    const answer = await embedder.embed(
      chunks.map(({ text }) => text),
      AbortSignal.timeout(EMBED_MS),
    );
    const vectors = answer.ok ? chunks.flatMap(({ number }, index) => pair(number, answer.vectors[index])) : [];
    if (!answer.ok || vectors.length < chunks.length) {
      failed(parts, answer.ok ? SHORT : answer);
      return;
    }
    own.setWord('embed_failures', '');
    store.setVectors(vectors);
  }
}

const SHORT = { detail: 'The engine gave fewer vectors than texts', retryable: true };

const pair = (number: number, vector: Float32Array | undefined) => (vector ? [{ number, vector }] : []);

/** When the next vectors may be asked for, Unix milliseconds; undefined when none are wanted. */
export function nextVectorsMs({ store, own, tools }: Parts, facts: InstanceFacts): number | undefined {
  if (!facts.config.vector || !tools.embedder() || store.chunksWithoutVectors(1).length === 0) return undefined;
  return own.time('embed_after');
}

/** Vectors of another model say nothing to those of this one. */
function forgetOthers({ store, own }: Parts, { kind, model }: Embedder): void {
  const name = `${kind} ${model}`;
  const before = own.word('embedder');
  if (before === name) return;
  if (before !== '') store.dropVectors();
  own.setWord('embedder', name);
}

function failed({ own, tools }: Parts, { detail, retryable }: { detail: string; retryable: boolean }): void {
  const failures = Number(own.word('embed_failures')) + 1;
  own.setWord('embed_failures', String(failures));
  const waitMs = retryable && failures < MAX_TRIES ? FIRST_WAIT_MS * 2 ** (failures - 1) : LONGEST_WAIT_MS;
  own.setTime('embed_after', tools.now() + waitMs);
  tools.log({ event: 'search.embed.failed', detail, failures, waitMs });
}
