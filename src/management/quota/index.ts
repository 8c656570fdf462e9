import type { Interface } from '../engine/operation.ts';

/** Quota v1 (seed 3, "Quota"). */
export const quotaV1: Interface = { name: 'quota', version: 'v1', errors: 'status', handlers: {} };

/** Quota v1beta: the same resources. */
export const quotaV1beta: Interface = { name: 'quota', version: 'v1beta', errors: 'status', handlers: {} };
