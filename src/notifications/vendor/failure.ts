import * as z from 'zod';
import type { VendorFailure } from './vendor.ts';
import type { VendorAnswer } from './wire.ts';

/** Reasons of a 403 that mean "later" and not "never". */
const LATER = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded', 'limitExceeded'];
/** Of the vendor's words only a name goes into a detail: its messages repeat what was sent. */
const REASON = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const MAX_LISTED = 100;

const errorSchema = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().default(''),
    errors: z
      .array(z.looseObject({ reason: z.string().default('') }))
      .max(MAX_LISTED)
      .default([]),
    status: z.string().default(''),
  }),
});

/** What the vendor itself says went wrong; undefined where somebody else answered, a proxy or the wrong host. */
export type VendorError = { reason: string; message: string };

export function vendorErrorOf({ status, body }: VendorAnswer): VendorError | undefined {
  const outcome = errorSchema.safeParse(body);
  if (!outcome.success || outcome.data.error.code !== status) return undefined;
  const { errors, status: word, message } = outcome.data.error;
  const reason = errors[0]?.reason ?? word;
  return { reason: REASON.test(reason) ? reason : '', message };
}

/**
 * An answer that is not what was asked for, as a failure. Only the vendor's own words make it final: an error page of
 * somebody between says nothing about what the vendor would have answered.
 */
export function failureOf(answer: VendorAnswer): VendorFailure {
  const error = vendorErrorOf(answer);
  return {
    ok: false,
    reason: reasonOf(answer.status, error),
    detail: detailOf(answer, error),
    retryAfterMs: answer.retryAfterMs,
    vendorNowMs: answer.vendorNowMs,
  };
}

function reasonOf(status: number, error: VendorError | undefined): VendorFailure['reason'] {
  if (error?.reason === 'channelIdNotUnique') return 'id_not_unique';
  if (status === 429 || LATER.includes(error?.reason ?? '')) return 'rate_limited';
  if (status === 401 || status === 403) return 'credentials_refused';
  if (error === undefined || status === 408 || status >= 500) return 'unavailable';
  return status === 404 ? 'not_found' : 'refused';
}

function detailOf({ status, isTooLarge }: VendorAnswer, error: VendorError | undefined): string {
  const answers = `the directory answers ${status}`;
  if (error !== undefined) return error.reason === '' ? answers : `${answers} (${error.reason})`;
  if (isTooLarge) return `${answers} with more than is read`;
  return isSuccess(status)
    ? `${answers} with a body that is not what it should be`
    : `${answers}, not in its own words`;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
