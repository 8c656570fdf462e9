import { BASE_SCOPE, CREDIT_SCOPE } from '../../authorization/oauth/scopes.ts';
import { MONITORS_PATH } from '../../authorization/oauth/resources.ts';
import { linkSchema } from '../../lib/json-schema.ts';
import { exampleMonitorBody } from '../../monitors/core/monitor-body.ts';
import { apiProblems } from '../../problems/codes.ts';
import { describeProblems } from '../../problems/problem.ts';
import { type ApiOperation, defineOperation } from '../operation.ts';

/** Where clients of monitors learn about tokens for them (RFC 9728). */
export const MONITORS_METADATA_PATH = `/.well-known/oauth-protected-resource${MONITORS_PATH}` as const;

const text = { type: 'string' } as const;
/** Longest id, cursor or entity tag that is read. */
const MAX_NAME_CHARS = 400;
const shortText = { type: 'string', maxLength: MAX_NAME_CHARS } as const;

/** Parameters that several of these operations share. */
export const monitorParameters = {
  MonitorId: { name: 'id', in: 'path', required: true, description: 'The id of the monitor', schema: shortText },
  Cursor: { name: 'cursor', in: 'query', description: '`next_cursor` of the page before', schema: shortText },
  Limit: {
    name: 'limit',
    in: 'query',
    description: 'Items of a page, 25 when absent',
    schema: { type: 'integer', minimum: 1, maximum: 100 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: true,
    description: 'The ETag that the change is for',
    schema: shortText,
  },
} as const;

const linkParameter = (name: keyof typeof monitorParameters) => ({ $ref: `#/components/parameters/${name}` });
const describePathId = (name: string) => ({
  name,
  in: 'path',
  required: true,
  description: `The id of the ${name}`,
  schema: shortText,
});

const describeRunQuery = (name: string) => ({
  name,
  in: 'query',
  required: true,
  description: 'The id of a run',
  schema: shortText,
});

const MONITOR = linkParameter('MonitorId');
const PAGED = [linkParameter('Cursor'), linkParameter('Limit')];

const REFUSALS: ReadonlySet<string> = new Set([
  'token_required',
  'insufficient_scope',
  'monitor_not_found',
  'not_found',
  'invalid_cursor',
  'rate_limited',
  'monitors_unavailable',
  'internal_error',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'invalid_body',
  'niche_names_brand',
  'idempotency_key_required',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'precondition_required',
  'precondition_failed',
  'limit_reached',
  'monitor_run_under_way',
  'loop_detected',
  'not_comparable',
  'not_configured',
  'engine_not_configured',
]);
/** What any of these operations refuses: one response, because the document is read whole. */
const refusals = describeProblems(
  Object.entries(apiProblems).flatMap(([code, row]) => (REFUSALS.has(code) ? [{ ...row, code }] : [])),
  () => 'default',
);

/** By a token of the account, or by the one of the monitor. */
const OWN = [{ oauth: [BASE_SCOPE] }, { monitor: [] }];
const ACCOUNT = [{ oauth: [BASE_SCOPE] }];
const SPENDING = [{ oauth: [BASE_SCOPE, CREDIT_SCOPE] }];
const OWN_SPENDING = [...SPENDING, { monitor: [] }];

type Description = {
  id: string;
  summary: string;
  description: string;
  security: readonly object[];
  parameters?: readonly object[];
  body?: object;
  /** Status and form of the good answer; 200 when absent. */
  answer: { status?: number; description: string; content?: object };
};

const describe = ({ id, summary, description, security, parameters = [], body, answer }: Description) => ({
  operationId: id,
  tags: ['monitors'],
  summary,
  description,
  security,
  ...(parameters.length === 0 ? {} : { parameters }),
  ...(body === undefined ? {} : { requestBody: { required: true, content: { 'application/json': body } } }),
  responses: {
    [answer.status ?? 200]: {
      description: answer.description,
      ...(answer.content === undefined ? {} : { content: answer.content }),
    },
    ...refusals,
  },
});

const defineRow = <const Route extends string>(
  method: ApiOperation['method'],
  path: string,
  route: Route,
  description: Description,
) =>
  defineOperation({
    method,
    path: `${MONITORS_PATH}${path}`,
    route: `${MONITORS_PATH}${route}` as const,
    description: describe(description),
  });

const describeJsonBody = (schema: object) => ({ 'application/json': { schema } });
const describeOne = (name: string, description: string, status?: number) => ({
  ...(status === undefined ? {} : { status }),
  description,
  content: describeJsonBody(linkSchema(name)),
});
const describeListed = (member: string, name: string) => ({
  description: 'A page, newest first',
  content: describeJsonBody({
    type: 'object',
    required: [member],
    properties: { [member]: { type: 'array', items: linkSchema(name) }, next_cursor: text },
  }),
});

/** Monitors: what an account, or the token of one monitor, may do. */
export const monitorOperations = {
  create: defineRow('POST', '', '', {
    id: 'create_monitor',
    summary: 'Watches a site or a brand from now on',
    description:
      'Each run is paid from the credits of the account. The first begins at once. Secrets of receivers are in this answer alone.',
    security: SPENDING,
    parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    body: { schema: linkSchema('CreateMonitorBody'), example: exampleMonitorBody },
    answer: describeOne('Monitor', 'Created', 201),
  }),
  list: defineRow('GET', '', '', {
    id: 'list_monitors',
    summary: 'The monitors of the account',
    description: 'Each with its last run.',
    security: ACCOUNT,
    parameters: PAGED,
    answer: describeListed('monitors', 'Monitor'),
  }),
  read: defineRow('GET', '/{id}', '/:id', {
    id: 'get_monitor',
    summary: 'One monitor',
    description: 'Its ETag is needed to change it.',
    security: OWN,
    parameters: [MONITOR],
    answer: describeOne('Monitor', 'The monitor'),
  }),
  change: defineRow('PATCH', '/{id}', '/:id', {
    id: 'change_monitor',
    summary: 'Changes a monitor',
    description: 'A member that is there replaces the old one whole.',
    security: SPENDING,
    parameters: [MONITOR, linkParameter('IfMatch')],
    body: { schema: linkSchema('ChangeMonitorBody'), example: { state: 'paused' } },
    answer: describeOne('Monitor', 'As it is now'),
  }),
  delete: defineRow('DELETE', '/{id}', '/:id', {
    id: 'delete_monitor',
    summary: 'Deletes a monitor with its runs and alerts',
    description: 'Its reports can be read until their 30 days are over.',
    security: OWN,
    parameters: [MONITOR],
    answer: { status: 204, description: 'Deleted' },
  }),
  pause: defineRow('POST', '/{id}/pause', '/:id/pause', {
    id: 'pause_monitor',
    summary: 'Pauses a monitor',
    description: 'A run that is under way ends.',
    security: OWN,
    parameters: [MONITOR],
    answer: describeOne('Monitor', 'Paused'),
  }),
  resume: defineRow('POST', '/{id}/resume', '/:id/resume', {
    id: 'resume_monitor',
    summary: 'Lets a paused monitor go on',
    description: 'Its next run is the next due time.',
    security: OWN_SPENDING,
    parameters: [MONITOR],
    answer: describeOne('Monitor', 'Active'),
  }),
  runNow: defineRow('POST', '/{id}/run', '/:id/run', {
    id: 'run_monitor',
    summary: 'Runs a monitor now, beside its schedule',
    description: 'Paid as every other run.',
    security: OWN_SPENDING,
    parameters: [MONITOR],
    answer: describeOne('MonitorRun', 'Under way', 202),
  }),
  token: defineRow('POST', '/{id}/token', '/:id/token', {
    id: 'issue_monitor_token',
    summary: 'A new token of a monitor; the one before it ends',
    description: 'It reads, pauses, resumes, runs and deletes this monitor and nothing else.',
    security: SPENDING,
    parameters: [MONITOR],
    answer: {
      description: 'The token, shown once',
      content: describeJsonBody({
        type: 'object',
        required: ['monitor_id', 'token'],
        properties: { monitor_id: text, token: text },
      }),
    },
  }),
  runs: defineRow('GET', '/{id}/runs', '/:id/runs', {
    id: 'list_monitor_runs',
    summary: 'The runs of a monitor',
    description: 'At most the last 400.',
    security: OWN,
    parameters: [MONITOR, ...PAGED],
    answer: describeListed('runs', 'MonitorRun'),
  }),
  readRun: defineRow('GET', '/{id}/runs/{run}', '/:id/runs/:run', {
    id: 'get_monitor_run',
    summary: 'One run',
    description: 'With the addresses of its reports.',
    security: OWN,
    parameters: [MONITOR, describePathId('run')],
    answer: describeOne('MonitorRun', 'The run'),
  }),
  alerts: defineRow('GET', '/{id}/alerts', '/:id/alerts', {
    id: 'list_monitor_alerts',
    summary: 'The alerts of a monitor',
    description: 'What changed, since when, with evidence before and after.',
    security: OWN,
    parameters: [MONITOR, ...PAGED],
    answer: describeListed('alerts', 'MonitorAlert'),
  }),
  readAlert: defineRow('GET', '/{id}/alerts/{alert}', '/:id/alerts/:alert', {
    id: 'get_monitor_alert',
    summary: 'One alert',
    description: 'With both reports that it compares.',
    security: OWN,
    parameters: [MONITOR, describePathId('alert')],
    answer: describeOne('MonitorAlert', 'The alert'),
  }),
  deliveries: defineRow('GET', '/{id}/deliveries', '/:id/deliveries', {
    id: 'list_monitor_deliveries',
    summary: 'What was sent to receivers, and what came of it',
    description: 'Dead ones can be sent again.',
    security: OWN,
    parameters: [MONITOR, ...PAGED],
    answer: describeListed('deliveries', 'MonitorDelivery'),
  }),
  history: defineRow('GET', '/{id}/history', '/:id/history', {
    id: 'get_monitor_history',
    summary: 'Scores or rates of a monitor over time',
    description: 'With intervals, and marks where rubric, model or questions changed.',
    security: OWN,
    parameters: [MONITOR],
    answer: { description: 'Series, and marks', content: describeJsonBody({ type: 'object' }) },
  }),
  historyFile: defineRow('GET', '/{id}/history.csv', '/:id/history.csv', {
    id: 'get_monitor_history_csv',
    summary: 'The same as a CSV file',
    description: 'A row for each point.',
    security: OWN,
    parameters: [MONITOR],
    answer: { description: 'The file', content: { 'text/csv': { schema: text } } },
  }),
  compare: defineRow('GET', '/{id}/compare', '/:id/compare', {
    id: 'compare_monitor_runs',
    summary: 'What changed between two runs',
    description: 'Text of the site is in `evidence`: untrusted data.',
    security: OWN,
    parameters: [MONITOR, describeRunQuery('from'), describeRunQuery('to')],
    answer: { description: 'The changes', content: describeJsonBody({ type: 'object' }) },
  }),
  replay: defineRow('POST', '/{id}/deliveries/{delivery}/replay', '/:id/deliveries/:delivery/replay', {
    id: 'replay_monitor_delivery',
    summary: 'Sends a delivery again',
    description: 'With the same `webhook-id`.',
    security: ACCOUNT,
    parameters: [MONITOR, describePathId('delivery')],
    answer: {
      status: 202,
      description: 'It will be sent',
      content: describeJsonBody({ type: 'object', properties: { id: text } }),
    },
  }),
  test: defineRow('POST', '/{id}/receivers/{receiver}/test', '/:id/receivers/:receiver/test', {
    id: 'test_monitor_receiver',
    summary: 'Sends a test message to a receiver',
    description: 'Once a minute.',
    security: ACCOUNT,
    parameters: [MONITOR, describePathId('receiver')],
    answer: describeOne('MonitorDelivery', 'It will be sent', 202),
  }),
  rotate: defineRow('POST', '/{id}/receivers/{receiver}/rotate', '/:id/receivers/:receiver/rotate', {
    id: 'rotate_monitor_receiver',
    summary: 'A new secret of a webhook, or a new address of a feed',
    description: 'The old one ends at once.',
    security: ACCOUNT,
    parameters: [MONITOR, describePathId('receiver')],
    answer: describeOne('MonitorReceiver', 'With its new secret, shown once'),
  }),
} as const;

/** The token of one monitor. */
export const monitorTokenScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'The token of one monitor, `smt_…`.',
} as const;
