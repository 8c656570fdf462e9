import type { AgentTaskShard } from '../../../durable-objects/agent-task-shard.ts';
import type { AuthorizationStore } from '../../../durable-objects/authorization-store.ts';
import type { CardLedger } from '../../../durable-objects/card-ledger.ts';
import type { CreditAccount } from '../../../durable-objects/credit-account.ts';
import type { EngineMeter } from '../../../durable-objects/engine-meter.ts';
import type { HostRecord } from '../../../durable-objects/host-record.ts';
import type { McpSessionRegistry } from '../../../durable-objects/mcp-session-registry.ts';
import type { McpSession } from '../../../durable-objects/mcp-session.ts';
import type { MonitorShard } from '../../../durable-objects/monitor-shard.ts';
import type { OperationsRegister } from '../../../durable-objects/operations-register.ts';
import type { PaymentLedger } from '../../../durable-objects/payment-ledger.ts';
import type { RateCounter } from '../../../durable-objects/rate-counter.ts';
import type { TargetGate } from '../../../durable-objects/target-gate.ts';
import type { VisibilityRun } from '../../../durable-objects/visibility-run.ts';
import type { PasskeyJudge } from '../../../src/authorization/people/passkeys.ts';
import { createSettingsReader } from '../../../src/lib/settings-reader.ts';
import { type ApiWorkerSettings, apiWorkerSettingsSchema } from '../../../src/sales/settings.ts';
import type { CardService } from '../../../src/payment/cards/remote-stripe.ts';
import type { MonitorMessage } from '../../../src/monitors/core/protocol.ts';
import type { TelemetryQueue } from '../../../src/telemetry/messages.ts';
import type { PromptMessage } from '../../../src/visibility/run/run.ts';

/** Bindings of the api Worker, as `wrangler.toml` declares them; text variables are parsed by `readSettings`. */
/** `Models` of the Worker of models. */
type ModelsService = Fetcher & PasskeyJudge & CardService;

export type Env = {
  PAYMENT_LEDGER: DurableObjectNamespace<PaymentLedger>;
  TARGET_GATE: DurableObjectNamespace<TargetGate>;
  VISIBILITY_RUN: DurableObjectNamespace<VisibilityRun>;
  ENGINE_METER: DurableObjectNamespace<EngineMeter>;
  AUTHORIZATION_STORE: DurableObjectNamespace<AuthorizationStore>;
  CREDIT_ACCOUNT: DurableObjectNamespace<CreditAccount>;
  MCP_SESSION: DurableObjectNamespace<McpSession>;
  MCP_SESSION_REGISTRY: DurableObjectNamespace<McpSessionRegistry>;
  PROMPTS: Queue<PromptMessage>;
  /** Of the second to fourth engine of a panel. A deployment from before has the first queue alone. */
  PROMPTS_2?: Queue<PromptMessage>;
  PROMPTS_3?: Queue<PromptMessage>;
  PROMPTS_4?: Queue<PromptMessage>;
  PROMPTS_DLQ: Queue<PromptMessage>;
  /** Monitors and their runs. A deployment from before has none. */
  MONITOR_SHARD?: DurableObjectNamespace<MonitorShard>;
  MONITOR_RUNS?: Queue<MonitorMessage>;
  MONITOR_RUNS_DLQ?: Queue<MonitorMessage>;
  REPORTS: R2Bucket;
  FREE_LIMIT: RateLimit;
  FAILED_PAYMENT_LIMIT: RateLimit;
  RATE_COUNTER: DurableObjectNamespace<RateCounter>;
  OPERATIONS_REGISTER: DurableObjectNamespace<OperationsRegister>;
  /** Hosts whose owners have proven them. */
  HOST_RECORD: DurableObjectNamespace<HostRecord>;
  /** Purchases of credits by card. A deployment from before has none. */
  CARD_LEDGER?: DurableObjectNamespace<CardLedger>;
  /** Tasks of the A2A endpoint. */
  AGENT_TASK_SHARD: DurableObjectNamespace<AgentTaskShard>;
  /** Analytics Engine: only where the deployment declares it. Counts that owners of hosts send are data points too then. */
  CRAWLER_COUNTS?: AnalyticsEngineDataset;
  /** The control Worker reads it; written to only where TELEMETRY is `control`. */
  TELEMETRY_QUEUE?: TelemetryQueue;
  /** Workers AI: only where the deployment declares it. */
  AI?: Ai;
  /** The Worker of models, which asks answer engines and Stripe, and judges passkeys. A deployment from before has none. */
  MODELS?: ModelsService;
  /** A browser (Browser Run): only where the deployment declares it. Audits with scores render the start page then. */
  BROWSER?: Fetcher;
  /** A browser that prints PDFs of reports and nothing else. Where it is absent, BROWSER prints them. */
  PDF_BROWSER?: Fetcher;
  /** Sends mail (Email Service): only where the deployment declares it. MONITOR_MAIL_FROM and SIGN_IN_MAIL_FROM say from which address. */
  EMAIL?: SendEmail;
  /** Static files of the pages. */
  ASSETS?: Fetcher;
} & Record<string, unknown>;

/** The Worker's settings. @throws Error as `createSettingsReader` */
export const readSettings: (env: Env) => ApiWorkerSettings = createSettingsReader(apiWorkerSettingsSchema);
