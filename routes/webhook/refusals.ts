import { MINUTE_MS, MINUTE_S } from '../../src/lib/time.ts';
import { readWebhookSettings } from '../../src/notifications/core/settings.ts';
import { type ProblemCode, problems } from '../../src/notifications/operator-api/problems-data.ts';
import { type FieldError, buildProblemResponse, type ProblemInput } from '../../src/problems/problem.ts';
import { createCounter, canAnswerFree } from '../../src/rate-limits/caller-counts.ts';
import { type RateAllowance, formatRateHeaders } from '../../src/rate-limits/rate-counts.ts';
import { buildUnauthenticatedHeaders } from '../../src/rate-limits/token-gate.ts';
import type { WebhookEnv } from './bindings/env.ts';

/** Calls of an account in a minute, as `OPERATOR_LIMIT` of `wrangler.webhook.toml` has it (a test compares them). */
const OPERATOR_CALLS = 600;

/** Every answer states our limit (draft-ietf-httpapi-ratelimit-headers). */
export const POLICY_HEADERS = formatRateHeaders('operator', OPERATOR_CALLS);

const counter = createCounter(MINUTE_MS);

/**
 * Why this account may not call now; undefined where it may. It has so many calls from all its addresses together. The
 * platform's limiter does not say how much is left while it allows: where it refuses, nothing is.
 */
export async function refuseTooManyCalls(
  account: string,
  { OPERATOR_LIMIT }: WebhookEnv,
): Promise<WebhookRefusal | undefined> {
  if (await canAnswerFree(`u:${account}`, Date.now(), counter, OPERATOR_LIMIT)) return undefined;
  const { retryAfterS = MINUTE_S } = problems.rate_limited;
  return { code: 'rate_limited', headers: formatRateHeaders('operator', OPERATOR_CALLS, { left: 0, retryAfterS }) };
}

/** Why a call without a good token is not answered; undefined where it is. */
export const refuseTooManyUnauthenticated = (allowance: RateAllowance): WebhookRefusal | undefined =>
  allowance.isAllowed
    ? undefined
    : { code: 'rate_limited', retryAfterS: allowance.retryAfterS, headers: buildUnauthenticatedHeaders(allowance) };

/** Why something is not done: a row of the problems, and what to tell besides. */
export type WebhookRefusal = {
  code: ProblemCode;
  detail?: string | undefined;
  errors?: readonly FieldError[];
  /** Goes before that of the row. */
  retryAfterS?: number;
  headers?: Readonly<Record<string, string>>;
};

/** A refusal as a response (RFC 9457): application/problem+json with `type`, `title`, `status`, `code`, `request_id`. */
export function respondRefusal(refusal: WebhookRefusal, requestId: string, env: WebhookEnv): Response {
  return buildProblemResponse(requestId, getOwnOrigin(env), buildProblemInput(refusal));
}

/** Types of problems are addresses below our own origin; relative ones where settings do not parse. */
function getOwnOrigin(env: WebhookEnv): string {
  try {
    return new URL(readWebhookSettings(env).WEBHOOK_URL).origin;
  } catch {
    return '';
  }
}

function buildProblemInput({ code, detail, errors, headers, retryAfterS }: WebhookRefusal): ProblemInput {
  return {
    code,
    ...problems[code],
    ...(detail === undefined || detail === '' ? {} : { detail }),
    ...(errors === undefined ? {} : { errors }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    ...(headers === undefined ? {} : { headers }),
  };
}
