import { listAtHand, notFound } from '../../core/engine/named-collection.ts';
import type { Handlers } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { type Adapter, adaptersOf, adSourceOf, allAdSources } from './adapters.ts';
import { MEDIATION_PAGE, publisherOf } from './rows.ts';

const SOURCE_NAME = /^accounts\/pub-\d+\/adSources\/([^/]+)$/;

/** Ad sources and their adapters: a catalogue that is the same for every publisher, under the name of the one asked for. */
export const adSourceHandlers: Handlers = {
  'admob.accounts.adSources.list': (call, context) => {
    const { name } = publisherOf(call.path['parent'] ?? '');
    const found = allAdSources().map(({ id, title }) => ({
      id,
      body: { name: `${name}/adSources/${id}`, adSourceId: id, title },
    }));
    return listAtHand({ items: 'adSources', page: MEDIATION_PAGE }, found, call, context);
  },
  'admob.accounts.adSources.adapters.list': (call, context) => {
    const parent = call.path['parent'] ?? '';
    publisherOf(parent);
    const [, id = ''] = SOURCE_NAME.exec(parent) ?? [];
    if (adSourceOf(id) === undefined) throw notFound(parent);
    const found = adaptersOf(id).map((adapter) => ({ id: adapter.id, body: shownAdapter(adapter, parent) }));
    return listAtHand({ items: 'adapters', page: MEDIATION_PAGE }, found, call, context);
  },
};

const shownAdapter = ({ id, title, platform, formats, settings }: Adapter, parent: string): JsonObject => ({
  name: `${parent}/adapters/${id}`,
  adapterId: id,
  title,
  platform,
  formats: [...formats],
  adapterConfigMetadata: settings.map((setting) => ({
    adapterConfigMetadataId: setting.id,
    adapterConfigMetadataLabel: setting.label,
    isRequired: setting.isRequired,
  })),
});
