import { getErrorName } from '../../../../lib/errors.ts';
import type { Json, JsonObject } from '../../../../lib/json.ts';
import { JSON_TYPE } from '../../../core/conventions/json-text.ts';
import { refuseChatCeiling, refuseUnconfiguredEngine } from '../refusals.ts';
import type { SearchOrder } from '../../../../search/order.ts';
import { Refusal } from '../../../../lib/refusal.ts';
import { SECOND_MS } from '../../../../lib/time.ts';
import {
  type ChatFailure,
  createChatFrames,
  type ChatName,
  refuseFailedChat,
  finishWord,
  isUnpaid,
  legacyFrames,
  formatUsage,
  collectAnswer,
} from '../../../../search/chat/frames.ts';
import { buildPromptMessages } from '../../../../search/chat/prompt.ts';
import { createChatStream } from '../../../../search/chat/stream.ts';
import type { ChatEngine } from '../../../../models/port.ts';
import type { EngineChoice } from '../../../../models/registry.ts';
import type { Answered, AnsweredStream } from '../../../core/conventions/response-data.ts';
import { answerResult, SEARCH_HEADERS } from '../envelope/envelope.ts';
import { type CombinedSearchResult, type PlacedChunk, toChunkResource, toFileResource } from './found.ts';

export type ChatOrder = Extract<SearchOrder, { do: 'chat' }>;
type ChatFound = Extract<CombinedSearchResult, { ok: true }>;
/** Takes back what was booked for a chat. */
type Release = () => Promise<void>;
type Prepared = { order: ChatOrder; found: ChatFound; engine: ChatEngine; name: ChatName; release: Release };

/** The configured engine, or what is missing for one, in words for the operator. */
export type ChatChoice = EngineChoice<ChatEngine>;

/** What a chat works with. */
export type ChatPorts = {
  chatEngine: () => ChatChoice;
  /** What a chat may cost, and all unpaid ones of an hour, in micro-USD. */
  chatCost: { microUsd: number; limitMicroUsd: number };
  /** The meter of a tenant. */
  meter: (tenant: string) => ChatMeter;
  requestId: string;
  /** Of the request: its client has left. */
  signal: AbortSignal;
  log: (line: Record<string, unknown>) => void;
  nowMs: () => number;
};

type ChatMeter = {
  reserve: (id: string, microUsd: number, limitMicroUsd: number) => Promise<string>;
  paid: (id: string) => Promise<void>;
  /** Milliseconds until as much may be booked again. */
  freeAgainMs: (microUsd: number, limitMicroUsd: number) => Promise<number>;
};

/** What comes piece by piece is not held back on its way, neither by a cache nor by a proxy. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  ...SEARCH_HEADERS,
  'x-accel-buffering': 'no',
};

/**
 * Answers a chat: what was found, and what the engine says of it. Without an engine nothing is searched. With `stream` the
 * answer begins when the search is over, and no failure after that has a status of its own.
 * @throws Refusal: 503 without an engine, 429 where chats of the tenant have cost too much within the hour, what the search
 * refuses, and 502 or 503 for an engine that failed
 */
export async function answerChat(
  order: ChatOrder,
  search: (order: ChatOrder) => Promise<CombinedSearchResult>,
  ports: ChatPorts,
): Promise<Answered | AnsweredStream> {
  const choice = ports.chatEngine();
  if (!choice.ok) throw new Refusal(refuseUnconfiguredEngine(choice.detail));
  const id = `chatcmpl-${crypto.randomUUID().replaceAll('-', '')}`;
  // Before the search, which asks an engine for the vector of the question.
  const release = await reserve(order, id, ports);
  const found = await searchForChat(order, search, release);
  const { engine } = choice;
  const name = { id, created: Math.floor(ports.nowMs() / SECOND_MS), model: order.model || engine.model };
  const prepared = { order, found, engine, name, release };
  return order.stream ? streamChatAnswer(prepared, ports) : answerWholeChat(prepared, ports);
}

