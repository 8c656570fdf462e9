/**
 * How a reason is answered, in three sentences: what happened (`title`), what it means, and what to do next.
 * `retryAfterS`: how long the client is asked to wait, in seconds, unless the caller knows better.
 */
export type ReasonRow = { status: number; title: string; means: string; next: string; retryAfterS?: number };

const NEW_PAYMENT = 'Read the fresh terms in this answer, and send the request again with a new payment.';
const SAME_AGAIN = 'Send the same request with the same payment again after the wait; you cannot be charged twice.';

/**
 * Every way a paid request ends without its result, on the wire. 402 is only where a NEW payment is the right next
 * step (rule P13): agents pay again when they see it. A consumed payment is 409, doubt is 503, a mistake is 400.
 */
export const reasonRows = {
  payment_required: {
    status: 402,
    title: 'Payment is required',
    means: 'This call costs money, and the request carried no payment.',
    next: 'Send the same request with PAYMENT-SIGNATURE by the terms in PAYMENT-REQUIRED, or pay a challenge of WWW-Authenticate by MPP. An official x402 client refuses more than 1 USD, until spendControls.maxAmountPerPayment is raised.',
  },

  invalid_payload: {
    status: 400,
    title: 'PAYMENT-SIGNATURE cannot be read',
    means: 'The header is neither a Base64 x402 version 2 payload nor a transaction hash; nothing was charged.',
    next: 'Build the header with an x402 version 2 client, or send the hash of your USDC transfer.',
  },
  several_payments: {
    status: 400,
    title: 'The request brings more than one payment',
    means: 'A call takes one payment. Neither of these was checked, and nothing was charged.',
    next: 'Send the request again with one of the payments.',
  },
  payer_proof_invalid: {
    status: 400,
    title: 'The payer proof is not by the payer of this payment: sign it again',
    means: 'The signature of the proof is not by the address that paid, or is for another payment or body.',
    next: 'Sign the proof with the key of the paying address, for this payment and this body, and send it again.',
  },
  payer_proof_expired: {
    status: 400,
    title: 'The payer proof is not valid now: sign it again',
    means: 'A payer proof is valid for a short time, and this one is too old or dated ahead.',
    next: 'Check the clock of your machine, sign a new proof, and send the request again.',
  },

  credential_invalid: {
    status: 402,
    title: 'The credential of the scheme Payment cannot be read',
    means: 'Authorization holds no credential of MPP with an EIP-3009 authorization; nothing was charged.',
    next: 'Build the credential with a client of MPP for a challenge of this answer, and send the request again.',
  },
  challenge_invalid: {
    status: 402,
    title: 'The challenge is not one of this resource',
    means: 'The service issued no such challenge for this address, or the payment is not bound to it.',
    next: 'Pay by a challenge of this answer, and send the request again with its credential.',
  },
  wrong_route: {
    status: 402,
    title: 'The payment is for another resource',
    means: 'The signed payment names another address of this service.',
    next: 'Take the terms from this answer, sign them, and send the request to the address that they name.',
  },
  wrong_terms: {
    status: 402,
    title: 'The payment does not accept the terms of this resource',
    means: 'Scheme, network, asset or another member of the payment differs from the terms.',
    next: NEW_PAYMENT,
  },
  wrong_amount: {
    status: 402,
    title: 'The signed amount is not the price',
    means: 'The signed amount differs from the price of this capability.',
    next: NEW_PAYMENT,
  },
  wrong_recipient: {
    status: 402,
    title: 'The payment is not to the payee of this service',
    means: 'The payment goes to an address that is not payTo of the terms.',
    next: NEW_PAYMENT,
  },
  authorization_expired: {
    status: 402,
    title: 'The authorization has expired',
    means: 'The signed authorization was valid until a time that has passed; nothing was charged.',
    next: NEW_PAYMENT,
  },
  authorization_expires_too_soon: {
    status: 402,
    title: 'The authorization expires before the work and its settlement end',
    means: 'The work may take longer than the authorization is valid; nothing was charged.',
    next: 'Sign the fresh terms with the full maxTimeoutSeconds, and send the request again.',
  },
  authorization_expires_too_late: {
    status: 402,
    title: 'The authorization is valid for too long',
    means: 'An authorization that stays valid for long could be used after you forgot it; nothing was charged.',
    next: 'Sign the fresh terms with at most maxTimeoutSeconds, and send the request again.',
  },
  authorization_not_yet_valid: {
    status: 402,
    title: 'The authorization is not valid yet',
    means: 'The authorization begins in the future; nothing was charged.',
    next: 'Check the clock of your machine, sign the fresh terms, and send the request again.',
  },
  invalid_signature: {
    status: 402,
    title: 'The signature is not by the payer',
    means: 'The authorization was not signed with the key of its payer; nothing was charged.',
    next: 'Sign the fresh terms with the key of the paying address, and send the request again.',
  },
  insufficient_funds: {
    status: 402,
    title: 'The payer holds too little USDC',
    means: 'The balance of the paying address is smaller than the price; nothing was charged.',
    next: 'Send USDC on Base to the paying address, then send the request again with a new payment.',
  },
  payment_refused: {
    status: 402,
    title: 'The facilitator refuses the payment',
    means: 'The service that settles payments does not accept this one; nothing was charged.',
    next: NEW_PAYMENT,
  },
  settlement_refused: {
    status: 402,
    title: 'The settlement was refused; nothing was charged',
    means: 'The work was done, but the payment could not be settled, so you get no result.',
    next: NEW_PAYMENT,
  },

  transaction_not_found: {
    status: 402,
    title: 'No transaction of this hash is known on Base',
    means: 'The hash is of another network, is misspelt, or the transaction was never sent.',
    next: 'Look up the hash at basescan.org, and send the request again with a hash that is listed there.',
  },
  transaction_reverted: {
    status: 402,
    title: 'The transaction failed: it paid nothing',
    means: 'The transaction is on the chain, but it moved no USDC.',
    next: 'Send a new transfer, and send the request again with its hash.',
  },
  no_matching_transfer: {
    status: 402,
    title: 'The transaction moves no USDC to the payee',
    means: 'The transaction sends another coin, or sends USDC to another address.',
    next: 'Send USDC on Base to payTo of the terms, and send the request again with that hash.',
  },
  transfer_source_refused: {
    status: 402,
    title: 'The transfer comes from the payee itself or from minting',
    means: 'Such a transfer is not a payment by a buyer.',
    next: 'Send USDC from your own address, and send the request again with that hash.',
  },
  transfer_too_small: {
    status: 402,
    title: 'The transfer is smaller than the price',
    means: 'The transfer does not cover the price of this capability, and transfers are not added up.',
    next: 'Send a transfer of at least the price, and send the request again with its hash.',
  },
  transfer_too_old: {
    status: 402,
    title: 'The transfer is older than what is accepted',
    means: 'Transfers are accepted for a limited time after their block.',
    next: 'Send a new transfer, and send the request again with its hash soon afterwards.',
  },
  payer_proof_required: {
    status: 402,
    title: 'A transfer of this amount needs a payer proof',
    means: 'Anyone can read a transfer hash on the chain, so larger ones need a signature of their payer.',
    next: 'Sign the proof that extensions.direct-transfer of the terms describes, and send it with the hash.',
  },

  payer_key_required: {
    status: 400,
    title: 'A contract wallet buys credits on the first network only',
    means:
      'Its address may have another owner on the first network, where it signs in; nothing was charged, and a transfer is not used up.',
    next: 'Pay on the first network of `accepts`, or by a wallet whose own key signs. A transfer still buys a report.',
  },
  wallet_removed: {
    status: 409,
    title: 'This wallet was removed from its account: it buys no credits',
    means:
      'A removed wallet opens no account for 40 days, so no one could spend the credits; nothing was charged, and a transfer is not used up.',
    next: 'Pay from another wallet, or sign in to the account in another way, add this wallet again and send the same request.',
  },

  payment_in_progress: {
    status: 409,
    title: 'This payment is being used by a running request',
    means: 'A request with the same payment is still running.',
    next: SAME_AGAIN,
    retryAfterS: 5,
  },
  payment_already_used: {
    status: 409,
    title: 'This payment was used before',
    means: 'The payment bought a result, which only its buyer gets again; nothing new was charged.',
    next: 'If you lost that result, send the same request again: with the quote of the 402 or your payment-identifier, and with a payer proof for a transfer or a payment by MPP. For another result, make a new payment.',
  },
  transfer_is_settlement: {
    status: 409,
    title: 'The transfer is the settlement of a signed authorization',
    means: 'This transaction settled a purchase that was made with a signed payment, so it pays for nothing else.',
    next: 'Send the original request with the signed payment for its result, or make a new transfer.',
  },
  cancelled: {
    status: 409,
    title: 'The call was cancelled before it was paid; nothing was charged',
    means: 'The client ended the call before its payment was settled.',
    next: 'Send the request again if you still want the result.',
  },
  payment_identifier_reused: {
    status: 409,
    title: 'The payment identifier belongs to another payment',
    means: 'An identifier names one payment, and this one was sent with another before.',
    next: 'Send the request again with a new identifier, or with the payment that the identifier belongs to.',
  },
  ambiguous_transfer: {
    status: 409,
    title: 'The transaction holds several transfers: present it with a payer proof',
    means: 'Several transfers of the transaction would pay for this call, so the hash does not say whose it is.',
    next: 'Sign the payer proof that extensions.direct-transfer of the terms describes, and send it with the hash.',
  },

  too_many_in_flight: {
    status: 429,
    title: 'Too many unsettled requests of this payer',
    means: 'Several paid requests of this payer are still running; nothing was charged.',
    next: 'Wait for their answers, then send the same request again.',
    retryAfterS: 10,
  },
  too_many_failures: {
    status: 429,
    title: 'Too many failed requests: wait before the next',
    means: 'Many requests of this payer failed within an hour; nothing was charged.',
    next: 'Wait as long as Retry-After says, and check the addresses and bodies that you send.',
    retryAfterS: 60,
  },
  too_many_failed_payments: {
    status: 429,
    title: 'Too many payments that do not verify',
    means: 'Many payments that do not verify came from here; nothing was charged.',
    next: 'Wait as long as Retry-After says, and check the payment of one request before you send more.',
    retryAfterS: 60,
  },

  payment_pending: {
    status: 503,
    title: 'The transaction is not final yet: send the request again',
    means: 'The transaction is on its way, or its block is too new to rely on.',
    next: 'Send the same request with the same hash again after the wait; do not pay again.',
    retryAfterS: 5,
  },
  payment_unverifiable: {
    status: 503,
    title: 'The payment cannot be checked now; nothing was charged',
    means: 'The chain or the facilitator did not answer.',
    next: SAME_AGAIN,
    retryAfterS: 10,
  },
  settlement_unknown: {
    status: 503,
    title: 'The outcome of the settlement is not known yet: ask again with the same payment',
    means: 'The payment was handed over for settlement, and no answer came yet.',
    next: SAME_AGAIN,
    retryAfterS: 10,
  },
  ledger_unavailable: {
    status: 503,
    title: 'The payment ledger cannot be reached; nothing was charged',
    means: 'The service cannot read which payments were used, so it accepts none.',
    next: 'Send the same request again after the wait.',
    retryAfterS: 5,
  },
  result_unavailable: {
    status: 503,
    title: 'You paid for this result, but it cannot be read now: repeat the request',
    means: 'You paid, and the stored result could not be read this time.',
    next: SAME_AGAIN,
    retryAfterS: 30,
  },
  store_unavailable: {
    status: 503,
    title: 'The result could not be stored; nothing was charged',
    means: 'A result that cannot be stored is not sold.',
    next: 'Send the same request with the same payment again after the wait.',
    retryAfterS: 10,
  },
  not_configured: {
    status: 503,
    title: 'The service is not configured to sell',
    means: 'This deployment lacks a setting that purchases need.',
    next: 'If you run it, set what how_to_configure or the settings reference names; otherwise write to its operator.',
  },
  capability_unavailable: {
    status: 503,
    title: 'The capability is not served now',
    means: 'Something that this capability needs is missing or paused.',
    next: 'Try again later, or choose another capability of GET /api/agent/index.',
    retryAfterS: 30,
  },
  engine_not_configured: {
    status: 503,
    title: 'No answer engine is configured',
    means: 'This capability asks an AI model, and this deployment has none.',
    next: 'If you run it, set ANSWER_ENGINE and its key; otherwise choose a capability that reads a site.',
  },
  transfers_only: {
    status: 503,
    title: 'This capability takes only direct transfers now',
    means: 'Signed payments cannot be settled at present.',
    next: 'Send USDC to payTo of the terms and present the transaction hash, or try again later.',
    retryAfterS: 600,
  },

  service_busy: {
    status: 503,
    title: 'The service is busy; nothing was charged: send the same request again',
    means: 'Other audits use all the memory that this service has for audits.',
    next: 'Send the same request with the same payment again after the wait.',
    retryAfterS: 5,
  },
  target_refused: {
    status: 422,
    title: 'The URL names an address that is not fetched',
    means: 'Only public http and https addresses on their usual ports are audited; nothing was charged.',
    next: 'Send the public address of the site, such as https://example.com/.',
  },
  target_busy: {
    status: 429,
    title: 'This host is audited too often at the moment; nothing was charged',
    means: 'All callers together may audit a host only a limited number of times, to spare it.',
    next: 'Send the same request with the same payment again after the wait.',
    retryAfterS: 10,
  },
  target_unreachable: {
    status: 422,
    title: 'The target could not be read; nothing was charged',
    means: 'The site did not answer with a page that can be audited.',
    next: 'Open the address in a browser, check its spelling, DNS and firewall, then send the request again.',
  },
  nothing_to_generate: {
    status: 422,
    title: 'There is nothing to fill the texts with; nothing was charged',
    means: 'No file or text would hold a sentence of the site or of yours: all of it would be slots.',
    next: 'Add what is missing to the site, or send facts of yours where the request takes them, then send the request again.',
  },
  measurement_incomplete: {
    status: 502,
    title: 'The measurement could not be completed; nothing was charged',
    means: 'The answer engine answered too few of the prompts for a figure that can be trusted.',
    next: 'Send the same request again later; if you run the service, check the key and the limits of its engine.',
  },
} as const satisfies Readonly<Record<string, ReasonRow>>;

