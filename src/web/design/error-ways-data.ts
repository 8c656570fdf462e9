import type { ApiProblemCode } from '../../problems/codes.ts';

/** Where to go from an error: a page of ours, the same page again, the report that it is about, or what the documentation says of the problem. */
export type WayName =
  | 'audit'
  | 'measure'
  | 'prices'
  | 'home'
  | 'docs'
  | 'account'
  | 'signIn'
  | 'console'
  | 'contact'
  | 'again'
  | 'report'
  | 'explain';

type Ways = readonly [WayName, ...WayName[]];

const START: Ways = ['home', 'audit', 'measure', 'docs'];
const NEW_REPORT: Ways = ['audit', 'measure', 'home'];
const SIGN_IN: Ways = ['signIn', 'home'];
const ACCOUNT: Ways = ['account', 'home'];
const CONSOLE: Ways = ['console', 'home'];
const AGAIN: Ways = ['again', 'home'];
/** What a form of ours never sends: it came from elsewhere, or arrived damaged. */
const FORM_REFUSED: Ways = ['home', 'docs', 'explain'];
/** What a program sent wrongly: people come by it only from a link. */
const EXPLAINED: Ways = ['explain', 'docs', 'home'];
const PAID_AGAIN: Ways = ['prices', 'explain', 'home'];
const WAITED: Ways = ['again', 'explain', 'home'];
const TARGET: Ways = ['audit', 'explain', 'home'];
const OPERATED: Ways = ['contact', 'explain', 'home'];

