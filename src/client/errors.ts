/** Why the client itself gave up. The service's own codes are on its page of problems. */
export type ClientCode =
  | 'invalid_options'
  | 'wallet_missing'
  | 'budget_exceeded'
  | 'terms_refused'
  | 'signing_failed'
  | 'order_unreadable'
  | 'aborted'
  | 'unreachable'
  | 'redirected'
  | 'answer_too_large'
  | 'answer_unreadable'
  | 'not_published_by_you';

/**
 * What became of the money. `none`: nothing was signed for this order. `open`: a payment was signed, and the same call
 * sends the same payment again, so that it is paid once at most.
 */
export type PaymentState = 'none' | 'open';

export type SightlineErrorFields = {
  code: ClientCode | (string & {});
  /** What was special about this case, in words for a log. */
  detail: string;
  /** What to do next, in one sentence. */
  next?: string | undefined;
  /** Of the answer that refuses; undefined where the client itself gave up. */
  status?: number | undefined;
  /** The option to change, such as `budget.perCall`. */
  setting?: string | undefined;
  requestId?: string | undefined;
  /** When the service asks to come back. */
  retryAfterMs?: number | undefined;
  /** Members of the body that were refused. */
  errors?: readonly { pointer: string; message: string }[] | undefined;
  payment?: PaymentState | undefined;
  cause?: unknown;
};

/** Every failure of the client. Branch on `code`, which never changes its meaning; `message` is for people. */
export class SightlineError extends Error {
  override readonly name = 'SightlineError';
  readonly code: ClientCode | (string & {});
  readonly detail: string;
  readonly next: string | undefined;
  readonly status: number | undefined;
  readonly setting: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly errors: readonly { pointer: string; message: string }[];
  readonly payment: PaymentState;

  constructor(fields: SightlineErrorFields) {
    const { code, detail, next, cause } = fields;
    super(
      [`${code}: ${detail}`, ...(next === undefined ? [] : [next])].join(' '),
      cause === undefined ? {} : { cause },
    );
    this.code = code;
    this.detail = detail;
    this.next = next;
    this.status = fields.status;
    this.setting = fields.setting;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
    this.errors = fields.errors ?? [];
    this.payment = fields.payment ?? 'none';
  }
}

/** The same failure, with what became of the money. Anything else is a bug, and stays what it is. */
export function withPayment(error: unknown, payment: PaymentState): unknown {
  if (!(error instanceof SightlineError) || error.payment === payment) return error;
  const { code, detail, next, status, setting, requestId, retryAfterMs, errors, cause } = error;
  return new SightlineError({ code, detail, next, status, setting, requestId, retryAfterMs, errors, cause, payment });
}
