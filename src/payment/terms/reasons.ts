/**
 * How a reason is answered. `retryAfterS`: how long the client is asked to wait, in seconds, unless the caller knows
 * better.
 */
export type ReasonRow = { status: number; title: string; retryAfterS?: number };

/**
 * Every way a paid request ends without its result, on the wire. 402 is only where a NEW payment is the right next
 * step (rule P13): agents pay again when they see it. A consumed payment is 409, doubt is 503, a mistake is 400.
 */
export const reasonRows = {
  payment_required: { status: 402, title: 'Payment is required' },

  invalid_payload: { status: 400, title: 'PAYMENT-SIGNATURE cannot be read' },
  payer_proof_invalid: { status: 400, title: 'The payer proof is not by the payer of this transfer: sign it anew' },
  payer_proof_expired: { status: 400, title: 'The payer proof is not valid now: sign it anew' },

  wrong_route: { status: 402, title: 'The payment is for another resource' },
  wrong_terms: { status: 402, title: 'The payment does not accept the terms of this resource' },
  wrong_amount: { status: 402, title: 'The signed amount is not the price' },
  wrong_recipient: { status: 402, title: 'The payment is not to the payee of this service' },
  authorization_expired: { status: 402, title: 'The authorization has expired' },
  authorization_expires_too_soon: {
    status: 402,
    title: 'The authorization expires before the work and its settlement end',
  },
  authorization_expires_too_late: { status: 402, title: 'The authorization is valid for too long' },
  authorization_not_yet_valid: { status: 402, title: 'The authorization is not valid yet' },
  invalid_signature: { status: 402, title: 'The signature is not by the payer' },
  insufficient_funds: { status: 402, title: 'The payer holds too little USDC' },
  payment_refused: { status: 402, title: 'The facilitator refuses the payment' },
  settlement_refused: { status: 402, title: 'The settlement was refused; nothing was charged' },

  transaction_not_found: { status: 402, title: 'No transaction of this hash is known on Base' },
  transaction_reverted: { status: 402, title: 'The transaction failed: it paid nothing' },
  no_matching_transfer: { status: 402, title: 'The transaction moves no USDC to the payee' },
  transfer_source_refused: { status: 402, title: 'The transfer comes from the payee itself or from minting' },
  transfer_too_small: { status: 402, title: 'The transfer is smaller than the price' },
  transfer_too_old: { status: 402, title: 'The transfer is older than what is accepted' },
  payer_proof_required: { status: 402, title: 'A transfer of this amount needs a payer proof' },

  payment_in_progress: { status: 409, title: 'This payment is being used by a running request', retryAfterS: 5 },
  payment_already_used: { status: 409, title: 'This payment was used before' },
  transfer_is_settlement: { status: 409, title: 'The transfer is the settlement of a signed authorization' },
  cancelled: { status: 409, title: 'The call was called off before it was paid; nothing was charged' },
  payment_identifier_reused: { status: 409, title: 'The payment identifier belongs to another payment' },
  ambiguous_transfer: { status: 409, title: 'The transaction holds several transfers: present it with a payer proof' },

  too_many_in_flight: { status: 429, title: 'Too many unsettled requests of this payer', retryAfterS: 10 },
  too_many_failures: { status: 429, title: 'Too many failed requests: wait before the next', retryAfterS: 60 },
  too_many_failed_payments: { status: 429, title: 'Too many payments that do not verify', retryAfterS: 60 },

  payment_pending: { status: 503, title: 'The transaction is not final enough yet: present it again', retryAfterS: 5 },
  payment_unverifiable: {
    status: 503,
    title: 'The payment cannot be checked now; nothing was charged',
    retryAfterS: 10,
  },
  settlement_unknown: {
    status: 503,
    title: 'The outcome of the settlement is not known yet: ask again with the same payment',
    retryAfterS: 10,
  },
  ledger_unavailable: {
    status: 503,
    title: 'The payment ledger cannot be reached; nothing was charged',
    retryAfterS: 5,
  },
  result_unavailable: {
    status: 503,
    title: 'This payment was sold; its result cannot be read now: repeat the request',
    retryAfterS: 30,
  },
  store_unavailable: { status: 503, title: 'The result could not be stored; nothing was charged', retryAfterS: 10 },
  not_configured: { status: 503, title: 'The service is not configured to sell' },
  capability_unavailable: { status: 503, title: 'The capability is not served now', retryAfterS: 30 },
  engine_not_configured: { status: 503, title: 'No answer engine is configured' },
  transfers_only: { status: 503, title: 'This capability takes only direct transfers now', retryAfterS: 600 },

  service_busy: {
    status: 503,
    title: 'As much is being read as fits in memory; nothing was charged: send the same request again',
    retryAfterS: 5,
  },
  target_refused: { status: 422, title: 'The URL names an address that is not fetched' },
  target_busy: {
    status: 429,
    title: 'This host is being audited as often as it may be; nothing was charged',
    retryAfterS: 10,
  },
  target_unreachable: { status: 422, title: 'The target could not be read; nothing was charged' },
  measurement_incomplete: { status: 502, title: 'The measurement could not be completed; nothing was charged' },
} as const satisfies Readonly<Record<string, ReasonRow>>;

