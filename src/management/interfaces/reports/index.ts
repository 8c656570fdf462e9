import type { Interface } from '../../core/engine/operation.ts';
import { handlers } from './handlers.ts';

/** Reports v1 of the Admin SDK: counts of the Directory. */
export const reports: Interface = {
  name: 'reports',
  version: 'v1',
  errors: 'legacy',
  handlers,
};
