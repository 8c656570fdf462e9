import {
  isTokenForm,
  type ValidToken,
  readBearerToken,
  hasBearer,
  validateToken,
  type TokenJudge,
} from '../authorization/oauth/tokens.ts';
import { findRemembered, rememberToken } from '../authorization/oauth/remembered-tokens.ts';
import { normaliseResource } from '../authorization/oauth/resources.ts';
import { computeCallerNetwork } from '../net/caller-network.ts';
import { computeSha256Hex } from '../lib/digest.ts';
import { SECOND_MS, MINUTE_MS, HOUR_MS } from '../lib/time.ts';
import { createCounter, NETWORK_SHARES } from './caller-counts.ts';
import { type RateAllowance, formatRateHeaders } from './rate-counts.ts';

/**
 * Calls of a caller in a minute without a token, or with text that is not one. They cost other callers nothing. A
 * network, which is an IPv6 /48, has `NETWORK_SHARES` times each of these limits.
 */
export const MAX_UNAUTHENTICATED = 600;
/** Tokens of a caller that may be good for nothing in a minute; then its address is locked for the rest of it. */
export const MAX_FAILED_TOKENS = 30;
/** Tokens not seen before that are looked at each second from a locked address: honest callers may share it. */
export const LOOKS_A_SECOND = 4;

/** The outcome of asking about a token. `wait`: nothing was asked; `retryAfterS`: when the address's lock ends. */
export type TokenJudgement =
  /** `isRemembered`: not asked for this call. */
  | { kind: 'valid'; valid: ValidToken; askedAtMs: number; isRemembered?: true }
  | { kind: 'invalid' }
  | { kind: 'unreachable' }
  | { kind: 'wait'; retryAfterS: number };

/** The credential of a call. `none` and `malformed` cause no question; `allowance` is of the limit of such calls. */
export type CallCredential = TokenJudgement | { kind: 'none' | 'malformed'; allowance: RateAllowance };

type PendingJudgement = { askedAtMs: number; answer: Promise<ValidToken | null | 'unreachable'> };
type Ask = () => PendingJudgement['answer'];

const unauthenticated = createCounter(MINUTE_MS);
const failures = createCounter(MINUTE_MS);
const looks = createCounter(SECOND_MS);
const good = createCounter(HOUR_MS);
/** Questions about tokens not seen before, of one caller at once. */
const MAX_QUESTIONS = 256;
/** A question without an answer for so long is none: its request was cancelled, and nothing of it runs any more. */
const QUESTION_MS = 10_000;
/** Tokens not seen before, while the authorization server is asked about them, by caller. */
const asking = new Map<string, readonly Question[]>();
type Question = { hash: string; askedAtMs: number };

export type TokenQuestion = {
  judge: TokenJudge;
  /** The Worker that the token is to be good for. */
  url: string;
  /** Who calls, for limits. */
  caller: string;
  /**
   * Whether an answer of the last ten seconds will do. Never for what spends, writes as an operator, administers a tenant
   * or needs a fresh sign-in.
   */
  mayRecall?: boolean;
  /** Judgements by token, for calls that come together: the parts of a batch. */
  known?: Map<string, Promise<TokenJudgement>>;
};

/**
 * Judges the credential of a call before anything else of it is read: its form here, and a token of our form at the
 * authorization server, unless too many tokens of this caller were good for nothing. A token that was good within the hour
 * passes that lock and is asked about all the same, so that an ended token ends at once. Where the call allows it, a good
 * answer of the last ten seconds is taken again: there it ends within that time.
 * @param authorization the header's value
 */
export async function judgeCredential(authorization: string | null, question: TokenQuestion): Promise<CallCredential> {
  const { caller } = question;
  const token = readBearerToken(authorization);
  if (token === undefined || !isTokenForm(token))
    return { kind: hasBearer(authorization) ? 'malformed' : 'none', allowance: countUnauthenticated(caller) };
  const judgement = await judgeOnce(token, token, question);
  return isEnough(judgement, question) ? judgement : judgeOnce(`again ${token}`, token, question);
}

/** Takes the judgement that another part of a batch has begun under this name, or begins it. */
function judgeOnce(name: string, token: string, question: TokenQuestion): Promise<TokenJudgement> {
  const before = question.known?.get(name);
  if (before !== undefined) return before;
  const judging = askOrRecall(token, question);
  question.known?.set(name, judging);
  return judging;
}

const isEnough = (judgement: TokenJudgement, { mayRecall }: TokenQuestion): boolean =>
  mayRecall === true || judgement.kind !== 'valid' || judgement.isRemembered !== true;

async function askOrRecall(token: string, { judge, url, caller, mayRecall }: TokenQuestion): Promise<TokenJudgement> {
  const key = { hash: await computeSha256Hex(token), resource: normaliseResource(url) };
  const recalled = mayRecall === true ? findRemembered(key, Date.now()) : undefined;
  if (recalled !== undefined) return { kind: 'valid', ...recalled, isRemembered: true };
  const judgement = await judgeToken(key.hash, caller, () => validateToken(judge, token, url));
  if (judgement.kind === 'valid') rememberToken(key, { valid: judgement.valid, askedAtMs: judgement.askedAtMs });
  return judgement;
}

