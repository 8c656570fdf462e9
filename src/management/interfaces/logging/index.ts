import type { Interface } from '../../core/engine/operation.ts';
import { bucketAsks, bucketHandlers } from './buckets/buckets.ts';
import { cmekHandlers } from './access/cmek.ts';
import { LOGGING_CONFIG_COLLECTIONS, LOGGING_CONFIG_ROWS } from './config-collections.ts';
import { copyHandlers } from './copies.ts';
import { descriptorHandlers } from './descriptors.ts';
import { entryBriefs, entryHandlers } from './entry-plans.ts';
import { exclusionHandlers } from './exclusions.ts';
import { iamHandlers } from './access/iam.ts';
import { linkHandlers } from './views/links.ts';
import { locationHandlers } from './locations.ts';
import { LOG_SCOPES, logScopeHandlers } from './queries/log-scopes.ts';
import { logHandlers } from './logs.ts';
import { metricHandlers, METRICS } from './metrics.ts';
import { operationHandlers } from './operations.ts';
import { RECENT_QUERIES, recentQueryHandlers } from './queries/recent-queries.ts';
import { SAVED_QUERIES, savedQueryHandlers } from './queries/saved-queries.ts';
import { settingsHandlers } from './settings.ts';
import { SINK_HOSTS, LOG_SINKS } from './sinks/rows.ts';
import { sinkAsks, logSinkHandlers } from './sinks/sinks.ts';
import { viewHandlers } from './views/views.ts';

/** Logging v2. @see https://cloud.google.com/logging/docs/reference/v2/rest */
export const logging: Interface = {
  name: 'logging',
  version: 'v2',
  errors: 'status',
  handlers: {
    ...bucketHandlers,
    ...viewHandlers,
    ...iamHandlers,
    ...linkHandlers,
    ...locationHandlers,
    ...operationHandlers,
    ...settingsHandlers,
    ...cmekHandlers,
    ...logSinkHandlers,
    ...exclusionHandlers,
    ...metricHandlers,
    ...savedQueryHandlers,
    ...recentQueryHandlers,
    ...logScopeHandlers,
    ...descriptorHandlers,
    ...entryHandlers,
    ...copyHandlers,
    ...logHandlers,
  },
  brief: entryBriefs,
  asksFirst: bucketAsks,
  asksIdentity: sinkAsks,
  collections: {
    ...LOGGING_CONFIG_COLLECTIONS,
    [LOG_SINKS]: 'LogSink',
    [SINK_HOSTS]: '',
    [METRICS]: 'LogMetric',
    [SAVED_QUERIES]: 'SavedQuery',
    [RECENT_QUERIES]: 'RecentQuery',
    [LOG_SCOPES]: 'LogScope',
  },
  rows: LOGGING_CONFIG_ROWS,
};
