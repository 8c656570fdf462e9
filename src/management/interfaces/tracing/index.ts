import type { Interface } from '../../core/engine/operation.ts';
import { isKeptSink } from './row-schemas.ts';
import { sinkHandlers, SINKS } from './sinks.ts';
import { batchWrite, createSpan } from './spans.ts';
import * as traces from './traces.ts';

/** Tracing v2: spans are written (seed 3, "Tracing"). It has the collections of all versions: snapshots find them by its name. */
export const tracingV2: Interface = {
  name: 'tracing',
  version: 'v2',
  errors: 'status',
  handlers: {
    'cloudtrace.projects.traces.batchWrite': batchWrite,
    'cloudtrace.projects.traces.spans.createSpan': createSpan,
  },
  collections: { [SINKS]: '' },
  rows: { [SINKS]: isKeptSink },
};

/** Tracing v2beta1: sinks. */
export const tracingV2beta1: Interface = {
  name: 'tracing',
  version: 'v2beta1',
  errors: 'status',
  handlers: sinkHandlers,
};

/** Tracing v1: traces are read. Beyond the seed. */
export const tracingV1: Interface = {
  name: 'tracing',
  version: 'v1',
  errors: 'status',
  handlers: {
    'cloudtrace.v1.projects.traces.list': traces.list,
    'cloudtrace.v1.projects.traces.get': traces.get,
    'cloudtrace.v1.projects.patchTraces': traces.patchTraces,
  },
};
