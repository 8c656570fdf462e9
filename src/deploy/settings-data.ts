import type { DeployedWorker } from './configuration.ts';

/** A setting of the Workers, as a deployment gives it to them. All are secrets of the platform, so that no file has them. */
export type DeploySetting = {
  name: string;
  /** Those that read it. */
  workers: readonly DeployedWorker[];
  /** What is asked for where a deployment needs it and has none; `{network}` is that of its payments. */
  ask?: string;
  /** Not shown while it is typed. */
  hidden?: true;
  /** How one is made where none exists; it is never replaced. */
  made?: 'secret' | 'operator' | 'signer' | 'channels' | 'now' | 'tenant' | 'project';
  /** Found by the deployment itself. */
  address?: DeployedWorker;
  /** What does not work without it. */
  without?: string;
};

const API = ['api'] as const;
const CONTROL = ['control'] as const;
const WEBHOOK = ['webhook'] as const;
const ALL = ['api', 'webhook', 'control'] as const;
const ENGINE = ['api', 'control'] as const;

function listReadBy(workers: DeploySetting['workers'], names: readonly string[]): readonly DeploySetting[] {
  return names.map((name) => ({ name, workers }));
}

/** Every setting, in the order in which a person is asked. */
export const deploySettings: readonly DeploySetting[] = [
  {
    name: 'PAY_TO',
    workers: API,
    ask: 'The address on {network} that receives USDC, of this deployment alone (0x...)',
  },
  { name: 'PAYMENT_NETWORK', workers: API },
  { name: 'SALES', workers: API },
  { name: 'RPC_URL', workers: API, ask: 'A JSON-RPC of {network}, https', hidden: true },
  { name: 'FACILITATOR_URL', workers: API, ask: 'The x402 facilitator, https' },
  { name: 'BASE_URL', workers: ALL, address: 'api' },
  { name: 'CONTROL_URL', workers: ENGINE, address: 'control' },
  { name: 'WEBHOOK_URL', workers: ALL, address: 'webhook' },
  { name: 'LEDGER_SECRET', workers: API, made: 'secret' },
  { name: 'RESULT_SIGNING_KEY', workers: API, made: 'signer' },
  { name: 'BOT_SIGNING_KEY', workers: API, made: 'signer' },
  { name: 'PAYMENTS_SINCE', workers: API, made: 'now' },
  { name: 'OPERATOR_SECRET', workers: API, made: 'operator' },
  { name: 'CHANNEL_TOKEN_KEYS', workers: WEBHOOK, made: 'channels' },
  { name: 'OPERATOR_TENANT', workers: CONTROL, made: 'tenant' },
  { name: 'OPERATOR_PROJECT', workers: CONTROL, made: 'project' },
  { name: 'CONTACT_EMAIL', workers: API, without: 'pages name no one who runs the service' },
  { name: 'ANSWER_ENGINE', workers: ENGINE, without: 'brand measurements and chats of AI Search answer 503' },
  { name: 'DIRECTORY_SUBJECT', workers: WEBHOOK, without: 'no directory can be watched' },
  ...listReadBy(API, [
    'PAYMENT_NETWORKS',
    'NETWORK_SECRET_A',
    'NETWORK_SECRET_B',
    'NETWORK_SECRET_C',
    'NETWORK_SECRET_D',
    'BOT_SIGNING_KEY_PREVIOUS',
    'BOT_ADDRESSES',
    'MPP',
    'LEDGER_SECRET_PREVIOUS',
    'LEDGER_PLACING_SECRET',
    'RESULT_SIGNING_KEYS_RETIRED',
    'FACILITATOR_AUTHORIZATION',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'STRIPE_WEBHOOK_SECRET_PREVIOUS',
    'SELLER_NAME',
    'SELLER_ADDRESS',
    'SELLER_TAX_ID',
    'FACILITATOR_CALLS_PER_S',
    'TRANSFER_CONFIRMATIONS',
    'CONFIRMATIONS_ABOVE_1_USD',
    'TRANSFER_MAX_AGE_S',
    'REQUIRE_PAYER_PROOF_ABOVE_USD',
    'OPERATOR_IDENTITIES',
    'MCP_ALLOWED_ORIGINS',
    'DNS_RESOLVER_URL',
    'ANSWER_ENGINES',
    'ANSWER_KEY_OPENAI',
    'ANSWER_KEY_ANTHROPIC',
    'ANSWER_KEY_GOOGLE',
    'ANSWER_KEY_PERPLEXITY',
    'ANSWER_KEY_A',
    'ANSWER_KEY_B',
    'ANSWER_KEY_C',
    'ANSWER_KEY_D',
    'ANSWER_ENGINE_USD_PER_RUN',
    'VISIBILITY_RUN_S',
    'MONITOR_FREE_HOSTS',
    'MONITOR_FREE_ENGINE_USD_PER_DAY',
    'MONITOR_MAIL_FROM',
    'SIGN_IN_MAIL_FROM',
  ]),
  ...listReadBy(ENGINE, [
    'ANSWER_ENGINE_URL',
    'ANSWER_ENGINE_KEY',
    'ANSWER_ENGINE_MODEL',
    'ANSWER_ENGINE_MAX_TOKENS',
    'UNPAID_ENGINE_USD_PER_HOUR',
    'ANSWER_TIMEOUT_S',
  ]),
  ...listReadBy(ALL, ['FRONT_SECRET', 'CALLER_ADDRESS_HEADER', 'TELEMETRY']),
  ...listReadBy(CONTROL, [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'EMULATOR',
    'STRICT_PUT',
    'BATCH_FULL_URLS',
    'ENTRY_SHARDS',
    'SANDBOX_ENTRY_SHARDS',
    'LIVE_ENTRY_GIB',
    'CHANNEL_TTL_DEFAULT_S',
    'CHANNEL_TTL_MAX_S',
    'CHAT_USD',
    'EMBEDDING_ENGINE',
    'EMBEDDING_ENGINE_URL',
    'EMBEDDING_ENGINE_KEY',
    'EMBEDDING_ENGINE_MODEL',
  ]),
  { name: 'VENDOR_HEADER_PREFIX', workers: ['control', 'webhook'] },
  ...listReadBy(WEBHOOK, ['DIRECTORY_URL', 'DIRECTORY_KEY', 'DIRECTORY_TOKEN', 'DIRECTORY_TTL_S', 'DESTINATIONS']),
];

/** What a deployment never changes, whatever file names it: every stored payment would be unknown. */
export const NEVER_REPLACED = 'LEDGER_SECRET';
