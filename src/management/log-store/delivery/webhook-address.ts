import { classifyHost } from '../../../net/address.ts';

/** Webhook sinks of one tenant that may name the same host (rule F5), counted by the code that creates a sink. */
export const MAX_SINKS_PER_HOST = 5;
const MAX_URL_CHARS = 2_048;

/**
 * Why a sink may not send to this address; undefined when it may. A webhook is `https://host/path`: public, without
 * credentials and fragment. Http and this machine pass where they go together: only a stack that runs on it sends there.
 */
export function findWebhookProblem(text: string): string | undefined {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text)) return 'it is no URL of at most 2,048 characters';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'it has credentials';
  if (url.hash !== '') return 'it has a fragment';
  const { kind } = classifyHost(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && kind === 'loopback')) return 'it is not https';
  return kind === 'public' || kind === 'loopback' ? undefined : 'its host is not public';
}

/** The host that the limit counts by. Undefined for what is no webhook. */
export const findWebhookHost = (text: string): string | undefined =>
  findWebhookProblem(text) === undefined ? new URL(text).hostname : undefined;
