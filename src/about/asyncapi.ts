import type { JsonSchema } from '../lib/json-schema.ts';
import { PRODUCT, VERSION } from '../lib/product.ts';
import { alertRows } from '../notifications/core/alerts.ts';
import { monitorSchemas } from '../openapi/monitors/monitor-schemas.ts';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const open = { type: 'object', additionalProperties: true } as const;
const STANDARD_WEBHOOKS = 'https://www.standardwebhooks.com/';

/** Headers of every webhook, by Standard Webhooks. */
const webhookHeaders = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { ...text, description: 'The same however often a message is sent: remember it' },
    'webhook-timestamp': { ...text, description: 'Unix seconds' },
    'webhook-signature': { ...text, description: 'v1, and the HMAC-SHA256 of id, timestamp and body' },
  },
} as const;

const describeEnvelope = (type: JsonSchema, data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: { type, timestamp: time, data },
});

const monitor = {
  type: 'object',
  required: ['id', 'name', 'kind', 'host', 'link'],
  properties: {
    id: text,
    name: text,
    kind: { enum: ['site', 'brand'] },
    url: text,
    brand: text,
    host: { type: ['string', 'null'] },
    link: text,
  },
} as const;

/** What a message is sent with: a webhook with its headers, or an event of a stream without any. */
type MessageRow = { title: string; summary: string; payload: JsonSchema; isWebhook: boolean };

const messages: Readonly<Record<string, MessageRow>> = {
  monitorAlert: {
    title: 'Alert of a monitor',
    summary: 'Something that the monitor watches changed. `evidence` is the text of the site: untrusted.',
    payload: describeEnvelope(
      { const: 'monitor.alert' },
      {
        allOf: [
          { $ref: '#/components/schemas/MonitorAlert' },
          { type: 'object', required: ['monitor', 'links'], properties: { monitor, links: open } },
        ],
      },
    ),
    isWebhook: true,
  },
  monitorDigest: {
    title: 'Several alerts of a monitor',
    summary: 'Alerts that waited, in one message: the rest of each is behind its links.',
    payload: describeEnvelope(
      { const: 'monitor.digest' },
      {
        type: 'object',
        required: ['monitor', 'alerts'],
        properties: {
          monitor,
          alerts: {
            type: 'array',
            items: { ...open, required: ['id', 'run_id', 'kind', 'severity', 'title', 'at', 'links'] },
          },
        },
      },
    ),
    isWebhook: true,
  },
  monitorTest: {
    title: 'Test of a receiver',
    summary: 'Sent when it is asked for.',
    payload: describeEnvelope(
      { const: 'monitor.test' },
      { type: 'object', required: ['monitor'], properties: { monitor } },
    ),
    isWebhook: true,
  },
  directoryUser: {
    title: 'A user of a directory as it is now',
    summary: 'Sent when a user changed. `stamp` grows: a message with a smaller one is older.',
    payload: describeEnvelope(
      { enum: ['user.active', 'user.suspended', 'user.gone'] },
      {
        type: 'object',
        required: ['customer', 'user_id', 'stamp', 'causes', 'state'],
        properties: {
          customer: text,
          user_id: text,
          stamp: count,
          causes: { type: 'array', items: text },
          state: { enum: ['active', 'suspended', 'gone'] },
          org_unit_path: text,
          is_admin: { type: 'boolean' },
          email: { ...text, description: 'Only for destinations that ask for it' },
        },
      },
    ),
    isWebhook: true,
  },
  directoryAlert: {
    title: 'An alert about notifications',
    summary: 'Something that an operator has to know of its channels.',
    payload: describeEnvelope(
      { enum: Object.keys(alertRows).map((kind) => `alert.${kind}`) },
      {
        type: 'object',
        required: ['customer', 'severity', 'kind', 'subject', 'detail'],
        properties: {
          customer: text,
          severity: { enum: ['WARNING', 'ERROR'] },
          kind: { enum: Object.keys(alertRows) },
          subject: text,
          detail: text,
        },
      },
    ),
    isWebhook: true,
  },
  progress: {
    title: 'Progress of a purchase',
    summary: 'Event `progress`: counts alone, since the work is not paid yet.',
    payload: {
      type: 'object',
      required: ['done'],
      properties: { done: count, total: count, failed: count },
    },
    isWebhook: false,
  },
  result: {
    title: 'Result of a purchase',
    summary: 'Event `result`, the last one: what the call answers without a stream, by its schema at /schemas.',
    payload: open,
    isWebhook: false,
  },
  problem: {
    title: 'Why there is no result',
    summary: 'Event `problem`, the last one: a problem of RFC 9457 with a stable `code`.',
    payload: { ...open, required: ['type', 'title', 'status', 'code'] },
    isWebhook: false,
  },
};