/** Counts a call without a valid token. */
export function countUnauthenticated(caller: string): RateAllowance {
  const nowMs = Date.now();
  const left = MAX_UNAUTHENTICATED - unauthenticated.count(caller, nowMs);
  const network = computeCallerNetwork(caller);
  // Only what its caller has left is taken from the network.
  if (left >= 0 && network !== caller) {
    const ofNetwork = MAX_UNAUTHENTICATED * NETWORK_SHARES - unauthenticated.count(network, nowMs);
    if (ofNetwork < 0) return { isAllowed: false, left: 0, retryAfterS: unauthenticated.waitS(network, nowMs) };
  }
  return { isAllowed: left >= 0, left: Math.max(0, left), retryAfterS: unauthenticated.waitS(caller, nowMs) };
}

/** `RateLimit-Policy` and `RateLimit` of an answer to such a call. */
export const buildUnauthenticatedHeaders = (allowance: RateAllowance): Record<string, string> =>
  formatRateHeaders('unauthenticated', MAX_UNAUTHENTICATED, allowance);

async function judgeToken(hash: string, caller: string, ask: Ask): Promise<TokenJudgement> {
  const nowMs = Date.now();
  if (good.peek(hash, nowMs) > 0) return rememberJudgement(hash, caller, { askedAtMs: nowMs, answer: ask() });
  const open = listOpenQuestions(caller, nowMs);
  const isAsked = open.some((question) => question.hash === hash);
  if (open.length >= MAX_QUESTIONS) return { kind: 'wait', retryAfterS: 1 };
  const lock = findLock(caller, isAsked ? [] : open, nowMs);
  if (lock !== undefined && !takeLockedLook(lock, nowMs))
    return { kind: 'wait', retryAfterS: Math.max(1, failures.waitS(lock, nowMs)) };
  // Each call asks for itself, though another may be asking the same: on Workers no request may wait for another's promise.
  const question = { hash, askedAtMs: nowMs };
  asking.set(caller, [...open, question]);
  try {
    return await rememberJudgement(hash, caller, { askedAtMs: nowMs, answer: ask() });
  } finally {
    const left = listOpenQuestions(caller, Date.now()).filter((one) => one !== question);
    if (left.length === 0) asking.delete(caller);
    else asking.set(caller, left);
  }
}

const listOpenQuestions = (caller: string, nowMs: number): readonly Question[] =>
  (asking.get(caller) ?? []).filter(({ askedAtMs }) => nowMs - askedAtMs < QUESTION_MS);

/**
 * What is being asked about may fail too: a burst finds the same limit as a sequence. One more call with a token that is
 * being asked about adds no token, so `open` is empty for it; failures lock it out all the same.
 * @returns what is locked: the caller, or its network, where each address of many may fail a little
 */
function findLock(caller: string, open: readonly Question[], nowMs: number): string | undefined {
  const asked = new Set(open.map(({ hash }) => hash)).size;
  if (failures.peek(caller, nowMs) + asked >= MAX_FAILED_TOKENS) return caller;
  const network = computeCallerNetwork(caller);
  if (network === caller) return undefined;
  return failures.peek(network, nowMs) + asked >= MAX_FAILED_TOKENS * NETWORK_SHARES ? network : undefined;
}

/** Counts a look at a token from a locked address or network, as long as this second has one left. */
function takeLockedLook(locked: string, nowMs: number): boolean {
  if (looks.peek(locked, nowMs) >= LOOKS_A_SECOND) return false;
  looks.count(locked, nowMs);
  return true;
}

async function rememberJudgement(
  hash: string,
  caller: string,
  { askedAtMs, answer }: PendingJudgement,
): Promise<TokenJudgement> {
  const valid = await answer;
  const nowMs = Date.now();
  if (valid === null) {
    good.forget(hash);
    countFailure(caller, MAX_FAILED_TOKENS, nowMs);
    const network = computeCallerNetwork(caller);
    if (network !== caller) countFailure(network, MAX_FAILED_TOKENS * NETWORK_SHARES, nowMs);
  } else if (valid !== 'unreachable') good.count(hash, nowMs);
  return buildJudgement(valid, askedAtMs);
}

/** The failure that locks an address or a network uses up the looks of this second. */
function countFailure(who: string, most: number, nowMs: number): void {
  if (failures.count(who, nowMs) !== most) return;
  for (let count = 0; count < LOOKS_A_SECOND; count += 1) looks.count(who, nowMs);
}

function buildJudgement(valid: ValidToken | null | 'unreachable', askedAtMs: number): TokenJudgement {
  if (valid === 'unreachable') return { kind: 'unreachable' };
  return valid === null ? { kind: 'invalid' } : { kind: 'valid', valid, askedAtMs };
}
