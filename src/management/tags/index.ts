import type { Interface } from '../engine/operation.ts';

/** Tags of the resource manager, v3 (seed 3, "Tag value deletion"). */
export const tags: Interface = { name: 'tags', version: 'v3', errors: 'status', handlers: {} };