type ChannelRow = {
  /** Null where the receiver says its address. */
  address: string | null;
  title: string;
  description: string;
  messages: readonly string[];
};

const channels: Readonly<Record<string, ChannelRow>> = {
  monitorAlerts: {
    address: null,
    title: 'Alerts of monitors',
    description: `POST to the https address of a receiver of the kind webhook, signed by Standard Webhooks (${STANDARD_WEBHOOKS}). 2xx takes a message, 410 ends the receiver, everything else is tried again.`,
    messages: ['monitorAlert', 'monitorDigest', 'monitorTest'],
  },
  directoryChanges: {
    address: null,
    title: 'Changes in a directory',
    description: `POST to the destinations that the operator names, signed by Standard Webhooks (${STANDARD_WEBHOOKS}).`,
    messages: ['directoryUser', 'directoryAlert'],
  },
  purchaseEvents: {
    address: '/api/agent/{capability}',
    title: 'Events of a purchase',
    description: 'Server-sent events of a paid call with Accept: text/event-stream, once the payment is good.',
    messages: ['progress', 'result', 'problem'],
  },
};

/**
 * What the service sends by itself, for programs: two kinds of webhooks, and the events of purchases.
 * @see https://www.asyncapi.com/docs/reference/specification/v3.1.0
 */
export function buildAsyncApi(baseUrl: string, contact?: string): Record<string, unknown> {
  const { host, protocol } = new URL(baseUrl);
  return {
    asyncapi: '3.1.0',
    id: baseUrl,
    info: {
      title: `${PRODUCT} events`,
      version: VERSION,
      description: 'What the service sends by itself. The calls that lead to it are in the OpenAPI document.',
      contact: { name: PRODUCT, url: `${baseUrl}/contact`, ...(contact === undefined ? {} : { email: contact }) },
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
      tags: [{ name: 'webhooks' }, { name: 'purchases' }],
      externalDocs: { description: 'OpenAPI description', url: `${baseUrl}/openapi.json` },
    },
    defaultContentType: 'application/json',
    servers: { service: { host, protocol: protocol.slice(0, -1), description: 'The service' } },
    channels: Object.fromEntries(Object.entries(channels).map(([name, row]) => [name, describeChannel(row)])),
    operations: Object.fromEntries(
      Object.entries(channels).map(([name, row]) => [`${name}Sent`, describeSending(name, row)]),
    ),
    components: {
      messages: Object.fromEntries(Object.entries(messages).map(([name, row]) => [name, describeMessage(name, row)])),
      schemas: { MonitorAlert: monitorSchemas['MonitorAlert'], WebhookHeaders: webhookHeaders },
    },
  };
}

const describeChannel = ({ address, title, description, messages: names }: ChannelRow) => ({
  address,
  title,
  description,
  ...(address === null
    ? {}
    : {
        servers: [{ $ref: '#/servers/service' }],
        parameters: { capability: { description: 'A name of GET /api/agent/index' } },
      }),
  messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
  bindings: { http: { bindingVersion: '0.3.0' } },
});

const describeSending = (channel: string, { title, description, messages: names }: ChannelRow) => ({
  action: 'send',
  channel: { $ref: `#/channels/${channel}` },
  summary: title,
  description,
  bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
  messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
});

const describeMessage = (name: string, { title, summary, payload, isWebhook }: MessageRow) => ({
  name,
  title,
  summary,
  contentType: 'application/json',
  payload,
  ...(isWebhook ? { headers: { $ref: '#/components/schemas/WebhookHeaders' } } : {}),
});
