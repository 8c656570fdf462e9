import { refuseViolation } from '../../../core/conventions/invalid.ts';
import type { Call } from '../../../core/engine/operation.ts';
import { getNameContainer } from '../../../log-store/log-name.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { formatServiceAgent } from '../rows.ts';
import { toTextOrEmpty } from '../schemas.ts';
import type { SinkDestination } from './destination.ts';

/** Whom a sink writes as: shared by all sinks of the service, that of its parent, or one that the caller named. */
type IdentityKind = 'shared' | 'unique' | 'custom';

/** What a sink keeps of its identity. `writerIdentity` is absent where the sink writes to a bucket of its own container. */
export type Identity = { identityKind: IdentityKind; customIdentity?: string; writerIdentity?: string };

const SHARED = 'serviceAccount:cloud-logs@system.gserviceaccount.com';
const CUSTOM = /^serviceAccount:[A-Za-z0-9._-]{1,64}@[A-Za-z0-9.-]{1,190}$/;

/**
 * Whom a sink writes as after a call. Once it has an identity of its own it cannot go back to the shared one, neither by
 * `uniqueWriterIdentity=false` nor by leaving that out (discovery document, sinks.update).
 * @param before what the sink kept; `{}` for a new one
 * @throws Refusal for that, and for a `customWriterIdentity` that is none or has nothing to do
 */
export function resolveWriterIdentity(
  before: JsonObject,
  call: Call,
  container: string,
  destination: SinkDestination,
): Identity {
  const { uniqueWriterIdentity, customWriterIdentity } = call.query;
  const kept = toTextOrEmpty(before['identityKind']);
  if (isText(customWriterIdentity) && customWriterIdentity !== '')
    return {
      identityKind: 'custom',
      customIdentity: requireCustomIdentity(customWriterIdentity, container, destination),
      writerIdentity: customWriterIdentity,
    };
  if (kept === 'unique' && uniqueWriterIdentity !== true) {
    const why = 'The sink has a unique writer identity, which cannot be taken away: set uniqueWriterIdentity to true.';
    throw refuseViolation('uniqueWriterIdentity', why);
  }
  const identity = deriveWriterIdentity(
    uniqueWriterIdentity === true ? 'unique' : kept || 'shared',
    before,
    container,
    destination,
  );
  const key = destination.kind === 'webhook' ? (call.known?.webhookIdentity ?? getWebhookKey(before)) : '';
  return key === '' ? identity : { ...identity, writerIdentity: key };
}

/** Sinks to web addresses write as the key that their posts are verified with (log-store/delivery). */
const getWebhookKey = ({ writerIdentity }: JsonObject): string =>
  toTextOrEmpty(writerIdentity).startsWith('whpk_') ? toTextOrEmpty(writerIdentity) : '';

/** The identity that a sink keeps when its destination may have changed and its identity was not asked for. */
export function deriveWriterIdentity(
  kept: string,
  before: JsonObject,
  container: string,
  destination: SinkDestination,
): Identity {
  if (destination.kind === 'bucket' && getNameContainer(destination.bucket) === container)
    return { identityKind: kept === 'unique' ? 'unique' : 'shared' };
  const account = toTextOrEmpty(before['customIdentity']);
  if (kept === 'custom' && account !== '')
    return { identityKind: 'custom', customIdentity: account, writerIdentity: account };
  if (kept === 'unique') return { identityKind: 'unique', writerIdentity: formatServiceAgent(container) };
  return {
    identityKind: 'shared',
    writerIdentity: container.startsWith('projects/') ? SHARED : formatServiceAgent(container),
  };
}

function requireCustomIdentity(account: string, container: string, destination: SinkDestination): string {
  if (!CUSTOM.test(account))
    throw refuseViolation('customWriterIdentity', 'customWriterIdentity must be like serviceAccount:some@email.');
  if (destination.kind !== 'bucket' || getNameContainer(destination.bucket) === container)
    throw refuseViolation(
      'customWriterIdentity',
      'customWriterIdentity is for sinks to a log bucket of another project.',
    );
  return account;
}
