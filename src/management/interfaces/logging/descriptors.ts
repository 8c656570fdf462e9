import { listAtHand } from '../../core/engine/named-collection.ts';
import type { Handlers } from '../../core/engine/operation.ts';
import { RESOURCE_TYPES, type ResourceType } from './descriptors-data.ts';
import { PAGE } from './texts.ts';

const LIST = { items: 'resourceDescriptors', page: PAGE };

/** Types of monitored resources that entries may have. Entries with another type are taken too. */
export const descriptorHandlers: Handlers = {
  'logging.monitoredResourceDescriptors.list': (call, context) => {
    const items = RESOURCE_TYPES.map((each) => ({ id: each.type, body: buildDescriptor(each) }));
    return listAtHand(LIST, items, call, context);
  },
};

const buildDescriptor = ({ type, displayName, description, labels }: ResourceType) => ({
  type,
  displayName,
  description,
  labels: Object.entries(labels).map(([key, text]) => ({ key, valueType: 'STRING', description: text })),
  launchStage: 'GA',
});
