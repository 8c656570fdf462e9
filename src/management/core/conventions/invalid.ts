import type { JsonObject } from '../../../lib/json.ts';
import { Refusal, type RefusalData } from '../../../lib/refusal.ts';

/** One thing that is wrong with a request (google.rpc.BadRequest.FieldViolation). */
export type Violation = {
  field?: string;
  description: string;
  /** A stable word in upper case. */
  reason?: string;
};

const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
/** What of a sent text an error shows at most, in characters. */
const MAX_SHOWN_CHARS = 128;

/** A sent text as an error shows it: cut, when it is long. */
export const truncateSentText = (text: string): string =>
  text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text;

/** 400 for a request whose parts are not what the method takes: one line of the message for each violation. */
export function refuseViolations(violations: readonly Violation[]): RefusalData {
  const fieldViolations = violations.map(({ field, description, reason }): JsonObject => {
    const why = reason === undefined ? {} : { reason };
    if (field === undefined || field === '') return { description, ...why };
    return { field, description, ...why };
  });
  return {
    status: 400,
    word: 'INVALID_ARGUMENT',
    reason: 'invalid',
    message: violations.map(({ description }) => description).join('\n'),
    details: [{ '@type': BAD_REQUEST, fieldViolations }],
  };
}

/** 400 for a parameter, which the older dialect names as the location. */
export function refuseBadParameter(name: string, message: string, reason = 'invalidParameter'): RefusalData {
  return {
    ...refuseViolations([{ field: name, description: message }]),
    reason,
    location: { name, type: 'parameter' },
  };
}

/** 400 for what is no HTTP or JSON that can be read. */
export const refuseUnreadableRequest = (message: string): RefusalData => ({
  status: 400,
  word: 'INVALID_ARGUMENT',
  reason: 'parseError',
  message,
});

/** 400 for bytes that are no UTF-8. */
export const NOT_UTF8 = refuseUnreadableRequest('Invalid JSON payload received. Encountered non UTF-8 code points.');

/** 400 INVALID_ARGUMENT that blames a field, in a sentence of its own. */
export const refuseViolation = (field: string, description: string): Refusal =>
  new Refusal(refuseViolations([{ field, description }]));

/** 400 for a field of a body, with what is wrong with it: `must be ...`. */
export const refuseField = (field: string, why: string): Refusal =>
  refuseViolation(field, `Invalid value for ${field}: it ${why}.`);

/** 429 for more than may be stored. */
export const refuseExhausted = (message: string): Refusal =>
  new Refusal({ status: 429, word: 'RESOURCE_EXHAUSTED', reason: 'quotaExceeded', message });
