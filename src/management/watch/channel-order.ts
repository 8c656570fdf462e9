import { isObject, isText, type Json, type JsonObject, getMember } from '../../lib/json.ts';
import { vendorRefusals } from '../../lib/refusal.ts';
import { SECOND_MS } from '../../lib/time.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import type { Caller, UserChange } from '../core/engine/tenant.ts';
import { pushAddress } from './push-message.ts';
import type { WatchSettings } from './settings.ts';

/** What a channel watches: all users of the tenant, those of one of its domains, or the aliases of one user. */
export type Watched = {
  watched: UserChange['watched'];
  /** `users`: a domain, or '' for all. `aliases`: the user's id. */
  scope: string;
  /** One kind of event, or '' for all. */
  event: UserChange['event'] | '';
};

/** Who opened a channel. */
export type Opener = Pick<Caller, 'kind' | 'userId' | 'clientId'>;

/** What a channel is opened with: judged, but not yet known to be new. */
export type ChannelOrder = Watched & {
  id: string;
  address: URL;
  /** '' for none. Echoed in each message and nowhere else. */
  token: string;
  expiresAtMs: number;
  resourceUri: string;
  opener: Opener;
};

/** A channel that is open. `resourceId` is opaque, and the same for whatever watches the same. */
export type Channel = {
  id: string;
  resourceId: string;
  resourceUri: string;
  address: string;
  token: string;
  expiresAtMs: number;
};

/** A channel as its opener sees it. */
export function buildChannelBody({ id, resourceId, resourceUri, token, expiresAtMs }: Channel): JsonObject {
  return {
    kind: 'api#channel',
    id,
    resourceId,
    resourceUri,
    ...(token === '' ? {} : { token }),
    expiration: String(expiresAtMs),
  };
}

/**
 * Whether a caller may stop a channel: one that a regular user opened, only the same user by the same client; one that
 * a service account opened, any caller by the same client.
 */
export function canStopChannel(opener: Opener, caller: Opener): boolean {
  const isSameClient = opener.clientId === caller.clientId;
  return isSameClient && (opener.kind === 'service' || opener.userId === caller.userId);
}

/** Ids and tokens travel in headers: printable ASCII, at most 64 and 256 characters. */
const CHANNEL_ID = /^[\x21-\x7E]{1,64}$/;
const CHANNEL_TOKEN = /^[\x20-\x7E]{0,256}$/;
const WHOLE_NUMBER = /^[0-9]{1,15}$/;

/** What channels of this deployment are judged by. */
export type ChannelRules = { settings: WatchSettings; policy: AddressPolicy; nowMs: number };

/** Reads the body of a watch request. @throws Refusal naming the field */
export function readChannelOrder(
  body: JsonObject,
  { settings, policy, nowMs }: ChannelRules,
): Pick<ChannelOrder, 'id' | 'address' | 'token' | 'expiresAtMs'> {
  const id = getMember(body, 'id') ?? '';
  if (id === '') throw vendorRefusals.required('id');
  if (!isText(id) || !CHANNEL_ID.test(id)) throw vendorRefusals.invalidInput('id');
  const type = getMember(body, 'type') ?? '';
  if (type === '') throw vendorRefusals.required('type');
  if (type !== 'web_hook') throw vendorRefusals.invalidInput('type');
  const address = getMember(body, 'address') ?? '';
  if (address === '') throw vendorRefusals.required('address');
  if (!isText(address)) throw vendorRefusals.invalidInput('address');
  const token = getMember(body, 'token') ?? '';
  if (!isText(token) || !CHANNEL_TOKEN.test(token)) throw vendorRefusals.invalidInput('token');
  const expiresAtMs = computeChannelExpiry(body, settings, nowMs);
  return { id, address: pushAddress(address, policy), token, expiresAtMs };
}

/** The most restrictive of what is asked for and what we grant; vendors' examples write both numbers either way. */
function computeChannelExpiry(body: JsonObject, { ttlDefaultS, ttlMaxS }: WatchSettings, nowMs: number): number {
  const params = getMember(body, 'params') ?? {};
  if (!isObject(params)) throw vendorRefusals.invalidInput('params');
  const ttlS = readWholeNumber(getMember(params, 'ttl'), 'params.ttl');
  const untilMs = readWholeNumber(getMember(body, 'expiration'), 'expiration');
  if (ttlS === 0) throw vendorRefusals.invalidInput('params.ttl');
  if (untilMs !== undefined && untilMs <= nowMs) throw vendorRefusals.invalidInput('expiration');
  const asked = [
    ...(ttlS === undefined ? [] : [nowMs + ttlS * SECOND_MS]),
    ...(untilMs === undefined ? [] : [untilMs]),
  ];
  const wanted = asked.length > 0 ? asked : [nowMs + ttlDefaultS * SECOND_MS];
  return Math.min(...wanted, nowMs + ttlMaxS * SECOND_MS);
}

function readWholeNumber(value: Json | undefined, name: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (!isText(text) || !WHOLE_NUMBER.test(text)) throw vendorRefusals.invalidInput(name);
  return Number(text);
}
