import type { Call, Context, Handler } from '../../core/engine/operation.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { isEmail } from '../directory/schemas.ts';
import { RESELLER } from './rows.ts';

/** Service accounts that one reseller can register. */
const MAX_LISTENERS = 100;

/** Registers a service account; one that is registered stays so. */
export const registerListener: Handler = (call, context) => {
  const id = requireServiceAccount(call);
  const isKnown = context.store.get(RESELLER.listeners, '', id) !== undefined;
  if (isKnown) return buildTopic(context);
  if (context.store.count(RESELLER.listeners, '') >= MAX_LISTENERS)
    throw vendorRefusals.limitExceeded('Too many registrations');
  context.store.insert({ collection: RESELLER.listeners, parent: '', id, body: {} });
  return buildTopic(context);
};

export const unregister: Handler = (call, context) => {
  const isGone = context.store.remove({ collection: RESELLER.listeners, parent: '', id: requireServiceAccount(call) });
  if (!isGone) throw vendorRefusals.notFound('serviceAccountEmailAddress');
  return buildTopic(context);
};

export const getWatchDetails: Handler = (_call, context) => {
  const found = context.store.list({ collection: RESELLER.listeners, parent: '', limit: MAX_LISTENERS });
  const addresses = found.map(({ row }) => row.id);
  return addresses.length === 0 ? {} : { serviceAccountEmailAddresses: addresses, ...buildTopic(context) };
};

function requireServiceAccount({ query }: Call): string {
  const address = query['serviceAccountEmailAddress'];
  if (!isText(address) || address === '') throw vendorRefusals.required('serviceAccountEmailAddress');
  if (!isEmail(address)) throw vendorRefusals.invalidInput('serviceAccountEmailAddress');
  return address.toLowerCase();
}

const buildTopic = ({ tenant }: Context): JsonObject => ({ topicName: `projects/partner-watch/topics/${tenant.id}` });
