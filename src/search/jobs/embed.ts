import type { InstanceFacts } from '../order.ts';
import type { EmbeddedChunk, UnembeddedChunk } from '../index/item.ts';
import { type Embedder, MAX_EMBEDDING_BATCH } from '../../models/port.ts';
import type { Parts } from './parts.ts';

/** Batches of one round. */
const BATCHES_PER_ROUND = 8;
/** Questions of one round: batches that the engine refuses are asked for in parts. */
const QUESTIONS_PER_ROUND = 60;
/** After this a round asks nothing more. */
const ROUND_MS = 120_000;
/** One question to the engine. */
const EMBED_MS = 30_000;
/** How long the vectors of one item are waited for; the vendor waits as long. */
const ITEM_WAIT_MS = 40_000;
/** Questions for the vectors of one item: those of the longest one, and parts of batches that the engine refuses. */
const QUESTIONS_PER_ITEM = 700;
/** Calls that wait for vectors at once: each holds its file meanwhile, 4 MiB and its text, and an object has 128 MiB. */
const MAX_WAITING = 8;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;
/** Failures on end after which the longest wait begins. */
const MAX_TRIES = 6;
/** No engine refuses this for what it says. */
const HARMLESS = 'text';

type Failure = { detail: string; retryable: boolean };
/** One round with an engine. */
type Round = {
  parts: Parts;
  facts: InstanceFacts;
  /** Undefined: all items. */
  itemId?: string;
  embedder: Embedder;
  /** Questions that may still be asked. */
  questions: number;
  /** After this nothing more is asked, Unix milliseconds. */
  endMs: number;
  /** After this no answer is waited for, Unix milliseconds. */
  lastMs: number;
  /** The last question was broken off before an engine's time was up: that it failed says nothing. */
  isCut: boolean;
  /** It has taken a harmless text after it refused another. */
  works: boolean;
};

/** Makes vectors for chunks that have none, batch by batch. Where the engine fails it waits longer each time. */
export async function runEmbedding(parts: Parts, facts: InstanceFacts): Promise<void> {
  const embedder = findReadyEmbedder(parts, facts);
  if (!embedder) return;
  const endMs = parts.tools.now() + ROUND_MS;
  const limits = { questions: QUESTIONS_PER_ROUND, endMs, lastMs: endMs + EMBED_MS };
  const round: Round = { parts, facts, embedder, ...limits, isCut: false, works: false };
  for (let batch = 0; batch < BATCHES_PER_ROUND && !isOver(round); batch += 1)
    if (!(await embedNextBatch(round))) return;
}

/**
 * Makes the vectors of one item now: for a caller who waits until it is found by its meaning as well. What the engine does not
 * give in `ITEM_WAIT_MS` comes with the rounds; so does all of it where the engine has failed a moment ago, or `MAX_WAITING`
 * others wait.
 */
export async function embedItem(parts: Parts, facts: InstanceFacts, itemId: string): Promise<void> {
  const { embedding, tools, store } = parts;
  const embedder = store.item(itemId)?.status === 'completed' ? findReadyEmbedder(parts, facts) : undefined;
  if (!embedder || embedding.waiting >= MAX_WAITING) return;
  const endMs = tools.now() + ITEM_WAIT_MS;
  const limits = { questions: QUESTIONS_PER_ITEM, endMs, lastMs: endMs };
  const round: Round = { parts, facts, itemId, embedder, ...limits, isCut: false, works: false };
  embedding.waiting += 1;
  try {
    await Promise.race([embedAllBatches(round), waitForMs(ITEM_WAIT_MS)]); // Its turn may come too late.
  } finally {
    embedding.waiting -= 1;
  }
}

async function embedAllBatches(round: Round): Promise<void> {
  while (!isOver(round)) if (!(await embedNextBatch(round))) return;
}

const waitForMs = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    AbortSignal.timeout(ms).addEventListener('abort', () => resolve(), { once: true });
  });

/** The engine of an instance that is to have vectors; undefined where it is to be left alone for now. */
function findReadyEmbedder(parts: Parts, facts: InstanceFacts): Embedder | undefined {
  const { own, tools } = parts;
  const embedder = facts.config.vector ? getEmbedder(parts) : undefined;
  if (!embedder) return undefined;
  forgetOthers(parts, embedder);
  return own.time('embed_after') > tools.now() ? undefined : embedder;
}

/** In its turn: what waits then is what no one else has done. @returns whether there may be more to do */
const embedNextBatch = async (round: Round): Promise<boolean> =>
  round.parts.embedding.turn(async () => embedBatch(round));

async function embedBatch(round: Round): Promise<boolean> {
  const { parts, facts, itemId } = round;
  const embedder = isOver(round) ? undefined : findReadyEmbedder(parts, facts);
  if (!embedder) return false;
  round.embedder = embedder;
  const { attempts, own, store } = parts;
  if (attempts.deaths(BATCH) > 0) {
    attempts.forget(BATCH);
    own.setWord('embed_alone', String(MAX_EMBEDDING_BATCH));
  }
  const alone = Number(own.word('embed_alone'));
  const chunks = store.chunksWithoutVectors(alone > 0 ? 1 : MAX_EMBEDDING_BATCH, itemId);
  const [first] = chunks;
  if (!first) return false;
  if (alone > 0) own.setWord('embed_alone', String(alone - 1));
  const name = alone > 0 ? `vector ${first.number}` : BATCH;
  if (attempts.deaths(name) > 0) {
    attempts.forget(name);
    skipChunks(round, chunks);
    return true;
  }
  await attempts.begin(name);
  try {
    const failure = await embedChunks(round, chunks);
    if (failure && !round.isCut) recordEmbeddingFailure(parts, failure);
    return !failure;
  } finally {
    attempts.end(name);
  }
}

