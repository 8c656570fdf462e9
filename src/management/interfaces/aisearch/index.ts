import type { Interface } from '../../core/engine/operation.ts';
import { handlers } from './handlers.ts';
import { handlers as instanceHandlers } from './instances/handlers.ts';
import { isStoredInstance } from './instances/schemas.ts';
import { handlers as itemHandlers } from './items/handlers.ts';
import { AISEARCH, startSandbox } from './rows.ts';
import { isStoredNamespace } from './schemas.ts';
import { autoragHandlers, handlers as searchHandlers } from './search/handlers.ts';

/**
 * AI Search instances of Cloudflare, with its own conventions. The tenant stores the settings of instances; items,
 * chunks and jobs are in one object per instance.
 */
export const aiSearch: Interface = {
  name: 'aisearch',
  version: 'new',
  errors: 'cloudflare',
  hasNoDocument: true,
  handlers: { ...handlers, ...instanceHandlers, ...itemHandlers, ...searchHandlers },
  collections: {
    [AISEARCH.namespaces]: '',
    [AISEARCH.instances]: '',
    [AISEARCH.tokens]: '',
    [AISEARCH.sandboxTokens]: '',
  },
  rows: { [AISEARCH.namespaces]: isStoredNamespace, [AISEARCH.instances]: isStoredInstance },
  unsaved: [AISEARCH.tokens],
  start: startSandbox,
};

/** The older routes of the same instances. */
export const autorag: Interface = {
  name: 'aisearch',
  version: 'legacy',
  errors: 'cloudflare',
  hasNoDocument: true,
  handlers: autoragHandlers,
};
