import { PRODUCT } from '../../lib/product.ts';
import type * as z from 'zod';
import { normaliseResource, getIssuer } from '../../authorization/oauth/resources.ts';
import type { ServiceScope } from '../../authorization/oauth/scopes.ts';
import type { WebhookSettings } from '../core/settings.ts';
import type { ProblemCode } from './problems-data.ts';
import {
  channelPage,
  channelsQuery,
  channelView,
  checkupSchema,
  messagePage,
  messagesQuery,
  newChannel,
  nothing,
  probeSchema,
  probeStateSchema,
  replayed,
  replayOrder,
  inboxStatusSchema,
  statusQuery,
} from './shapes.ts';

export const READ_SCOPE = 'channels:read' as const satisfies ServiceScope;
export const WRITE_SCOPE = 'channels:write' as const satisfies ServiceScope;
export const OPERATOR_SCOPE = 'operator' as const satisfies ServiceScope;

/** What this resource says of itself to clients in search of a token (RFC 9728, section 2). */
export function buildResourceMetadata({ BASE_URL, WEBHOOK_URL }: WebhookSettings): Record<string, unknown> {
  return {
    resource: normaliseResource(WEBHOOK_URL),
    authorization_servers: [getIssuer(BASE_URL)],
    scopes_supported: [READ_SCOPE, WRITE_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: `${PRODUCT} notification channels`,
  };
}

/** 201: with the address of what was made in `Location`. */
type Answer = { status: 200 | 201; schema: z.ZodType; text: string };

type Row = {
  method: 'GET' | 'POST';
  /** `{id}`: a channel's id, or that of its watch. */
  path: string;
  scope: string;
  tag: 'channels' | 'messages' | 'deployment';
  summary: string;
  description: string;
  /** Of the query with GET, of the body with POST. */
  input: z.ZodType;
  answer: Answer;
  /** What it may refuse, besides what any operation may. */
  problems: readonly ProblemCode[];
};

/** The operator's interface (rule W7): what is served, and what its OpenAPI document is made from. */
export const operations = {
  listChannels: {
    method: 'GET',
    path: '/channels',
    scope: READ_SCOPE,
    tag: 'channels',
    summary: 'Channels, the newest first',
    description: 'Of every customer, unless the query names one or the token is for one.',
    input: channelsQuery,
    answer: { status: 200, schema: channelPage, text: 'A page of channels' },
    problems: ['invalid_query'],
  },
  createChannel: {
    method: 'POST',
    path: '/channels',
    scope: WRITE_SCOPE,
    tag: 'channels',
    summary: 'Watches the users of a customer or of a domain',
    description: 'The watch goes on until it is stopped: its channels are renewed in time.',
    input: newChannel,
    answer: {
      status: 201,
      schema: channelView,
      text: 'The first channel: active; pending, or failed with `next_try_at`, where the directory did not answer or refused our credentials, and is asked again',
    },
    problems: ['invalid_body', 'whole_customer_only', 'already_watched', 'limit_reached', 'watch_refused'],
  },
  getChannel: {
    method: 'GET',
    path: '/channels/{id}',
    scope: READ_SCOPE,
    tag: 'channels',
    summary: 'One channel, or the newest one of a watch',
    description: 'By the id of either.',
    input: nothing,
    answer: { status: 200, schema: channelView, text: 'The channel' },
    problems: ['invalid_query'],
  },
  renewChannel: {
    method: 'POST',
    path: '/channels/{id}:renew',
    scope: WRITE_SCOPE,
    tag: 'channels',
    summary: 'Opens the successor of a channel now',
    description: 'The old channel is stopped once the new one is open.',
    input: nothing,
    answer: { status: 200, schema: channelView, text: 'The channel that was opened, or the one it is to follow' },
    problems: ['invalid_body', 'not_open'],
  },
  stopChannel: {
    method: 'POST',
    path: '/channels/{id}:stop',
    scope: WRITE_SCOPE,
    tag: 'channels',
    summary: 'Ends a watch',
    description: 'All its channels are stopped.',
    input: nothing,
    answer: { status: 200, schema: channelView, text: 'The channel, which the vendor is being asked to stop' },
    problems: ['invalid_body', 'not_open'],
  },
  listMessages: {
    method: 'GET',
    path: '/messages',
    scope: READ_SCOPE,
    tag: 'messages',
    summary: 'Messages of a customer, the newest first',
    description: 'With what became of each.',
    input: messagesQuery,
    answer: { status: 200, schema: messagePage, text: 'A page of messages' },
    problems: ['invalid_query'],
  },
  replayMessages: {
    method: 'POST',
    path: '/messages:replay',
    scope: WRITE_SCOPE,
    tag: 'messages',
    summary: 'Works dead messages again',
    description: 'Those that are not dead are left alone, so a second call changes nothing.',
    input: replayOrder,
    answer: { status: 200, schema: replayed, text: 'How many are worked again' },
    problems: ['invalid_body'],
  },
  getStatus: {
    method: 'GET',
    path: '/status',
    scope: READ_SCOPE,
    tag: 'messages',
    summary: 'What waits, what is dead, and what is wrong, for a customer',
    description: 'Alerts stay until their cause is gone.',
    input: statusQuery,
    answer: { status: 200, schema: inboxStatusSchema, text: 'The state of the inbox' },
    problems: ['invalid_query'],
  },
  getCheckup: {
    method: 'GET',
    path: '/checkup',
    scope: OPERATOR_SCOPE,
    tag: 'deployment',
    summary: 'What a check of this deployment cannot see from outside',
    description:
      'Settings that are unsafe, leads of channels, what waits and what is dead. Only with a token for every customer.',
    input: nothing,
    answer: { status: 200, schema: checkupSchema, text: 'The state of this Worker' },
    problems: ['invalid_query'],
  },
  createProbe: {
    method: 'POST',
    path: '/probes',
    scope: OPERATOR_SCOPE,
    tag: 'deployment',
    summary: 'A notification that the caller can send to itself',
    description:
      'To see that one is taken and worked. It is good for five minutes, and no directory and no receiver hears of it. Only with a token for every customer.',
    input: nothing,
    answer: { status: 201, schema: probeSchema, text: 'Address, headers and body of the notification' },
    problems: ['invalid_body'],
  },
  getProbe: {
    method: 'GET',
    path: '/probes/{id}',
    scope: OPERATOR_SCOPE,
    tag: 'deployment',
    summary: 'What became of a probe',
    description: 'Only with a token for every customer.',
    input: nothing,
    answer: { status: 200, schema: probeStateSchema, text: 'The state of its notification' },
    problems: ['invalid_query'],
  },
} as const satisfies Record<string, Row>;

export type OperationId = keyof typeof operations;
export type Operation = Row;

/** What an operation is given, parsed. */
export type InputOf<Id extends OperationId> = z.output<(typeof operations)[Id]['input']>;

/** A row for the path of a request, and the id in it. */
export type Matched = { operation: OperationId; method: Row['method']; id: string };

const ids = Object.keys(operations) as OperationId[]; // The table has no other keys.
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const PLACE = '{id}';

/** Operations of a path, one for each method. */
export const findOperations = (path: string): readonly Matched[] =>
  ids.flatMap((operation) => {
    const row: Row = operations[operation];
    const id = matchPathId(path, row.path);
    return id === undefined ? [] : [{ operation, method: row.method, id }];
  });

/** The id in a path of this form, '' where the form has none; undefined for another path. */
function matchPathId(path: string, form: string): string | undefined {
  const at = form.indexOf(PLACE);
  if (at === -1) return path === form ? '' : undefined;
  const after = form.slice(at + PLACE.length);
  if (!path.startsWith(form.slice(0, at)) || !path.endsWith(after)) return undefined;
  const id = path.slice(at, path.length - after.length);
  return ID.test(id) ? id : undefined;
}
