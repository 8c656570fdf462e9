import * as z from 'zod';
import { parseRetryAfterMs } from '../../net/fetched.ts';
import { type AnswerFailure, type FailureReason, MAX_ENGINE_WAIT_S } from '../port.ts';

/** Thrown by our own adapters for what we do not take from an engine: a redirect, too much, or no chat answer. */
export class EngineAnswerRefused extends Error {
  override name = 'EngineAnswerRefused';
}

/** Thrown by our own fetch when the connection failed: before, or in the middle of an answer. */
export class EngineUnreachable extends Error {
  override name = 'EngineUnreachable';
}

/** Causes that are followed; errors of libraries wrap each other a few times. */
const MAX_CAUSES = 6;

/**
 * Code of Workers AI for "the account has used up today's allocation": a 429 that asking again does not help.
 * @see https://developers.cloudflare.com/workers-ai/platform/errors/
 */
const ALLOCATION_USED_UP = 3036;

/**
 * Code of OpenAI for a 429 that is about money.
 * @see https://platform.openai.com/docs/guides/error-codes/api-errors
 */
const QUOTA_USED_UP = 'insufficient_quota';

/** Longest body of an error that is searched, in characters. */
const MAX_ERROR_CHARS = 64 * 1024;

/**
 * The wait in an error of Google, as a duration of protobuf: `"retryDelay": "34.4s"`.
 * @see https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto (RetryInfo)
 */
const RETRY_DELAY = /"retryDelay":\s{0,8}"(\d{1,9}(?:\.\d{1,9})?)s"/u;

const NO_CHAT_ANSWER = 'not an answer of a chat API';

/**
 * Why an engine's call failed. `detail` names the kind and the status alone: what the other side wrote may hold keys.
 * Anything that is no failure of the other side, such as a programming error, is thrown on.
 */
export function toAnswerFailure(error: unknown, signal: AbortSignal): AnswerFailure {
  if (signal.aborted) return buildAnswerFailure('timeout', 'the answer took too long');
  const chain = listCauses(error);
  if (chain.some((one) => one instanceof EngineAnswerRefused))
    return buildAnswerFailure('invalid_response', NO_CHAT_ANSWER);
  if (chain.some((one) => one instanceof EngineUnreachable))
    return buildAnswerFailure('unavailable', 'the engine was not reached');
  for (const one of chain) {
    const status = findStatus(one);
    if (status !== undefined) return classifyCall(status, one);
    if (readErrorName(one) === 'TimeoutError' || readErrorName(one) === 'AbortError')
      return buildAnswerFailure('timeout', 'the answer took too long');
  }
  const names = chain.map(readErrorName);
  if (names.some((name) => /JSONParse|TypeValidation|InvalidResponse|NoContent|EmptyResponse|NoOutput/.test(name)))
    return buildAnswerFailure('invalid_response', NO_CHAT_ANSWER);
  // What a binding throws without a known code: the platform's own faults.
  if (names.some((name) => /APICallError/.test(name)))
    return buildAnswerFailure('unavailable', 'the engine was not reached');
  throw error;
}

/**
 * The same for what a provider hands on as an error that is none (an `error` inside a stream): it is the other side's too,
 * and says nothing more here.
 */
export function toEngineFailure(error: unknown, signal: AbortSignal): AnswerFailure {
  if (error instanceof Error || signal.aborted) return toAnswerFailure(error, signal);
  return { ok: false, reason: 'unavailable', detail: 'the engine reported an error', retryable: true };
}

/** A call that the other side answered with a status, with the wait that it asks for. */
function classifyCall(status: number, error: unknown): AnswerFailure {
  if (status === 400 && isWrongKey(error)) return classifyStatus(401);
  const failure = classifyStatus(status);
  if (!failure.retryable) return failure;
  if (isUsedUp(error)) return { ...failure, retryable: false };
  const retryAfterS = readRetryAfterS(error);
  return retryAfterS === undefined ? failure : { ...failure, retryAfterS };
}

function classifyStatus(status: number): AnswerFailure {
  const detail = `status ${status}`;
  if (status === 429) return buildAnswerFailure('rate_limited', detail);
  if (status === 408) return buildAnswerFailure('timeout', detail);
  if (status === 409) return buildAnswerFailure('conflict', detail);
  if (status >= 500) return buildAnswerFailure('unavailable', detail);
  if (status === 401 || status === 403) return buildAnswerFailure('unauthorized', detail);
  return status >= 400 ? buildAnswerFailure('refused', detail) : buildAnswerFailure('invalid_response', NO_CHAT_ANSWER);
}

const RETRYABLE: ReadonlySet<FailureReason> = new Set(['timeout', 'rate_limited', 'conflict', 'unavailable']);

const buildAnswerFailure = (reason: FailureReason, detail: string): AnswerFailure => ({
  ok: false,
  reason,
  detail,
  retryable: RETRYABLE.has(reason),
});

function listCauses(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && chain.length < MAX_CAUSES;) {
    chain.push(one);
    one = typeof one === 'object' && 'cause' in one ? one.cause : undefined;
  }
  return chain;
}

function findStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

const call = z.object({
  data: z
    .object({
      workersAIErrorCode: z.unknown().optional(),
      error: z.object({ code: z.unknown().optional() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
  responseBody: z.string().max(MAX_ERROR_CHARS).optional().catch(undefined),
});

/** Money or an allocation is used up: asking again does not help. Providers hand the code on in `data`. */
function isUsedUp(error: unknown): boolean {
  const { data } = call.safeParse(error).data ?? {};
  return data?.workersAIErrorCode === ALLOCATION_USED_UP || data?.error?.code === QUOTA_USED_UP;
}

/** Google answers a key that is none with status 400. */
const isWrongKey = (error: unknown): boolean =>
  call.safeParse(error).data?.responseBody?.includes('"API_KEY_INVALID"') ?? false;

/** Seconds to wait by the header, or by the details that Google sends in its place; a date is one of the engine's clock. */
function readRetryAfterS(error: unknown): number | undefined {
  const { responseHeaders = {}, responseBody } = call.safeParse(error).data ?? {};
  const { 'retry-after': header, date = '' } = responseHeaders;
  const ms = parseRetryAfterMs(header, Date.parse(date), MAX_ENGINE_WAIT_S * 1000);
  if (ms !== undefined) return Math.ceil(ms / 1000);
  const [, seconds] = RETRY_DELAY.exec(responseBody ?? '') ?? [];
  return seconds === undefined ? undefined : Math.min(Math.ceil(Number(seconds)), MAX_ENGINE_WAIT_S);
}

const readErrorName = (error: unknown): string => (error instanceof Error ? error.name : '');
