import type { Caller, Change } from '../core/engine/tenant.ts';
import type { JsonObject } from '../../lib/json.ts';

/** What a channel watches: all users of the tenant, those of one of its domains, or the aliases of one user. */
export type Watched = {
  watched: Change['watched'];
  /** `users`: a domain, or '' for all. `aliases`: the user's id. */
  scope: string;
  /** One kind of event, or '' for all. */
  event: Change['event'] | '';
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

/** A channel as its opener sees it (seed 3, "Watch response fields"). */
export function channelBody({ id, resourceId, resourceUri, token, expiresAtMs }: Channel): JsonObject {
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
 * Whether a caller may stop a channel: that of a regular user only the same user by the same client, that of a service
 * account anybody by the same client (seed 3, "Stop permission").
 */
export function mayStop(opener: Opener, caller: Opener): boolean {
  const isSameClient = opener.clientId === caller.clientId;
  return isSameClient && (opener.kind === 'service' || opener.userId === caller.userId);
}
