import { OWN_LIMITS, OWN_SERVICE } from '../../../rate-limits/service-limits.ts';

/** A quota as its info shows it. */
export type QuotaRow = {
  service: string;
  quotaId: string;
  metric: string;
  metricDisplayName: string;
  quotaDisplayName: string;
  /** What holds without a preference; -1: unlimited. */
  value: number;
  /** No preference is granted more, or less. */
  ceiling?: number;
  floor?: number;
  /** Of rates: `minute`, `day`. */
  refreshInterval?: string;
  dimensions?: readonly string[];
  /** Where it holds; `global` when absent. */
  regions?: readonly string[];
};

const MINUTE = 'minute';

const own = (limit: keyof typeof OWN_LIMITS, metric: string, display: string): QuotaRow => {
  const { quotaId, default: value, floor, ceiling } = OWN_LIMITS[limit];
  return {
    service: OWN_SERVICE,
    quotaId,
    metric: `${OWN_SERVICE}/${metric}`,
    metricDisplayName: display,
    quotaDisplayName: `${display} per minute`,
    value,
    floor,
    ceiling,
    refreshInterval: MINUTE,
  };
};

/** A quota a minute for a project. The numbers are the vendor's published ones or near them, for tests of clients. */
const rate = (service: string, quotaId: string, metric: string, display: string, value: number): QuotaRow => ({
  service: `${service}.googleapis.com`,
  quotaId,
  metric: `${service}.googleapis.com/${metric}`,
  metricDisplayName: display,
  quotaDisplayName: `${display} per minute`,
  value,
  refreshInterval: MINUTE,
});

const REGIONS = ['asia-east1', 'europe-west1', 'us-central1', 'us-east1', 'us-west1'];

const cpus = (quotaId: string): QuotaRow => ({
  service: 'compute.googleapis.com',
  quotaId,
  metric: 'compute.googleapis.com/cpus',
  metricDisplayName: 'CPUs',
  quotaDisplayName: 'CPUs per region',
  value: 24,
  dimensions: ['region'],
  regions: REGIONS,
});

/** The quotas that infos show. Those of our own service have an effect; the others are there to be read and asked for. */
export const QUOTAS: readonly QuotaRow[] = [
  own('free', 'free_requests', 'Free and unpaid requests of a caller'),
  own('mcp', 'mcp_requests', 'Unpaid MCP requests of a caller'),
  own('management', 'management_requests', 'Management calls of a tenant'),
  own('paid', 'paid_requests', 'Paid requests of a caller, before any payment is read'),
  rate('logging', 'WriteRequestsPerMinutePerProject', 'write_requests', 'Write requests', 120_000),
  rate('logging', 'ReadRequestsPerMinutePerProject', 'read_requests', 'Read requests', 60),
  rate('logging', 'ControlRequestsPerMinutePerProject', 'control_requests', 'Control requests', 600),
  rate('cloudtrace', 'WriteRequestsPerMinutePerProject', 'write_requests', 'Write requests', 4_800),
  rate('cloudtrace', 'ReadRequestsPerMinutePerProject', 'read_requests', 'Read requests', 300),
  rate('cloudquotas', 'RequestsPerMinutePerProject', 'requests', 'Requests', 600),
  rate('cloudresourcemanager', 'ReadRequestsPerMinutePerProject', 'read_requests', 'Read requests', 600),
  rate('cloudresourcemanager', 'WriteRequestsPerMinutePerProject', 'write_requests', 'Write requests', 600),
  rate('admin', 'QueriesPerMinutePerProject', 'default_requests', 'Queries', 2_400),
  rate('reseller', 'QueriesPerMinutePerProject', 'default_requests', 'Queries', 600),
  rate('admob', 'RequestsPerMinutePerProject', 'default_requests', 'Requests', 600),
  cpus('CPUS-per-project-region'),
  cpus('CpusPerProjectPerRegion'), // As the reference of the interface spells its example.
];