/** The ways on from each problem, the best first: a new problem fails to compile until it has one. */
export const errorWays: Readonly<Record<ApiProblemCode, Ways>> = {
  not_found: START,
  report_not_found: NEW_REPORT,
  report_expired: NEW_REPORT,
  run_not_found: ['report', 'measure', 'home', 'docs'],
  history_not_found: ['audit', 'home'],
  unknown_capability: ['prices', 'docs', 'home'],
  not_comparable: ['report', ...NEW_REPORT],
  not_publishable: ['report', 'audit', 'explain', 'home'],
  publish_refused: ['report', 'explain', 'home'],
  niche_names_brand: ['measure', 'home'],
  not_acceptable: ['report', 'explain', 'home'],
  pdf_unavailable: ['report', 'again', 'explain', 'home'],
  loop_detected: ['audit', 'home'],
  stopped: ['audit', 'home'],
  foreign_origin: ['home', 'audit', 'docs'],
  declined: ['prices', 'home'],

  sign_in_needed: SIGN_IN,
  sign_in_refused: SIGN_IN,
  sign_in_too_old: ['signIn', 'account', 'home'],
  sign_in_unavailable: AGAIN,
  invalid_address: SIGN_IN,
  wallet_proof_needed: EXPLAINED,
  wallet_proof_refused: EXPLAINED,
  too_many_attempts: SIGN_IN,
  chain_unavailable: SIGN_IN,
  form_expired: ACCOUNT,
  account_not_deleted: ACCOUNT,
  cards_unavailable: ACCOUNT,
  card_event_refused: ['explain', 'home'],
  sign_in_way_refused: ACCOUNT,
  grant_not_found: ACCOUNT,
  invalid_cap: ACCOUNT,
  revocation_unfinished: ACCOUNT,
  consent_not_kept: ACCOUNT,
  limit_reached: ACCOUNT,
  already_created: ['account', 'explain', 'home'],
  invalid_authorization_request: ['explain', 'account', 'home'],

  operator_sign_in_required: CONSOLE,
  operator_only: CONSOLE,
  operator_enabled: CONSOLE,
  last_operator: CONSOLE,
  directory_user_taken: CONSOLE,

  rate_limited: AGAIN,
  internal_error: ['again', 'contact', 'home'],
  service_busy: WAITED,
  ledger_unavailable: WAITED,
  result_unavailable: WAITED,
  store_unavailable: WAITED,
  capability_unavailable: ['again', 'prices', 'home'],
  measurement_incomplete: ['measure', 'explain', 'home'],

  target_refused: TARGET,
  target_busy: TARGET,
  target_unreachable: TARGET,
  nothing_to_generate: TARGET,

  not_configured: OPERATED,
  engine_not_configured: ['audit', 'contact', 'home'],
  caller_address_missing: OPERATED,
  front_secret_wrong: OPERATED,
  wrong_host: OPERATED,

  invalid_json: FORM_REFUSED,
  body_broken_off: FORM_REFUSED,
  body_too_large: FORM_REFUSED,
  unsupported_media_type: FORM_REFUSED,
  invalid_body: FORM_REFUSED,
  invalid_host: EXPLAINED,
  method_not_allowed: START,
  insufficient_scope: ['account', 'explain', 'home'],
  dry_run_with_payment: EXPLAINED,
  invalid_view: EXPLAINED,
  invalid_fields: EXPLAINED,
  unknown_section: EXPLAINED,
  unknown_fix: EXPLAINED,
  invalid_filter: EXPLAINED,
  invalid_cursor: EXPLAINED,

  monitor_not_found: ACCOUNT,
  monitor_run_under_way: WAITED,
  monitors_unavailable: WAITED,
  host_not_claimed: ACCOUNT,
  host_not_proven: ACCOUNT,
  invalid_range: EXPLAINED,
  counts_token_wrong: ACCOUNT,
  precondition_required: EXPLAINED,
  precondition_failed: EXPLAINED,
  idempotency_key_required: EXPLAINED,
  token_required: ['account', 'explain', 'home'],

  payment_required: PAID_AGAIN,
  invalid_payload: PAID_AGAIN,
  several_payments: PAID_AGAIN,
  credential_invalid: PAID_AGAIN,
  challenge_invalid: PAID_AGAIN,
  wrong_route: PAID_AGAIN,
  wrong_terms: PAID_AGAIN,
  wrong_amount: PAID_AGAIN,
  wrong_recipient: PAID_AGAIN,
  authorization_expired: PAID_AGAIN,
  authorization_expires_too_soon: PAID_AGAIN,
  authorization_expires_too_late: PAID_AGAIN,
  authorization_not_yet_valid: PAID_AGAIN,
  invalid_signature: PAID_AGAIN,
  insufficient_funds: PAID_AGAIN,
  payment_refused: PAID_AGAIN,
  settlement_refused: PAID_AGAIN,
  transaction_not_found: PAID_AGAIN,
  transaction_reverted: PAID_AGAIN,
  no_matching_transfer: PAID_AGAIN,
  transfer_source_refused: PAID_AGAIN,
  transfer_too_small: PAID_AGAIN,
  transfer_too_old: PAID_AGAIN,
  payer_proof_required: EXPLAINED,
  payer_proof_invalid: EXPLAINED,
  payer_proof_expired: EXPLAINED,
  payer_key_required: EXPLAINED,
  wallet_removed: ['explain', 'account', 'home'],
  payment_in_progress: WAITED,
  payment_already_used: ['explain', 'account', 'home'],
  transfer_is_settlement: EXPLAINED,
  cancelled: PAID_AGAIN,
  payment_identifier_reused: EXPLAINED,
  ambiguous_transfer: EXPLAINED,
  too_many_in_flight: WAITED,
  too_many_failures: WAITED,
  too_many_failed_payments: WAITED,
  payment_pending: WAITED,
  payment_unverifiable: WAITED,
  settlement_unknown: WAITED,
  transfers_only: PAID_AGAIN,

  insufficient_credits: ACCOUNT,
  client_cap_reached: ACCOUNT,
  client_revoked: ACCOUNT,
  idempotency_key_reused: EXPLAINED,
  idempotency_key_invalid: EXPLAINED,
  call_in_progress: WAITED,
  call_superseded: WAITED,
  too_many_calls: WAITED,
  debit_unknown: ['account', 'explain', 'home'],
};
