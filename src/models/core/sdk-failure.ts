import type { AnswerFailure, FailureReason } from '../port.ts';

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
    if (status !== undefined)
      return isUsedUp(one) ? { ...classifyStatus(status), retryable: false } : classifyStatus(status);
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

/** The provider of Workers AI hands the platform's code on in `data`. */
function isUsedUp(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('data' in error)) return false;
  const { data } = error;
  return (
    typeof data === 'object' &&
    data !== null &&
    'workersAIErrorCode' in data &&
    data.workersAIErrorCode === ALLOCATION_USED_UP
  );
}

const readErrorName = (error: unknown): string => (error instanceof Error ? error.name : '');
