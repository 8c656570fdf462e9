import type { Interface } from '../../core/engine/operation.ts';
import { handlers as buckets, storageAsks } from './buckets/handlers.ts';
import { STORAGE } from './buckets/rows.ts';
import { handlers } from './handlers.ts';

/** The part of Cloud Storage v1 that makes buckets, and reads what sinks and copies of logging write: files of entries, one a line. */
export const storage: Interface = {
  name: 'storage',
  version: 'v1',
  errors: 'legacy',
  handlers: { ...handlers, ...buckets },
  asksFirst: storageAsks,
  collections: { [STORAGE.buckets]: 'Bucket' },
};
