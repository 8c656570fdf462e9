import type { Interface } from '../../core/engine/operation.ts';
import { isKeptSink } from './row-schemas.ts';
import { traceSinkHandlers, TRACE_SINKS } from './sinks.ts';
import { writeSpanBatch, createSpan } from './spans.ts';
import * as traces from './traces.ts';

/** Tracing v2: spans are written. It has the collections of all versions: snapshots find them by its name. */
export const tracingV2: Interface = {
  name: 'tracing',
  version: 'v2',
  errors: 'status',
  handlers: {
    'cloudtrace.projects.traces.batchWrite': writeSpanBatch,
    'cloudtrace.projects.traces.spans.createSpan': createSpan,
  },
  collections: { [TRACE_SINKS]: '' },
  rows: { [TRACE_SINKS]: isKeptSink },
};

/** Tracing v2beta1: sinks. */
export const tracingV2beta1: Interface = {
  name: 'tracing',
  version: 'v2beta1',
  errors: 'status',
  handlers: traceSinkHandlers,
};

/** Tracing v1: traces are read. Beyond the seed. */
export const tracingV1: Interface = {
  name: 'tracing',
  version: 'v1',
  errors: 'status',
  handlers: {
    'cloudtrace.v1.projects.traces.list': traces.listProjectTraces,
    'cloudtrace.v1.projects.traces.get': traces.getTrace,
    'cloudtrace.v1.projects.patchTraces': traces.patchTraces,
  },
};
