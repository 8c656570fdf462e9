import type { SearchOrder } from '../../../src/management/aisearch/order.ts';
import { requestRefusals } from '../../../src/management/conventions/errors.ts';
import { JSON_TYPE } from '../../../src/management/conventions/json-output.ts';
import type { Json, JsonObject } from '../../../src/management/json.ts';
import type { RefusalData } from '../../../src/management/refusal.ts';
import { METER_WINDOW_MS } from '../../../src/payment/engine-meter.ts';
import { wholeAnswer } from '../../../src/search/chat/answer.ts';
import { failureRefusal } from '../../../src/search/chat/failures.ts';
import { chatFrames, type ChatName, finishWord, legacyFrames } from '../../../src/search/chat/frames.ts';
import { promptOf } from '../../../src/search/chat/prompt.ts';
import { chatStream } from '../../../src/search/chat/stream.ts';
import type { ChatEngine } from '../../../src/search/search-object.ts';
import { Denial } from '../admitted.ts';
import type { Answered, AnsweredStream } from '../answered.ts';
import type { World } from '../call.ts';
import { chatEngineOf, HOW_TO_CONFIGURE } from './engines.ts';
import { answeredResult, SEARCH_HEADERS } from './envelope.ts';
import { type FoundTogether, type PlacedChunk, shownChunk, shownFile } from './found.ts';

export type ChatOrder = Extract<SearchOrder, { do: 'chat' }>;
type ChatFound = Extract<FoundTogether, { ok: true }>;
type Prepared = { order: ChatOrder; found: ChatFound; engine: ChatEngine; name: ChatName };

const SECOND_MS = 1_000;
/** What comes piece by piece is not held back on its way, neither by a cache nor by a proxy. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  ...SEARCH_HEADERS,
  'x-accel-buffering': 'no',
};

/**
 * Answers a chat: what was found, and what the engine says of it. Without an engine nothing is searched. With `stream` the
 * answer begins when the search is over, and no failure after that has a status of its own.
 * @throws Denial: 503 without an engine, 429 where chats of the tenant have cost too much within the hour, what the search
 * refuses, and 502 or 503 for an engine that failed
 */
export async function answerChat(
  order: ChatOrder,
  search: (order: ChatOrder) => Promise<FoundTogether>,
  world: World,
): Promise<Answered | AnsweredStream> {
  const choice = chatEngineOf(world.env, world.settings, world.chats);
  if (!choice.ok) throw new Denial(notConfigured(choice.detail));
  const id = `chatcmpl-${crypto.randomUUID().replaceAll('-', '')}`;
  const [found] = await Promise.all([search(order), reserve(order, id, world)]);
  if (!found.ok) {
    await release(order, id, world);
    throw new Denial(found.refusal);
  }
  const { engine } = choice;
  const name = { id, created: Math.floor(Date.now() / SECOND_MS), model: order.model || engine.model };
  const prepared = { order, found, engine, name };
  return order.stream ? streamed(prepared, world) : whole(prepared);
}

const notConfigured = (detail: string): RefusalData => ({
  status: 503,
  word: 'UNAVAILABLE',
  reason: 'engine_not_configured',
  message: `No answer engine is configured: ${detail}. ${HOW_TO_CONFIGURE}`,
});

/** Books what a chat may cost on its tenant. @throws Denial: 429 over what an hour may cost */
async function reserve({ instances }: ChatOrder, id: string, { env, settings }: World): Promise<void> {
  const { CHAT_USD: microUsd, UNPAID_ENGINE_USD_PER_HOUR: limitMicroUsd } = settings;
  const tenant = instances[0]?.tenant;
  if (microUsd === 0 || tenant === undefined) return;
  const { ENGINE_METER } = env;
  const verdict = await ENGINE_METER.get(ENGINE_METER.idFromName(tenant)).reserve(id, microUsd, limitMicroUsd);
  if (verdict !== 'admitted') throw new Denial(requestRefusals.rateLimited(METER_WINDOW_MS / SECOND_MS));
}

/** The engine was not asked: that costs nothing. */
async function release({ instances }: ChatOrder, id: string, { env: { ENGINE_METER } }: World): Promise<void> {
  const tenant = instances[0]?.tenant;
  if (tenant !== undefined) await ENGINE_METER.get(ENGINE_METER.idFromName(tenant)).paid(id);
}

const promptFor = ({ order, found }: Prepared) => {
  const { messages, query, instructions } = order;
  const passages = found.chunks;
  return promptOf({
    passages,
    messages,
    question: query.text,
    ...(instructions === undefined ? {} : { instructions }),
  });
};

function streamed(prepared: Prepared, { log, requestId }: World): AnsweredStream {
  const { order, found, engine, name } = prepared;
  const { form } = order;
  const frames = form === 'legacy' ? legacyFrames : chatFrames(name, shownChunks(found.chunks, form));
  const onBug = (error: unknown): void =>
    log({ event: 'chat_failed', request_id: requestId, error: error instanceof Error ? error.name : typeof error });
  const body = chatStream({ engine, messages: promptFor(prepared), frames, onBug });
  return { status: 200, headers: STREAM_HEADERS, body };
}

async function whole(prepared: Prepared): Promise<Answered> {
  const { order, found, engine, name } = prepared;
  const answer = await wholeAnswer(engine, promptFor(prepared));
  if (!answer.ok) throw new Denial(failureRefusal(answer.failure));
  const { form, query } = order;
  const { text, finish, usage } = answer;
  if (form === 'legacy') return answeredLegacy(query.text, text, found.chunks);
  return answeredPlain({
    id: name.id,
    object: 'chat.completion',
    created: name.created,
    model: name.model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishWord(finish) }],
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
    chunks: shownChunks(found.chunks, form),
    ...errorsOf(found),
  });
}

const shownChunks = (chunks: readonly PlacedChunk[], form: 'instance' | 'namespace'): Json[] =>
  chunks.map((chunk) => shownChunk(chunk, form));

/** Instances that failed, where the caller takes the others without them. */
const errorsOf = ({ failures }: ChatFound): JsonObject =>
  failures.length === 0
    ? {}
    : { errors: failures.map(({ instanceId, message }) => ({ instance_id: instanceId, message })) };

const usageOf = ({ inputTokens = 0, outputTokens = 0 }: { inputTokens?: number; outputTokens?: number }) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

const answeredLegacy = (searchQuery: string, response: string, chunks: readonly PlacedChunk[]): Answered =>
  answeredResult({
    object: 'vector_store.search_results.page',
    search_query: searchQuery,
    response,
    data: chunks.map(shownFile),
    has_more: false,
    next_page: null,
  });

/** A chat has no envelope. */
const answeredPlain = (body: JsonObject): Answered => ({
  status: 200,
  headers: { 'content-type': JSON_TYPE, ...SEARCH_HEADERS },
  body: JSON.stringify(body),
});
