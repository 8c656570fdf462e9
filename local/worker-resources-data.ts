import type { V4MiniflareOptions } from 'miniflare';

// Written again, and compared by a test: wrangler's own reader takes over the signals of the process, follows proxy
// variables and would add 0.6 s to each start.

/** What every wrangler*.toml gives its Worker; a test compares them. */
export const COMPATIBILITY_DATE = '2026-10-20';
export const COMPATIBILITY_FLAGS = ['global_fetch_strictly_public', 'enable_request_signal'];

/** A batch for each engine of a panel at the same time, six prompts each. */
const PROMPTS_CONSUMER = {
  maxBatchSize: 6,
  maxBatchTimeout: 0,
  maxRetries: 2,
  deadLetterQueue: 'sightline-prompts-dlq',
};

/** What production of wrangler.toml gives the api Worker; a test compares the two. */
export const API_RESOURCES = {
  serviceBindings: { MODELS: { name: 'sightline-models', entrypoint: 'Models' } },
  durableObjects: {
    PAYMENT_LEDGER: { className: 'PaymentLedger', useSQLite: true },
    TARGET_GATE: { className: 'TargetGate', useSQLite: true },
    VISIBILITY_RUN: { className: 'VisibilityRun', useSQLite: true },
    ENGINE_METER: { className: 'EngineMeter', useSQLite: true },
    AUTHORIZATION_STORE: { className: 'AuthorizationStore', useSQLite: true },
    CREDIT_ACCOUNT: { className: 'CreditAccount', useSQLite: true },
    MCP_SESSION: { className: 'McpSession', useSQLite: true },
    MCP_SESSION_REGISTRY: { className: 'McpSessionRegistry', useSQLite: true },
    RATE_COUNTER: { className: 'RateCounter', useSQLite: true },
    OPERATIONS_REGISTER: { className: 'OperationsRegister', useSQLite: true },
    MONITOR_SHARD: { className: 'MonitorShard', useSQLite: true },
    HOST_RECORD: { className: 'HostRecord', useSQLite: true },
    CARD_LEDGER: { className: 'CardLedger', useSQLite: true },
    AGENT_TASK_SHARD: { className: 'AgentTaskShard', useSQLite: true },
  },
  queueProducers: {
    PROMPTS: { queueName: 'sightline-prompts' },
    PROMPTS_2: { queueName: 'sightline-prompts-2' },
    PROMPTS_3: { queueName: 'sightline-prompts-3' },
    PROMPTS_4: { queueName: 'sightline-prompts-4' },
    PROMPTS_DLQ: { queueName: 'sightline-prompts-dlq' },
    MONITOR_RUNS: { queueName: 'sightline-monitors' },
    MONITOR_RUNS_DLQ: { queueName: 'sightline-monitors-dlq' },
    TELEMETRY_QUEUE: { queueName: 'sightline-telemetry' },
  },
  queueConsumers: {
    'sightline-prompts': PROMPTS_CONSUMER,
    'sightline-prompts-2': PROMPTS_CONSUMER,
    'sightline-prompts-3': PROMPTS_CONSUMER,
    'sightline-prompts-4': PROMPTS_CONSUMER,
    'sightline-prompts-dlq': { maxBatchSize: 30, maxBatchTimeout: 1, maxRetries: 2 },
    'sightline-monitors': {
      maxBatchSize: 1,
      maxBatchTimeout: 0,
      maxRetries: 3,
      deadLetterQueue: 'sightline-monitors-dlq',
    },
    'sightline-monitors-dlq': { maxBatchSize: 30, maxBatchTimeout: 1, maxRetries: 2 },
  },
  r2Buckets: { REPORTS: 'sightline-reports' },
  ratelimits: {
    FREE_LIMIT: { namespace_id: '1001', simple: { limit: 300, period: 60 } },
    FAILED_PAYMENT_LIMIT: { namespace_id: '1002', simple: { limit: 10, period: 60 } },
  },
} satisfies Partial<V4MiniflareOptions>;

/** What production of wrangler.control.toml gives the control Worker; a test compares the two. */
export const CONTROL_RESOURCES = {
  serviceBindings: {
    AUTHORIZATION: { name: 'sightline-api', entrypoint: 'Authorization' },
    CONSOLE_ACCESS: { name: 'sightline-api', entrypoint: 'ConsoleAccess' },
    OPERATIONS: { name: 'sightline-api', entrypoint: 'Operations' },
    CONSOLE_DESK: { name: 'sightline-webhook', entrypoint: 'ConsoleDesk' },
    PDF_READER: { name: 'sightline-pdf', entrypoint: 'PdfReader' },
  },
  durableObjects: {
    RESOURCE_STORE: { className: 'ResourceStore', useSQLite: true },
    TENANT_REGISTRY: { className: 'TenantRegistry', useSQLite: true },
    ENTRY_STORE: { className: 'EntryStore', useSQLite: true },
    RATE_COUNTER: { className: 'RateCounter', useSQLite: true },
    SEARCH_INSTANCE: { className: 'SearchInstance', useSQLite: true },
    TARGET_GATE: { className: 'TargetGate', useSQLite: true },
    ENGINE_METER: { className: 'EngineMeter', useSQLite: true },
  },
  queueProducers: { PUSH: { queueName: 'sightline-push' } },
  queueConsumers: {
    'sightline-push': { maxBatchSize: 10, maxBatchTimeout: 0, maxRetries: 10 },
    'sightline-telemetry': { maxBatchSize: 20, maxBatchTimeout: 1, maxRetries: 100 },
  },
  ratelimits: { MANAGEMENT_LIMIT: { namespace_id: '2001', simple: { limit: 60_000, period: 60 } } },
} satisfies Partial<V4MiniflareOptions>;

/** What production of wrangler.webhook.toml gives the webhook Worker; a test compares the two. */
export const WEBHOOK_RESOURCES = {
  serviceBindings: {
    AUTHORIZATION: { name: 'sightline-api', entrypoint: 'Authorization' },
    REVOCATION: { name: 'sightline-api', entrypoint: 'Revocation' },
  },
  durableObjects: {
    CHANNEL_REGISTRY: { className: 'ChannelRegistry', useSQLite: true },
    NOTIFICATION_INBOX: { className: 'NotificationInbox', useSQLite: true },
  },
  queueProducers: { WAKE: { queueName: 'sightline-wake' }, TELEMETRY_QUEUE: { queueName: 'sightline-telemetry' } },
  queueConsumers: { 'sightline-wake': { maxBatchSize: 100, maxBatchTimeout: 0, maxRetries: 1 } },
  ratelimits: { OPERATOR_LIMIT: { namespace_id: '3001', simple: { limit: 600, period: 60 } } },
} satisfies Partial<V4MiniflareOptions>;

export type WorkerResources = typeof API_RESOURCES | typeof CONTROL_RESOURCES | typeof WEBHOOK_RESOURCES;
