import type { Call } from '../../../core/engine/operation.ts';
import { ownerOf } from '../../../log-store/tree.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { logServiceAccount } from '../access/service-accounts.ts';
import type { Destination } from './destination.ts';
import { invalidField, textOf } from '../texts.ts';

/** Whom a sink writes as: shared by all sinks of the service, that of its parent, or one that the caller named. */
type IdentityKind = 'shared' | 'unique' | 'custom';

/** What a sink keeps of its identity. `writerIdentity` is absent where the sink writes to a bucket of its own container. */
export type Identity = { identityKind: IdentityKind; customIdentity?: string; writerIdentity?: string };

const SHARED = 'serviceAccount:cloud-logs@system.gserviceaccount.com';
const AGENTS = 'gcp-sa-logging.iam.gserviceaccount.com';
const CUSTOM = /^serviceAccount:[A-Za-z0-9._-]{1,64}@[A-Za-z0-9.-]{1,190}$/;
/** The vendor's words for the parents of service agents; a project's stands for itself. */
const AGENT_WORDS: Readonly<Record<string, string>> = {
  billingAccounts: 'billing-',
  folders: 'folder-',
  organizations: 'org-',
};

/**
 * Whom a sink writes as after a call. Once it has an identity of its own it cannot go back to the shared one, neither by
 * `uniqueWriterIdentity=false` nor by leaving that out (discovery document, sinks.update).
 * @param before what the sink kept; `{}` for a new one
 * @throws Refusal for that, and for a `customWriterIdentity` that is none or has nothing to do
 */
export function identityAfter(before: JsonObject, call: Call, container: string, destination: Destination): Identity {
  const { uniqueWriterIdentity, customWriterIdentity } = call.query;
  const kept = textOf(before['identityKind']);
  if (isText(customWriterIdentity) && customWriterIdentity !== '')
    return {
      identityKind: 'custom',
      customIdentity: custom(customWriterIdentity, container, destination),
      writerIdentity: customWriterIdentity,
    };
  if (kept === 'unique' && uniqueWriterIdentity !== true) {
    const why = 'The sink has a unique writer identity, which cannot be taken away: set uniqueWriterIdentity to true.';
    throw invalidField('uniqueWriterIdentity', why);
  }
  const identity = identityOf(
    uniqueWriterIdentity === true ? 'unique' : kept || 'shared',
    before,
    container,
    destination,
  );
  const key = destination.kind === 'webhook' ? (call.known?.webhookIdentity ?? webhookKeyIn(before)) : '';
  return key === '' ? identity : { ...identity, writerIdentity: key };
}

/** Sinks to web addresses write as the key that their posts are verified with (entries/webhook-key.ts). */
const webhookKeyIn = ({ writerIdentity }: JsonObject): string =>
  textOf(writerIdentity).startsWith('whpk_') ? textOf(writerIdentity) : '';

/** The identity that stands, for a sink whose destination may have changed without its identity being asked about. */
export function identityOf(kept: string, before: JsonObject, container: string, destination: Destination): Identity {
  if (destination.kind === 'bucket' && ownerOf(destination.bucket) === container)
    return { identityKind: kept === 'unique' ? 'unique' : 'shared' };
  const account = textOf(before['customIdentity']);
  if (kept === 'custom' && account !== '')
    return { identityKind: 'custom', customIdentity: account, writerIdentity: account };
  if (kept === 'unique') return { identityKind: 'unique', writerIdentity: agentOf(container) };
  return { identityKind: 'shared', writerIdentity: container.startsWith('projects/') ? SHARED : agentOf(container) };
}

/** The service agent of a container. */
export function agentOf(container: string): string {
  const [collection = '', id = ''] = container.split('/');
  const word = AGENT_WORDS[collection];
  if (word === undefined) return `serviceAccount:${logServiceAccount('service-', container)}`;
  return `serviceAccount:service-${word}${id.toLowerCase()}@${AGENTS}`;
}

function custom(account: string, container: string, destination: Destination): string {
  if (!CUSTOM.test(account))
    throw invalidField('customWriterIdentity', 'customWriterIdentity must be like serviceAccount:some@email.');
  if (destination.kind !== 'bucket' || ownerOf(destination.bucket) === container)
    throw invalidField('customWriterIdentity', 'customWriterIdentity is for sinks to a log bucket of another project.');
  return account;
}
