import { classifyHost, withoutTrailingDot } from '../../../../net/address.ts';
import type { AddressPolicy } from '../../../../net/address-policy.ts';
import { parseTargetUrl } from '../../../../net/canonical-url.ts';
import { truncateSentText, refuseViolation } from '../../../core/conventions/invalid.ts';
import type { SinkTarget } from '../../../log-store/order.ts';
import { findWebhookProblem } from '../../../log-store/delivery/webhook-address.ts';
import type { ChannelRules } from '../../../watch/channel-order.ts';

/** What a destination names. `elsewhere` is the vendor's own: kept as it is, and nothing is delivered there. */
export type SinkDestination = SinkTarget | { kind: 'elsewhere'; service: 'bigquery' | 'pubsub' };

const MAX_DESTINATION_CHARS = 2_048;
const BUCKET =
  /^logging\.googleapis\.com\/((?:projects|folders|organizations|billingAccounts)\/[A-Za-z0-9][A-Za-z0-9._:~-]*\/locations\/[a-z0-9-]+\/buckets\/[A-Za-z0-9_][A-Za-z0-9_.-]*)$/;
const PROJECT = /^logging\.googleapis\.com\/(projects\/[A-Za-z0-9][A-Za-z0-9._:~-]*)$/;
const STORAGE = /^storage\.googleapis\.com\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])$/;
const DATASET = /^bigquery\.googleapis\.com\/projects\/[A-Za-z0-9][A-Za-z0-9._:~-]*\/datasets\/[A-Za-z0-9_]+$/;
const TOPIC = /^pubsub\.googleapis\.com\/projects\/[A-Za-z0-9][A-Za-z0-9._:~-]*\/topics\/[A-Za-z][A-Za-z0-9._~+%-]*$/;

/**
 * Reads the destination of a sink: the vendor's five forms, and `https://...`, which is ours.
 * @param policy says which web addresses may be named (rule F5)
 * @returns what it names, or why it is none
 */
export function parseSinkDestination(
  text: string,
  policy: AddressPolicy,
): SinkDestination | { kind: 'none'; why: string } {
  if (/^https?:/i.test(text)) return parseWebhook(text, policy);
  if (text.length > MAX_DESTINATION_CHARS) return { kind: 'none', why: 'it is too long' };
  const [, bucket] = BUCKET.exec(text) ?? [];
  if (bucket !== undefined) return { kind: 'bucket', bucket };
  const [, container] = PROJECT.exec(text) ?? [];
  if (container !== undefined) return { kind: 'container', container };
  const [, storage] = STORAGE.exec(text) ?? [];
  if (storage !== undefined) return { kind: 'storage', bucket: storage };
  if (DATASET.test(text)) return { kind: 'elsewhere', service: 'bigquery' };
  if (TOPIC.test(text)) return { kind: 'elsewhere', service: 'pubsub' };
  return { kind: 'none', why: 'it is none of the forms of a destination' };
}

/** The same for what a caller sent. @throws Refusal for what is no destination, and for an address of our own */
export function requireDestination(text: string, { policy, settings }: ChannelRules): SinkDestination {
  const destination = parseSinkDestination(text, policy);
  const isLoop = destination.kind === 'webhook' && isOwn(destination.url, settings.ownOrigins);
  if (destination.kind !== 'none' && !isLoop) return destination;
  const why = destination.kind === 'none' ? destination.why : 'it is one of this service';
  throw refuseViolation('destination', `Invalid destination ${JSON.stringify(truncateSentText(text))}: ${why}.`);
}

/** Posts to our own Workers would be logged, and so posted again. On a machine of its own a stack has only its ports. */
function isOwn(text: string, origins: readonly string[]): boolean {
  const { hostname, host } = new URL(text);
  const isLocal = classifyHost(hostname).kind === 'loopback';
  return origins.some((origin) => {
    const own = new URL(origin);
    return isLocal ? own.host === host : withoutTrailingDot(hostname) === own.hostname;
  });
}

/** The project that a destination names itself, not something of it. */
export const extractDestinationProject = (destination: string): string | undefined => PROJECT.exec(destination)?.[1];

function parseWebhook(text: string, policy: AddressPolicy): SinkDestination | { kind: 'none'; why: string } {
  const why = findWebhookProblem(text);
  if (why !== undefined) return { kind: 'none', why };
  const parsed = parseTargetUrl(text, policy);
  return parsed.ok ? { kind: 'webhook', url: parsed.url.href } : { kind: 'none', why: parsed.detail };
}
