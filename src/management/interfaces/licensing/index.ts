import type { Interface } from '../../core/engine/operation.ts';
import { LICENSE_ROWS } from '../directory/rows.ts';
import { handlers } from './handlers.ts';

/** Enterprise License Manager v1: licences of the Directory's users, by the SKUs that resellers sell. */
export const licensing: Interface = {
  name: 'licensing',
  version: 'v1',
  errors: 'legacy',
  handlers,
  collections: { [LICENSE_ROWS]: 'LicenseAssignment' },
};
