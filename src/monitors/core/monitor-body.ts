import * as z from 'zod';
import { findable, url, urlBody, visibilityBody } from '../../capabilities/bodies.ts';
import { panelBody } from '../../capabilities/panel-bodies.ts';
import { isTimeZone, MAX_CRON_CHARS } from '../book/cron-fields.ts';
import { MAX_WATCHED_COMPETITORS } from './monitor.ts';
import { MAX_RECEIVERS } from './receiver.ts';
import { monitorRules } from './rules-body.ts';

/** Longest address of a receiver, in characters. */
const MAX_RECEIVER_URL_CHARS = 1024;
/** As RFC 5321 allows. */
const MAX_EMAIL_CHARS = 254;
const MAX_TIME_ZONE_CHARS = 64;
const LAST_DAY = 31;
const LAST_WEEKDAY = 6;

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
export const RECEIVER_ID = /^rcv_[0-9a-f]{16}$/;

const name = findable.meta({ description: 'Of the monitor, for people; what it watches when absent' });

const time_zone = z
  .string()
  .max(MAX_TIME_ZONE_CHARS)
  .refine(isTimeZone, { error: 'is no time zone of the IANA database, such as Europe/Berlin' })
  .optional()
  .meta({ description: 'IANA name; UTC when absent' });

const timeOfDay = z.string().regex(TIME_OF_DAY, { error: 'must be a time of day such as 07:30' });

/** `{ "kind": "site", "url": … }`: the options of `full_audit`. */
const siteSubject = z.strictObject({
  kind: z.literal('site'),
  ...urlBody.shape,
  competitors: z
    .array(url)
    .min(1)
    .max(MAX_WATCHED_COMPETITORS)
    .optional()
    .meta({ description: 'Sites audited in the same run, each at the price of an audit' }),
});

const brandSubjects = z.discriminatedUnion('capability', [
  z.strictObject({ kind: z.literal('brand'), capability: z.literal('visibility_check'), body: visibilityBody }),
  z.strictObject({
    kind: z.literal('brand'),
    capability: z.enum(['visibility_panel_2', 'visibility_panel_4']),
    body: panelBody,
  }),
]);

/** What is watched. */
export const monitorSubject = z.discriminatedUnion('kind', [siteSubject, brandSubjects]);

const WEEKLY_ALONE = 'goes with `every: weekly` only';
const MONTHLY_ALONE = 'goes with `every: monthly` only';

/** How often; one of `every` and `cron`. Whether cron fields come, and not too often, is judged by the schedule. */
export const monitorInterval = z
  .strictObject({
    every: z.enum(['daily', 'weekly', 'monthly']).optional(),
    at: timeOfDay.optional().meta({ description: 'Time of day; one of our choice when absent' }),
    weekday: z.int().min(0).max(LAST_WEEKDAY).optional().meta({ description: '0 is Sunday' }),
    day: z
      .int()
      .min(1)
      .max(LAST_DAY)
      .optional()
      .meta({ description: 'Of the month; its last one where the month is shorter' }),
    cron: z.string().trim().min(1).max(MAX_CRON_CHARS).optional().meta({
      description: 'Five cron fields instead of `every`, such as `30 6 * * 1-5`',
    }),
    time_zone,
  })
  .superRefine(({ every, cron, at, weekday, day }, context) => {
    const refuse = (path: string[], message: string): void =>
      context.addIssue({ code: 'custom', path, message, input: undefined });
    if (every === undefined && cron === undefined) refuse([], 'needs `every` or `cron`');
    if (every !== undefined && cron !== undefined) refuse(['cron'], 'does not go with `every`');
    if (at !== undefined && cron !== undefined) refuse(['at'], 'does not go with `cron`');
    if (weekday !== undefined && every !== 'weekly') refuse(['weekday'], WEEKLY_ALONE);
    if (day !== undefined && every !== 'monthly') refuse(['day'], MONTHLY_ALONE);
  });

const receiverUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .max(MAX_RECEIVER_URL_CHARS)
  .refine(hasNoSecretBeforeHost, { error: 'must not contain a user name or password' });

function hasNoSecretBeforeHost(text: string): boolean {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  return parsed === undefined || (parsed.username === '' && parsed.password === '');
}

const newReceivers = [
  z.strictObject({
    kind: z.enum(['webhook', 'slack', 'teams']).meta({ description: '`webhook`: signed by Standard Webhooks' }),
    url: receiverUrl,
  }),
  z.strictObject({
    kind: z.literal('email'),
    address: z.email({ error: 'must be one e-mail address' }).max(MAX_EMAIL_CHARS),
    language: z.enum(['en', 'de']).optional(),
  }),
  z.strictObject({ kind: z.literal('feed') }),
] as const;

/** Where alerts go. */
export const newReceiver = z.discriminatedUnion('kind', newReceivers);

const keptReceiver = z.strictObject({
  id: z.string().regex(RECEIVER_ID, { error: 'must be the id of a receiver of this monitor' }),
});

const changedReceiver = z.union([keptReceiver, newReceiver]);

const quietHours = z.strictObject({
  from: timeOfDay,
  to: timeOfDay.meta({ description: 'May be on the next day' }),
  time_zone,
});

const quiet_hours = quietHours.nullable().optional().meta({
  description: 'What is not critical waits until they end',
});

/** The body of `POST /api/monitors`. */
export const createMonitorBody = z.strictObject({
  name: name.optional(),
  subject: monitorSubject,
  interval: monitorInterval,
  rules: monitorRules.optional(),
  receivers: z.array(newReceiver).max(MAX_RECEIVERS).optional(),
  quiet_hours,
  payment: z
    .enum(['credits', 'operator'])
    .optional()
    .meta({ description: '`operator`: free, for operators, on hosts that the deployment names' }),
});

/** The body of `PATCH /api/monitors/{id}`: a member that is there replaces the old one whole. */
export const changeMonitorBody = z
  .strictObject({
    name: name.optional(),
    subject: monitorSubject.optional(),
    interval: monitorInterval.optional(),
    rules: monitorRules.optional(),
    receivers: z
      .array(changedReceiver)
      .max(MAX_RECEIVERS)
      .optional()
      .meta({ description: 'All of them: those that stay by their id' }),
    quiet_hours,
    state: z.enum(['active', 'paused']).optional(),
  })
  .refine((body) => Object.values(body).some((member) => member !== undefined), { error: 'changes nothing' });

export type CreateMonitorBody = z.infer<typeof createMonitorBody>;
export type ChangeMonitorBody = z.infer<typeof changeMonitorBody>;

/** A body that creates a monitor: shown in OpenAPI and in the docs. */
export const exampleMonitorBody = {
  subject: { kind: 'site', url: 'https://example.com/' },
  interval: { every: 'weekly', at: '07:00', time_zone: 'Europe/Berlin' },
  receivers: [{ kind: 'webhook', url: 'https://hooks.example.com/sightline' }, { kind: 'feed' }],
} as const;
