/** A year. */
const YEARLY = 365;

/**
 * After how many days a secret wants a new value, or to be deleted. Every other hidden setting is an address, or is never
 * changed: `LEDGER_PLACING_SECRET` names the shards of the ledger for its whole life.
 */
export const ROTATED_SETTINGS: ReadonlyMap<string, number> = new Map([
  ['ANSWER_ENGINE_KEY', YEARLY],
  ['ANSWER_KEY_A', YEARLY],
  ['ANSWER_KEY_ANTHROPIC', YEARLY],
  ['ANSWER_KEY_B', YEARLY],
  ['ANSWER_KEY_C', YEARLY],
  ['ANSWER_KEY_D', YEARLY],
  ['ANSWER_KEY_GOOGLE', YEARLY],
  ['ANSWER_KEY_OPENAI', YEARLY],
  ['ANSWER_KEY_PERPLEXITY', YEARLY],
  ['BOT_SIGNING_KEY', YEARLY],
  // Verifiers may use a directory of keys for an hour; a day is the shortest that is counted.
  ['BOT_SIGNING_KEY_PREVIOUS', 1],
  ['CHANNEL_TOKEN_KEYS', YEARLY],
  ['DESTINATIONS', YEARLY],
  ['DIRECTORY_KEY', YEARLY],
  ['DIRECTORY_TOKEN', YEARLY],
  ['EMBEDDING_ENGINE_KEY', YEARLY],
  ['FACILITATOR_AUTHORIZATION', YEARLY],
  ['FRONT_SECRET', YEARLY],
  ['LEDGER_SECRET', YEARLY],
  // The reports whose publish tokens it made are readable for 30 days.
  ['LEDGER_SECRET_PREVIOUS', 30],
  ['NETWORK_SECRET_A', YEARLY],
  ['NETWORK_SECRET_B', YEARLY],
  ['NETWORK_SECRET_C', YEARLY],
  ['NETWORK_SECRET_D', YEARLY],
  ['OPERATOR_SECRET', YEARLY],
  ['OTEL_EXPORTER_OTLP_HEADERS', YEARLY],
  ['RESULT_SIGNING_KEY', YEARLY],
  ['STRIPE_SECRET_KEY', YEARLY],
  ['STRIPE_WEBHOOK_SECRET', YEARLY],
  // Stripe signs with the secret of before for a day at most.
  ['STRIPE_WEBHOOK_SECRET_PREVIOUS', 1],
]);