/**
 * How a call on prepaid credits ends besides. Never 402: that means "pay anew by x402", which is not what such a call asks
 * for. Too small a balance is 409, a state of the account that its owner changes by a top-up; a spent cap is 403, since
 * the client may not, whatever it does; a key under other arguments is 422.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ section 2.7
 */
export const creditReasonRows = {
  insufficient_credits: {
    status: 409,
    title:
      'The prepaid balance is smaller than the price; nothing was charged: top up at POST /api/credits/5, 20 or 100',
  },
  client_cap_reached: {
    status: 403,
    title: 'This client has spent what its owner lets it spend in 24 hours; nothing was charged',
  },
  idempotency_key_reused: { status: 422, title: 'The idempotency key belongs to a call with other arguments' },
  idempotency_key_invalid: {
    status: 422,
    title: 'The idempotency key is not one text of 1 to 255 printable ASCII characters; nothing was charged',
  },
  client_revoked: { status: 403, title: 'The owner of the account revoked this client; nothing was charged' },
  call_in_progress: { status: 409, title: 'The same call is running: repeat it for its answer', retryAfterS: 5 },
  call_superseded: {
    status: 409,
    title:
      'The call ended after its time, or its client was revoked meanwhile: its result was discarded, nothing was charged',
  },
  too_many_calls: { status: 429, title: 'Too many calls of this account run at once', retryAfterS: 5 },
  debit_unknown: {
    status: 503,
    title:
      'The outcome of the debit is not known yet: repeat the call with the same idempotency key, or look at your reports',
    retryAfterS: 10,
  },
} as const satisfies Readonly<Record<string, ReasonRow>>;

/** A stable `code` of a problem that only calls on prepaid credits meet. */
export type CreditReason = keyof typeof creditReasonRows;

/** A stable `code` of a payment problem. */
export type PaymentReason = keyof typeof reasonRows;

/** The wire form of a reason. */
export const getReasonRow = (reason: PaymentReason): ReasonRow => reasonRows[reason];

/**
 * Words of facilitators (an open set) that mean one of our reasons. The right column is exhaustive over what we answer
 * differently; everything else is `payment_refused` with the facilitator's word beside it.
 * @see https://github.com/x402-foundation/x402/blob/main/specs/x402-specification-v2.md
 */
const facilitatorWords: Readonly<Record<string, PaymentReason>> = {
  insufficient_funds: 'insufficient_funds',
  invalid_exact_evm_insufficient_balance: 'insufficient_funds',
  invalid_exact_evm_signature: 'invalid_signature',
  invalid_exact_evm_payload_signature: 'invalid_signature',
  invalid_exact_evm_payload_authorization_valid_before: 'authorization_expired',
  invalid_exact_evm_payload_authorization_valid_after: 'authorization_not_yet_valid',
  // Its nonce is used or cancelled on chain, so this payment is consumed: never "pay again" (rule P13).
  invalid_exact_evm_nonce_already_used: 'payment_already_used',
};

/** Our reason for a refusal by a facilitator's `verify`. The word itself belongs into the detail. */
export const mapFacilitatorReason = (word: string): PaymentReason =>
  (Object.hasOwn(facilitatorWords, word) ? facilitatorWords[word] : undefined) ?? 'payment_refused';
