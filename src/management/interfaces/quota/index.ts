import type { Interface } from '../../core/engine/operation.ts';
import { createVersionHandlers } from './handlers.ts';
import { QUOTA } from './rows.ts';
import { isStoredAdjuster, isStoredPreference } from './schemas.ts';

/** Quota v1. */
export const quotaV1: Interface = {
  name: 'quota',
  version: 'v1',
  errors: 'status',
  handlers: createVersionHandlers('v1'),
  // Rows of our own; v1beta has the same.
  collections: { [QUOTA.preferences]: '', [QUOTA.adjuster]: '' },
  rows: { [QUOTA.preferences]: isStoredPreference, [QUOTA.adjuster]: isStoredAdjuster },
};

/** Quota v1beta: the same resources. */
export const quotaV1beta: Interface = {
  name: 'quota',
  version: 'v1beta',
  errors: 'status',
  handlers: createVersionHandlers('v1beta'),
};
