import type { Interface } from '../../core/engine/operation.ts';
import { bucketAsks, handlers as bucketHandlers } from './buckets/handlers.ts';
import { BUCKETS } from './buckets/rows.ts';
import { isStoredBucket } from './buckets/schemas.ts';
import { entryBriefs, handlers as entryHandlers } from './entries/handlers.ts';
import { handlers as sharedHandlers } from './handlers.ts';
import { handlers as metricHandlers } from './metrics/handlers.ts';
import { METRICS } from './metrics/rows.ts';
import { handlers as queryHandlers } from './queries/handlers.ts';
import { LOG_SCOPES, RECENT_QUERIES, SAVED_QUERIES } from './queries/rows.ts';
import { OPERATIONS, SETTINGS } from './rows.ts';
import { isStoredOperation } from './schemas.ts';
import { handlers as sinkHandlers, sinkAsks } from './sinks/handlers.ts';
import { LOG_SINKS, SINK_HOSTS } from './sinks/rows.ts';
import { handlers as viewHandlers } from './views/handlers.ts';
import { LINKS, POLICIES, VIEWS } from './views/rows.ts';
import { isStoredLink, isStoredPolicy } from './views/schemas.ts';

/** Logging v2. @see https://cloud.google.com/logging/docs/reference/v2/rest */
export const logging: Interface = {
  name: 'logging',
  version: 'v2',
  errors: 'status',
  handlers: {
    ...sharedHandlers,
    ...bucketHandlers,
    ...viewHandlers,
    ...sinkHandlers,
    ...metricHandlers,
    ...queryHandlers,
    ...entryHandlers,
  },
  brief: entryBriefs,
  asksFirst: bucketAsks,
  asksIdentity: sinkAsks,
  // '' for rows of our own, which `rows` judges.
  collections: {
    [BUCKETS]: '',
    [VIEWS]: 'LogView',
    [POLICIES]: 'Policy',
    [LINKS]: '',
    [OPERATIONS]: '',
    [SETTINGS]: 'Settings',
    [LOG_SINKS]: 'LogSink',
    [SINK_HOSTS]: '',
    [METRICS]: 'LogMetric',
    [SAVED_QUERIES]: 'SavedQuery',
    [RECENT_QUERIES]: 'RecentQuery',
    [LOG_SCOPES]: 'LogScope',
  },
  rows: {
    [BUCKETS]: isStoredBucket,
    [LINKS]: isStoredLink,
    [OPERATIONS]: isStoredOperation,
    [POLICIES]: isStoredPolicy,
  },
};
