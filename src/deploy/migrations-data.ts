import type { DeployedWorker } from './configuration.ts';

/** A migration of the Durable Objects of a Worker: the classes that it brought. A test compares these with the configurations. */
export type Migration = { worker: DeployedWorker; tag: string; classes: readonly string[] };

/**
 * What each version has had applied that runs: the platform takes no version of a Worker before its migrations. In the
 * order in which they are applied.
 */
export const migrations: readonly Migration[] = [
  { worker: 'api', tag: 'v1', classes: ['PaymentLedger', 'TargetGate'] },
  { worker: 'api', tag: 'v2', classes: ['VisibilityRun', 'EngineMeter'] },
  { worker: 'api', tag: 'v3', classes: ['AuthorizationStore', 'CreditAccount', 'McpSession', 'McpSessionRegistry'] },
  { worker: 'api', tag: 'v4', classes: ['RateCounter'] },
  { worker: 'api', tag: 'v5', classes: ['OperationsRegister'] },
  { worker: 'api', tag: 'v6', classes: ['MonitorShard'] },
  { worker: 'api', tag: 'v7', classes: ['HostRecord'] },
  { worker: 'api', tag: 'v8', classes: ['CardLedger', 'AgentTaskShard'] },
  { worker: 'control', tag: 'v1', classes: ['ResourceStore', 'TenantRegistry'] },
  { worker: 'control', tag: 'v2', classes: ['EntryStore'] },
  { worker: 'control', tag: 'v3', classes: ['RateCounter'] },
  { worker: 'control', tag: 'v4', classes: ['SearchInstance', 'TargetGate', 'EngineMeter'] },
  { worker: 'webhook', tag: 'v1', classes: ['ChannelRegistry', 'NotificationInbox'] },
];