/**
 * How a call on prepaid credits ends as well. Never 402: that means "pay again by x402", which is not what such a call asks
 * for. Too small a balance is 409, a state of the account that its owner changes by a top-up; a spent cap is 403, since
 * the client may not, whatever it does; a key under other arguments is 422.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ section 2.7
 */
export const creditReasonRows = {
  insufficient_credits: {
    status: 409,
    title:
      'The prepaid balance is smaller than the price; nothing was charged: top up at POST /api/credits/5, 20 or 100',
    means: 'The credits of the account do not cover this call.',
    next: 'Buy a credit pack from the same address, then repeat the call.',
  },
  client_cap_reached: {
    status: 403,
    title: 'This client has spent what its owner lets it spend in 24 hours; nothing was charged',
    means: 'The owner of the account set a daily limit for this client.',
    next: 'Wait until older calls are 24 hours old, or ask the owner to raise the limit at /account.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key belongs to another call',
    means:
      'A key names one call, and this one came before with other arguments or with another payment; nothing was charged.',
    next: 'Repeat the first call with its arguments and its payment for its answer, or use a new key for a new call.',
  },
  idempotency_key_invalid: {
    status: 422,
    title: 'The idempotency key is not one text of 1 to 255 printable ASCII characters; nothing was charged',
    means: 'The key is empty, too long, or holds other characters.',
    next: 'Send a short random key, such as a UUID.',
  },
  client_revoked: {
    status: 403,
    title: 'The owner of the account revoked this client; nothing was charged',
    means: 'The account no longer lets this client spend its credits.',
    next: 'Ask the owner to allow the client again, by a new sign-in.',
  },
  call_in_progress: {
    status: 409,
    title: 'The same call is running: repeat it for its answer',
    means: 'A call with the same idempotency key has not ended yet.',
    next: 'Repeat the call with the same key after the wait; it is charged once.',
    retryAfterS: 5,
  },
  call_superseded: {
    status: 409,
    title:
      'The call ended after its time, or its client was revoked meanwhile: its result was discarded, nothing was charged',
    means: 'The reserved credits were given back before the result was ready.',
    next: 'Repeat the call with a new idempotency key.',
  },
  too_many_calls: {
    status: 429,
    title: 'Too many calls of this account run at once',
    means: 'An account has a limit of calls at the same time; nothing was charged.',
    next: 'Wait for the answer to a running call, then repeat this one.',
    retryAfterS: 5,
  },
  debit_unknown: {
    status: 503,
    title:
      'The outcome of the debit is not known yet: repeat the call with the same idempotency key, or check your reports',
    means: 'The account did not confirm whether the call was paid.',
    next: 'Repeat the call with the same idempotency key after the wait; it is charged once.',
    retryAfterS: 10,
  },
} as const satisfies Readonly<Record<string, ReasonRow>>;
