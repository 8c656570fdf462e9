import type { Interface } from '../../core/engine/operation.ts';
import { autoragHandlers } from './autorag.ts';
import { instanceHandlers } from './instances.ts';
import { itemHandlers } from './items.ts';
import { jobHandlers } from './jobs.ts';
import { isKeptInstance } from './kept.ts';
import { isKeptNamespace, namespaceHandlers } from './namespaces.ts';
import { questionHandlers } from './questions.ts';
import { AISEARCH } from './rows.ts';
import { tokenHandlers } from './tokens.ts';

/**
 * AI Search instances of Cloudflare, with its own conventions. The tenant stores the settings of instances; items,
 * chunks and jobs are in one object per instance.
 */
export const aiSearch: Interface = {
  name: 'aisearch',
  version: 'new',
  errors: 'cloudflare',
  hasNoDocument: true,
  handlers: {
    ...namespaceHandlers,
    ...instanceHandlers,
    ...questionHandlers,
    ...itemHandlers,
    ...jobHandlers,
    ...tokenHandlers,
  },
  collections: { [AISEARCH.namespaces]: '', [AISEARCH.instances]: '', [AISEARCH.tokens]: '' },
  rows: { [AISEARCH.namespaces]: isKeptNamespace, [AISEARCH.instances]: isKeptInstance },
  unsaved: [AISEARCH.tokens],
};

/** The older routes of the same instances. */
export const autorag: Interface = {
  name: 'aisearch',
  version: 'legacy',
  errors: 'cloudflare',
  hasNoDocument: true,
  handlers: autoragHandlers,
};
