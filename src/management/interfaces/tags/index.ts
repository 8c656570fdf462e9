import type { Interface } from '../../core/engine/operation.ts';
import { bindingHandlers } from './bindings.ts';
import { keyHandlers } from './keys.ts';
import * as operations from './operations.ts';
import { TAGS } from './rows.ts';
import { valueHandlers } from './values.ts';

/** Tags of the resource manager, v3. @see https://cloud.google.com/resource-manager/reference/rest/v3/tagKeys */
export const tags: Interface = {
  name: 'tags',
  version: 'v3',
  errors: 'status',
  handlers: {
    ...keyHandlers,
    ...valueHandlers,
    ...bindingHandlers,
    'cloudresourcemanager.operations.get': operations.getTagOperation,
  },
  collections: {
    [TAGS.keys]: 'TagKey',
    [TAGS.values]: 'TagValue',
    [TAGS.bindings]: 'TagBinding',
    [TAGS.operations]: 'Operation',
  },
};
