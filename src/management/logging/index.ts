import type { Interface } from '../engine/operation.ts';

/** Logging v2 (seed 3, "Logging"). */
export const logging: Interface = { name: 'logging', version: 'v2', errors: 'status', handlers: {} };