/** Books what a chat may cost on its tenant. @throws Refusal: 429 over what an hour may cost */
async function reserve({ instances }: ChatOrder, id: string, ports: ChatPorts): Promise<Release> {
  const { microUsd, limitMicroUsd } = ports.chatCost;
  const tenant = instances[0]?.tenant;
  if (microUsd === 0 || tenant === undefined) return async () => {};
  const meter = ports.meter(tenant);
  if ((await meter.reserve(id, microUsd, limitMicroUsd)) === 'admitted') return () => meter.paid(id);
  const waitMs = await meter.freeAgainMs(microUsd, limitMicroUsd);
  throw new Refusal(refuseChatCeiling(Math.max(1, Math.ceil(waitMs / SECOND_MS))));
}

/** What the search finds; where it fails the engine is not asked, which costs nothing. @throws Refusal */
async function searchForChat(
  order: ChatOrder,
  search: (order: ChatOrder) => Promise<CombinedSearchResult>,
  release: Release,
): Promise<ChatFound> {
  try {
    const found = await search(order);
    if (found.ok) return found;
    throw new Refusal(found.refusal);
  } catch (error) {
    await tryRelease(release);
    throw error;
  }
}

/** A booking that cannot be taken back ends by itself within the hour: no reason for another answer. */
const tryRelease = (release: Release): Promise<void> => release().catch(() => undefined);

const buildChatPrompt = ({ order, found }: Prepared) => {
  const { messages, query, instructions } = order;
  const passages = found.chunks;
  return buildPromptMessages({
    passages,
    messages,
    question: query.text,
    ...(instructions === undefined ? {} : { instructions }),
  });
};

function streamChatAnswer(prepared: Prepared, { log, requestId }: ChatPorts): AnsweredStream {
  const { order, found, engine, name, release } = prepared;
  const { form, showsUsage = false } = order;
  const frames =
    form === 'legacy' ? legacyFrames : createChatFrames(name, toChunkResources(found.chunks, form), { showsUsage });
  const onBug = (error: unknown): void =>
    log({ event: 'chat_failed', request_id: requestId, error: getErrorName(error) });
  const onFailure = async (failure: ChatFailure, hadText: boolean): Promise<void> => {
    if (isUnpaid(failure, hadText)) await tryRelease(release);
  };
  const body = createChatStream({ engine, messages: buildChatPrompt(prepared), frames, onBug, onFailure });
  return { status: 200, headers: STREAM_HEADERS, body };
}

async function answerWholeChat(prepared: Prepared, { signal }: ChatPorts): Promise<Answered> {
  const { order, found, engine, name, release } = prepared;
  const answer = await collectAnswer(engine, buildChatPrompt(prepared), signal);
  if (!answer.ok && isUnpaid(answer.failure, answer.hadText)) await tryRelease(release);
  if (!answer.ok) throw new Refusal(refuseFailedChat(answer.failure));
  const { form, query } = order;
  const { text, finish, usage } = answer;
  if (form === 'legacy') return answerLegacyChat(query.text, text, found.chunks);
  return answerPlainChat({
    id: name.id,
    object: 'chat.completion',
    created: name.created,
    model: name.model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishWord(finish) }],
    ...(usage === undefined ? {} : { usage: formatUsage(usage) }),
    chunks: toChunkResources(found.chunks, form),
    ...buildInstanceErrors(found),
  });
}

const toChunkResources = (chunks: readonly PlacedChunk[], form: 'instance' | 'namespace'): Json[] =>
  chunks.map((chunk) => toChunkResource(chunk, form));

/** Instances that failed, where the caller takes the others without them. */
const buildInstanceErrors = ({ failures }: ChatFound): JsonObject =>
  failures.length === 0
    ? {}
    : { errors: failures.map(({ instanceId, message }) => ({ instance_id: instanceId, message })) };

const answerLegacyChat = (searchQuery: string, response: string, chunks: readonly PlacedChunk[]): Answered =>
  answerResult({
    object: 'vector_store.search_results.page',
    search_query: searchQuery,
    response,
    data: chunks.map(toFileResource),
    has_more: false,
    next_page: null,
  });

/** A chat has no envelope. */
const answerPlainChat = (body: JsonObject): Answered => ({
  status: 200,
  headers: { 'content-type': JSON_TYPE, ...SEARCH_HEADERS },
  body: JSON.stringify(body),
});
