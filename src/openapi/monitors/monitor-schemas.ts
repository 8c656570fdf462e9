import { buildJsonSchema } from '../../capabilities/capability.ts';
import { type JsonSchema, linkSchema } from '../../lib/json-schema.ts';
import { MAX_RECEIVERS } from '../../monitors/core/receiver.ts';
import {
  changeMonitorBody,
  createMonitorBody,
  monitorInterval,
  monitorSubject,
  newReceiver,
} from '../../monitors/core/monitor-body.ts';
import { monitorRules } from '../../monitors/core/rules-body.ts';

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
/** ISO 8601. */
const time = text;
const defineNullable = (type: string) => ({ type: [type, 'null'] }) as const;
const moment = defineNullable('string');
const list = (items: object) => ({ type: 'array', items }) as const;
const object = { type: 'object' } as const;

/** A schema with what other schemas of the document describe left to them. */
const linkMembers = (schema: JsonSchema, links: Readonly<Record<string, object>>): JsonSchema => ({
  ...schema,
  properties: { ...Object(schema['properties']), ...links },
});

const receivers = { ...list(linkSchema('NewReceiver')), maxItems: MAX_RECEIVERS };
const shared = {
  subject: linkSchema('MonitorSubject'),
  interval: linkSchema('MonitorInterval'),
  rules: linkSchema('MonitorRules'),
};

/** Subjects: the bodies of measurements are those of their own operations. */
function describeSubject(): JsonSchema {
  const { oneOf } = buildJsonSchema(monitorSubject, 'input') as { oneOf: readonly JsonSchema[] };
  const [site = {}] = oneOf;
  const { url, profile, max_pages: maxPages, competitors } = Object(site['properties']) as Record<string, JsonSchema>;
  const describeBrand = (capability: object, body: string) => ({
    ...object,
    required: ['kind', 'capability', 'body'],
    properties: { kind: { const: 'brand' }, capability, body: linkSchema(body) },
  });
  return {
    oneOf: [
      {
        ...object,
        required: ['kind', 'url'],
        properties: {
          kind: { const: 'site' },
          url: { type: 'string', description: url?.['description'] },
          profile: { type: 'string', enum: profile?.['enum'] },
          max_pages: { ...integer, description: maxPages?.['description'] },
          competitors: {
            ...list(text),
            maxItems: competitors?.['maxItems'],
            description: competitors?.['description'],
          },
        },
      },
      describeBrand({ const: 'visibility_check' }, 'VisibilityCheckBody'),
      describeBrand({ enum: ['visibility_panel_2', 'visibility_panel_4'] }, 'PanelBody'),
    ],
  };
}

/** Schemas of monitors. Answers may gain members. */
export const monitorSchemas: Readonly<Record<string, JsonSchema>> = {
  MonitorSubject: describeSubject(),
  MonitorInterval: buildJsonSchema(monitorInterval, 'input'),
  MonitorRules: buildJsonSchema(monitorRules, 'input'),
  NewReceiver: buildJsonSchema(newReceiver, 'input'),
  CreateMonitorBody: linkMembers(buildJsonSchema(createMonitorBody, 'input'), { ...shared, receivers }),
  ChangeMonitorBody: linkMembers(buildJsonSchema(changeMonitorBody, 'input'), {
    ...shared,
    receivers: {
      maxItems: MAX_RECEIVERS,
      ...list({ anyOf: [{ ...object, properties: { id: text } }, linkSchema('NewReceiver')] }),
      description: 'All of them: those that stay by their id',
    },
  }),
  MonitorReceiver: {
    ...object,
    required: ['id', 'kind'],
    properties: {
      id: text,
      kind: text,
      url: { ...text, description: 'Masked' },
      address: { ...text, description: 'Masked' },
      confirmed: { type: 'boolean', description: 'Whether the link in the first mail was pressed' },
      feed_url: { ...text, description: 'Whole when it was just made, else masked' },
      secret: { ...text, description: 'Of Standard Webhooks; only when it was just made' },
      disabled: { const: true },
    },
  },
  Monitor: {
    ...object,
    required: ['id', 'name', 'subject', 'interval', 'receivers', 'state', 'revision', 'price_usd'],
    properties: {
      id: text,
      name: text,
      ...shared,
      receivers: list(linkSchema('MonitorReceiver')),
      quiet_hours: defineNullable('object'),
      payment: text,
      state: { enum: ['active', 'paused'] },
      paused_because: defineNullable('string'),
      revision: integer,
      created_at: time,
      changed_at: time,
      next_run_at: moment,
      price_usd: { ...text, description: 'Of one run' },
      last_run: { anyOf: [linkSchema('MonitorRun'), { type: 'null' }] },
      alerts: integer,
      links: object,
    },
  },
  MonitorRun: {
    ...object,
    required: ['id', 'monitor_id', 'due_at', 'cause', 'state', 'parts', 'alerts'],
    properties: {
      id: text,
      monitor_id: text,
      due_at: time,
      cause: { enum: ['first', 'schedule', 'manual'] },
      state: { enum: ['reserved', 'stored', 'failed'] },
      started_at: moment,
      ended_at: moment,
      late_s: integer,
      missed: { ...integer, description: 'Due times before it that had no run' },
      reason: defineNullable('string'),
      parts: list({
        ...object,
        properties: {
          role: text,
          url: text,
          capability: text,
          report_id: text,
          report_url: text,
          snapshot_url: text,
          price_usd: text,
        },
      }),
      summary: { ...defineNullable('object'), description: 'Scores or rates' },
      alerts: integer,
      price_usd: text,
    },
  },
  MonitorAlert: {
    ...object,
    required: ['id', 'monitor_id', 'kind', 'severity', 'title', 'at', 'changes'],
    properties: {
      id: text,
      monitor_id: text,
      run_id: defineNullable('string'),
      kind: text,
      severity: { enum: ['info', 'warning', 'critical'] },
      title: text,
      at: time,
      since: { ...defineNullable('object'), description: 'The run that it is compared with' },
      report_id: text,
      report_url: text,
      changes: list({
        ...object,
        properties: {
          id: text,
          title: text,
          before: defineNullable('object'),
          after: defineNullable('object'),
          is_worse: { type: 'boolean' },
        },
      }),
      evidence: { ...object, description: 'What the site said, before and after: untrusted data' },
    },
  },
  MonitorDelivery: {
    ...object,
    required: ['id', 'receiver_id', 'kind', 'state', 'tries'],
    properties: {
      id: text,
      receiver_id: text,
      kind: text,
      alert_ids: list(text),
      state: { enum: ['waiting', 'delivered', 'dead'] },
      tries: integer,
      created_at: time,
      next_at: moment,
      delivered_at: moment,
      last_outcome: defineNullable('string'),
    },
  },
};
