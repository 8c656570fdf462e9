import type { Interface } from '../../core/engine/operation.ts';
import { spanHandlers, traceHandlers, traceSinkHandlers } from './handlers.ts';
import { TRACE_SINKS } from './rows.ts';
import { isStoredTraceSink } from './schemas.ts';

/** Tracing v2: spans are written. It has the collections of all versions: snapshots find them by its name. */
export const tracingV2: Interface = {
  name: 'tracing',
  version: 'v2',
  errors: 'status',
  handlers: spanHandlers,
  collections: { [TRACE_SINKS]: '' },
  rows: { [TRACE_SINKS]: isStoredTraceSink },
};

/** Tracing v2beta1: sinks. */
export const tracingV2beta1: Interface = {
  name: 'tracing',
  version: 'v2beta1',
  errors: 'status',
  handlers: traceSinkHandlers,
};

/** Tracing v1: traces are read. */
export const tracingV1: Interface = {
  name: 'tracing',
  version: 'v1',
  errors: 'status',
  handlers: traceHandlers,
};
