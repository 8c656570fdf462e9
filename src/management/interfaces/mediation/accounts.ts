import { listNamed, type NamedCollection } from '../../core/engine/named-collection.ts';
import type { Context, Handlers } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { MEDIATION, MEDIATION_PAGE, type Publisher, publisherOf } from './rows.ts';

/** What reports of a publisher are in: the same for all, as nothing here sets it. */
const REPORTING = { reportingTimeZone: 'America/Los_Angeles', currencyCode: 'USD' } as const;

const publishers: NamedCollection = {
  name: MEDIATION.publishers,
  schema: 'PublisherAccount',
  items: 'account',
  page: MEDIATION_PAGE,
  view: ({ body }) => body,
};

/** Publisher accounts. One that the caller may use is there; lists have those that a call named which was not refused. */
export const accountHandlers: Handlers = {
  'admob.accounts.get': ({ path }) => shownPublisher(publisherOf(path['name'] ?? '')),
  'admob.accounts.list': (call, context) => listNamed(publishers, '', call, context),
};

/** Puts the publisher of a name into the list of accounts: at the first call that names it, a read too. */
export function rememberPublisher(name: string, { store, remember }: Context): void {
  const publisher = publisherOf(name);
  const address = { collection: MEDIATION.publishers, parent: '', id: `pub-${publisher.digits}` };
  if (store.get(address.collection, address.parent, address.id) !== undefined) return;
  remember({ ...address, body: shownPublisher(publisher) });
}

const shownPublisher = ({ name, digits }: Publisher): JsonObject => ({
  name,
  publisherId: `pub-${digits}`,
  ...REPORTING,
});
