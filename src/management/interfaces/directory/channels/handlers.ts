import { getMember, isText } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Call, Context, Handler, Handlers } from '../../../core/engine/operation.ts';
import type { UserChange } from '../../../core/engine/tenant.ts';
import { buildChannelBody, readChannelOrder, type Watched } from '../../../watch/channel-order.ts';
import { refuseUnknownDomain } from '../refusals.ts';
import { COLLECTIONS, findParentDomain, requireCustomer, requireUser } from '../rows.ts';

/** Events of users and of their aliases that a channel can ask for. */
const USER_EVENTS: readonly string[] = ['add', 'delete', 'makeAdmin', 'undelete', 'update'];
const ALIAS_EVENTS: readonly string[] = ['add', 'delete'];

const watchUsers: Handler = (call, context) => {
  const { customer, domain } = call.query;
  if (isText(customer)) requireCustomer(customer, context);
  const scope = isText(domain) && domain !== '' ? requireWatchedDomain(domain, context) : '';
  if (scope === '' && !isText(customer)) throw vendorRefusals.invalid('Either customer or domain must be given');
  const filter: [string, string] = scope === '' ? ['customer', context.tenant.id] : ['domain', scope];
  const event = parseEvent(call, USER_EVENTS);
  return open(call, context, { watched: 'users', scope, event }, 'users', [filter]);
};

const watchAliases: Handler = (call, context) => {
  const { id } = requireUser(call.path['userKey'] ?? '', context);
  const event = parseEvent(call, ALIAS_EVENTS);
  return open(call, context, { watched: 'aliases', scope: id, event }, `users/${id}/aliases`, []);
};

const stop: Handler = ({ body, caller }, { channels }) => {
  const id = getMember(body, 'id') ?? '';
  const resourceId = getMember(body, 'resourceId') ?? '';
  if (!isText(id) || id === '') throw vendorRefusals.required('id');
  if (!isText(resourceId) || resourceId === '') throw vendorRefusals.required('resourceId');
  channels.stop(id, resourceId, caller);
  return undefined;
};

/** Watch channels: users in both forms of the path, aliases of a user, and the one method that stops them. */
export const handlers: Handlers = {
  'directory.users.watch': watchUsers,
  'directory.users.watchSwapped': watchUsers,
  'directory.users.aliases.watch': watchAliases,
  'admin.channels.stop': stop,
};

function open(call: Call, { channels }: Context, watched: Watched, path: string, filters: [string, string][]) {
  const rules = channels.rules();
  const order = readChannelOrder(call.body, rules);
  const event: [string, string][] = watched.event === '' ? [] : [['event', watched.event]];
  const query = new URLSearchParams([...filters, ...event, ['alt', 'json']]);
  const resourceUri = `${rules.settings.origin}/admin/directory/v1/${path}?${query.toString()}`;
  return buildChannelBody(channels.open({ ...order, ...watched, resourceUri, opener: call.caller }));
}

function parseEvent({ query }: Call, known: readonly string[]): UserChange['event'] | '' {
  const { event } = query;
  if (!isText(event) || event === '') return '';
  if (!known.includes(event)) throw vendorRefusals.invalidInput('event');
  return event as UserChange['event']; // One of the list.
}

/** @throws Refusal 404 for a domain that the tenant does not have */
function requireWatchedDomain(domain: string, context: Context): string {
  const name = domain.toLowerCase();
  const parent = findParentDomain(name, context);
  if (parent !== undefined) return parent;
  if (context.store.get(COLLECTIONS.domains, '', name) === undefined) throw refuseUnknownDomain();
  return name;
}
