import { SightlineError, type PaymentState } from './errors.ts';

/** An answer that was read to its end: of a stream of events, what the last one says. */
export type WireAnswer = { status: number; headers: Headers; body: unknown };

/** A value that may be a promise: stores may be synchronous. */
export type Awaitable<T> = T | Promise<T>;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pickText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The code of a refusal; undefined for an answer that is none of the service's own, such as a proxy's. */
export const getProblemCode = ({ body }: WireAnswer): string | undefined =>
  isRecord(body) ? pickText(body['code']) : undefined;

/** Milliseconds after which the answer asks us to come back. */
export function getRetryAfterMs({ headers, body }: WireAnswer): number | undefined {
  const named = headers.get('retry-after') ?? '';
  const seconds = /^\d{1,6}$/.test(named) ? Number(named) : isRecord(body) ? body['retry_after_s'] : undefined;
  return typeof seconds === 'number' && seconds >= 0 ? seconds * 1_000 : undefined;
}

/** A refusal by the service as an error, with its own words. */
export function toSightlineError(answer: WireAnswer, payment: PaymentState = 'none'): SightlineError {
  const { status, headers } = answer;
  const body = isRecord(answer.body) ? answer.body : {};
  return new SightlineError({
    code: getProblemCode(answer) ?? `http_${status}`,
    detail:
      pickText(body['detail']) ??
      pickText(body['title']) ??
      pickText(body['error']) ??
      `The answer has status ${status}`,
    next: pickText(body['next']),
    status,
    requestId: pickText(body['request_id']) ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: getRetryAfterMs(answer),
    errors: Array.isArray(body['errors']) ? (body['errors'] as { pointer: string; message: string }[]) : undefined,
    payment,
  });
}
