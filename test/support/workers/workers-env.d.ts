import type { LedgerEnv } from '../../../durable-objects/payment-ledger.ts';

declare global {
  namespace Cloudflare {
    /** The bindings of the Workers under test: wrangler.toml, wrangler.control.toml and wrangler.webhook.toml, with their projects of vitest.config.ts. */
    interface Env extends LedgerEnv {
      TARGET_GATE: DurableObjectNamespace<import('../../../durable-objects/target-gate.ts').TargetGate>;
      VISIBILITY_RUN: DurableObjectNamespace<import('../../../durable-objects/visibility-run.ts').VisibilityRun>;
      ENGINE_METER: DurableObjectNamespace<import('../../../durable-objects/engine-meter.ts').EngineMeter>;
      AUTHORIZATION_STORE: DurableObjectNamespace<
        import('../../../durable-objects/authorization-store.ts').AuthorizationStore
      >;
      CREDIT_ACCOUNT: DurableObjectNamespace<import('../../../durable-objects/credit-account.ts').CreditAccount>;
      MCP_SESSION: DurableObjectNamespace<import('../../../durable-objects/mcp-session.ts').McpSession>;
      MCP_SESSION_REGISTRY: DurableObjectNamespace<
        import('../../../durable-objects/mcp-session-registry.ts').McpSessionRegistry
      >;
      /** Of the `control` project too. */
      RATE_COUNTER: DurableObjectNamespace<import('../../../durable-objects/rate-counter.ts').RateCounter>;
      OPERATIONS_REGISTER: DurableObjectNamespace<
        import('../../../durable-objects/operations-register.ts').OperationsRegister
      >;
      MONITOR_SHARD: DurableObjectNamespace<import('../../../durable-objects/monitor-shard.ts').MonitorShard>;
      MONITOR_RUNS: Queue<import('../../../src/monitors/core/protocol.ts').MonitorMessage>;
      CARD_LEDGER: DurableObjectNamespace<import('../../../durable-objects/card-ledger.ts').CardLedger>;
      HOST_RECORD: DurableObjectNamespace<import('../../../durable-objects/host-record.ts').HostRecord>;
      AGENT_TASK_SHARD: DurableObjectNamespace<import('../../../durable-objects/agent-task-shard.ts').AgentTaskShard>;
      OPERATOR_SECRET: string;
      PROMPTS: Queue<import('../../../src/visibility/run/run.ts').PromptMessage>;
      PROMPTS_DLQ: Queue<import('../../../src/visibility/run/run.ts').PromptMessage>;
      BASE_URL: string;
      FACILITATOR_URL: string;
      FREE_LIMIT: RateLimit;
      FAILED_PAYMENT_LIMIT: RateLimit;
      // Of the `control` project only.
      RESOURCE_STORE: DurableObjectNamespace<import('../../../durable-objects/resource-store.ts').ResourceStore>;
      SEARCH_INSTANCE: DurableObjectNamespace<import('../../../durable-objects/search-instance.ts').SearchInstance>;
      ENTRY_STORE: DurableObjectNamespace<import('../../../durable-objects/entry-store.ts').EntryStore>;
      TENANT_REGISTRY: DurableObjectNamespace<import('../../../durable-objects/tenant-registry.ts').TenantRegistry>;
      PUSH: Queue<import('../../../src/management/watch/push-message.ts').PushMessage>;
      // Of the `webhook` project only.
      CHANNEL_REGISTRY: DurableObjectNamespace<import('../../../durable-objects/channel-registry.ts').ChannelRegistry>;
      NOTIFICATION_INBOX: DurableObjectNamespace<
        import('../../../durable-objects/notification-inbox.ts').NotificationInbox
      >;
      WAKE: Queue<import('../../../routes/webhook/bindings/env.ts').WakeMessage>;
      OPERATOR_LIMIT: RateLimit;
    }
    interface GlobalProps {
      mainModule: typeof import('./worker.ts');
    }
  }
}