/**
 * The name of a batch that is being asked for. After a death in one, as many chunks as it had are asked for by themselves; the
 * one at which the object dies again is passed over.
 */
const BATCH = 'vectors';

/** Numbers of each vector that there is; 0 for none. */
export const findVectorDimensions = ({ own, store }: Parts): number =>
  store.stats().vectors === 0 ? 0 : Number(own.word('embed_length'));

/** When the next vectors may be asked for, Unix milliseconds; undefined when none are wanted. */
export function computeNextVectorsMs(parts: Parts, facts: InstanceFacts): number | undefined {
  const { store, own } = parts;
  const embedder = facts.config.vector ? getEmbedder(parts) : undefined;
  if (!embedder) return undefined;
  if (isOther(parts, embedder)) return 0;
  return store.chunksWithoutVectors(1).length === 0 ? undefined : own.time('embed_after');
}

const reported = new WeakSet<object>();

/** The engine; undefined where there is none, or its settings are wrong, which is logged once. */
export function getEmbedder({ tools }: Pick<Parts, 'tools'>): Embedder | undefined {
  try {
    return tools.embedder();
  } catch {
    // Not what it says: settings hold keys.
    if (!reported.has(tools)) tools.log({ event: 'search.embedder.unusable' });
    reported.add(tools);
    return undefined;
  }
}

/** Whether the vectors that are kept were made by another engine or model. */
export function isOther({ own }: Pick<Parts, 'own'>, embedder: Embedder): boolean {
  const before = own.word('embedder');
  return before !== '' && before !== formatEmbedderName(embedder);
}

/** The vectors that are kept are of no use: the next round forgets them. */
export const discardVectors = ({ own }: Pick<Parts, 'own'>): void => own.setWord('embedder', 'outdated');

const formatEmbedderName = ({ kind, model }: Embedder): string => `${kind} ${model}`;

/** Vectors of another model say nothing to those of this one. What was wrong with it does neither. */
function forgetOthers(parts: Parts, embedder: Embedder): void {
  const { own, store } = parts;
  if (isOther(parts, embedder)) {
    store.dropVectors();
    own.setWord('embed_length', '');
    own.setWord('embed_failures', '');
    own.setTime('embed_after', 0);
  }
  own.setWord('embedder', formatEmbedderName(embedder));
}

const isOver = ({ parts, questions, endMs }: Round): boolean => questions <= 0 || parts.tools.now() >= endMs;

/**
 * Gives chunks their vectors. Of a batch that the engine refuses for good each half is asked for by itself, down to the chunk
 * that it does not take: that one is passed over until there is another model.
 */
async function embedChunks(round: Round, chunks: readonly UnembeddedChunk[]): Promise<Failure | undefined> {
  if (isOver(round)) return undefined; // The next round goes on.
  const texts = chunks.map(({ text }) => text);
  const answer = await ask(round, texts);
  if (answer.ok) return keep(round, chunks, answer.vectors);
  if (answer.retryable || !(await canEmbed(round))) return answer;
  if (chunks.length === 1) {
    skipChunks(round, chunks);
    return undefined;
  }
  const middle = Math.ceil(chunks.length / 2);
  return (await embedChunks(round, chunks.slice(0, middle))) ?? embedChunks(round, chunks.slice(middle));
}

async function ask(round: Round, texts: readonly string[]): ReturnType<Embedder['embed']> {
  const waitMs = Math.min(EMBED_MS, Math.max(0, round.lastMs - round.parts.tools.now()));
  round.questions -= 1;
  const signal = AbortSignal.timeout(waitMs);
  const answer = await round.embedder.embed(texts, signal);
  round.isCut = signal.aborted && waitMs < EMBED_MS;
  return answer;
}

/** Whether the engine takes anything: a wrong key is no chunk's fault. */
async function canEmbed(round: Round): Promise<boolean> {
  round.works ||= (await ask(round, [HARMLESS])).ok;
  return round.works;
}

function keep({ parts }: Round, chunks: readonly UnembeddedChunk[], vectors: readonly Float32Array[]) {
  const { own, store } = parts;
  const length = vectors[0]?.length ?? 0;
  const done = chunks.flatMap((chunk, index): EmbeddedChunk[] => {
    const vector = vectors[index];
    return vector?.length === length ? [{ ...chunk, vector }] : [];
  });
  if (done.length < chunks.length) return SHORT;
  if (own.word('embed_length') !== String(length)) {
    if (own.word('embed_length') !== '') store.dropVectors();
    own.setWord('embed_length', String(length));
  }
  own.setWord('embed_failures', '');
  store.setVectors(done);
  return undefined;
}

const SHORT: Failure = {
  detail: 'The engine gave fewer vectors than texts, or some of another length',
  retryable: true,
};

/** A vector of zeros is near nothing. */
function skipChunks({ parts }: Round, chunks: readonly UnembeddedChunk[]): void {
  const length = Math.max(1, Number(parts.own.word('embed_length')));
  parts.store.setVectors(chunks.map((chunk) => ({ ...chunk, vector: new Float32Array(length) })));
  parts.tools.log({ event: 'search.embed.passed_over', chunks: chunks.length });
}

function recordEmbeddingFailure({ own, tools }: Parts, { detail, retryable }: Failure): void {
  const failures = Number(own.word('embed_failures')) + 1;
  own.setWord('embed_failures', String(failures));
  const waitMs = retryable && failures < MAX_TRIES ? FIRST_WAIT_MS * 2 ** (failures - 1) : LONGEST_WAIT_MS;
  own.setTime('embed_after', tools.now() + waitMs);
  tools.log({ event: 'search.embed.failed', detail, failures, waitMs });
}
