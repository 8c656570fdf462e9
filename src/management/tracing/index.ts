import type { Interface } from '../engine/operation.ts';

/** Tracing v2: spans are written (seed 3, "Tracing"). */
export const tracingV2: Interface = { name: 'tracing', version: 'v2', errors: 'status', handlers: {} };

/** Tracing v2beta1: sinks. */
export const tracingV2beta1: Interface = { name: 'tracing', version: 'v2beta1', errors: 'status', handlers: {} };

/** Tracing v1: traces are read. Beyond the seed. */
export const tracingV1: Interface = { name: 'tracing', version: 'v1', errors: 'status', handlers: {} };
