import type { JsonObject } from './json.ts';

/** Status words of google.rpc.Code with the HTTP status of each (google/rpc/code.proto). */
export const CANONICAL_STATUS = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
} as const;

export type StatusWord = keyof typeof CANONICAL_STATUS;

/** A refused call as data, for either error dialect. `status` is the HTTP status; it wins over that of `word` (412, 413). */
export type RefusalData = {
  status: number;
  /** The word of google.rpc.Status. */
  word: StatusWord;
  /** The word of the older dialect: `notFound`, `duplicate`, `invalid`, `required`, `conditionNotMet`, `forbidden` ... */
  reason: string;
  message: string;
  /** The parameter or header that is to blame, with its location: older dialect only. */
  location?: { name: string; type: 'parameter' | 'header' };
  /** Further `details` of google.rpc.Status, each with its `@type`. */
  details?: JsonObject[];
  /** Seconds after which the same call may work: the Retry-After header. */
  retryAfterS?: number;
};

/** Thrown inside an operation: its transaction rolls back, and the engine's edge makes it data again. */
export class Refusal extends Error {
  readonly data: RefusalData;

  constructor(data: RefusalData) {
    super(data.message);
    this.name = 'Refusal';
    this.data = data;
  }
}

const make = (status: number, word: StatusWord, reason: string, message: string): Refusal =>
  new Refusal({ status, word, reason, message });

/** The refusals that the vendor's clients know, by the vendor's words (texts as field-tested clients map them). */
export const vendorRefusals = {
  /** 400. `what` names the field or key: `Invalid Input: memberKey`. */
  invalidInput: (what: string) => make(400, 'INVALID_ARGUMENT', 'invalid', `Invalid Input: ${what}`),
  /** 400 with a whole message. */
  invalid: (message: string) => make(400, 'INVALID_ARGUMENT', 'invalid', message),
  /** 400: a field or parameter that must be there. */
  required: (name: string) => make(400, 'INVALID_ARGUMENT', 'required', `Missing required field: ${name}`),
  /** 404. `what` is the name of the path parameter: `Resource Not Found: userKey`. */
  notFound: (what: string) => make(404, 'NOT_FOUND', 'notFound', `Resource Not Found: ${what}`),
  /** 404 with a whole message: `Domain not found.` */
  missing: (message: string) => make(404, 'NOT_FOUND', 'notFound', message),
  duplicate: (message = 'Entity already exists.') => make(409, 'ALREADY_EXISTS', 'duplicate', message),
  conditionNotMet: (message: string) => make(412, 'FAILED_PRECONDITION', 'conditionNotMet', message),
  forbidden: (message = 'Not Authorized to access this resource/api') =>
    make(403, 'PERMISSION_DENIED', 'forbidden', message),
  /** 403: more rows, statements or bytes than a tenant or a request may have. */
  limitExceeded: (message: string) => make(403, 'RESOURCE_EXHAUSTED', 'limitExceeded', message),
  /** 409 of the newer interfaces: someone else changed it meanwhile. */
  aborted: (message: string) => make(409, 'ABORTED', 'conflict', message),
  /** 400 of the newer interfaces: the resource is in a state that does not allow this. */
  failedPrecondition: (message: string) => make(400, 'FAILED_PRECONDITION', 'failedPrecondition', message),
} as const;
