import type { Interface } from '../../core/engine/operation.ts';
import { handlers } from './handlers.ts';
import { TAGS } from './rows.ts';

/** Tags of the resource manager, v3. @see https://cloud.google.com/resource-manager/reference/rest/v3/tagKeys */
export const tags: Interface = {
  name: 'tags',
  version: 'v3',
  errors: 'status',
  handlers,
  collections: {
    [TAGS.keys]: 'TagKey',
    [TAGS.values]: 'TagValue',
    [TAGS.bindings]: 'TagBinding',
    [TAGS.operations]: 'Operation',
  },
};
