import { linkSchema } from '../lib/json-schema.ts';

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const link = { type: 'string', format: 'uri' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const open = { type: 'object', additionalProperties: true } as const;
const describeList = (items: object) => ({ type: 'array', items });
const describeMap = (values: object) => ({ type: 'object', additionalProperties: values });
const reportId = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const;
const publishToken = {
  type: 'string',
  maxLength: 64,
  description: 'From the answer to the purchase of the report',
} as const;
const changeLists = ['new_passes', 'new_partials', 'new_failures', 'not_judged_any_more', 'changed_by_rubric'] as const;

/** Schemas of stored results, of what they were made from, and of published ones. */
export const reportSchemas = {
  StoredReport: {
    ...open,
    description:
      'The result of its capability, such as `FullAuditResult`, without the members `payment`, `receipt` and `publish_token`.',
    required: ['capability', 'report_id', 'warnings'],
    properties: {
      capability: text,
      url: text,
      report_id: text,
      warnings: describeList(text),
      statement: linkSchema('Signed'),
    },
  },
  SarifLog: {
    ...open,
    description: 'SARIF 2.1.0, for code scanning.',
    required: ['version', 'runs'],
    properties: { version: { const: '2.1.0' }, runs: describeList(open) },
  },
  Recording: {
    type: 'object',
    description: 'One snapshot of each site: its requests and their answers.',
    required: ['version', 'capability', 'input', 'rubric', 'snapshots'],
    properties: {
      version: { const: 1 },
      capability: text,
      input: open,
      rubric: linkSchema('Rubric'),
      snapshots: describeList(open),
    },
  },
  RunRecording: {
    type: 'object',
    description: 'The prompts of a run and their answers.',
    required: ['version', 'capability', 'input', 'run'],
    properties: {
      version: { const: 1 },
      capability: { type: 'string', enum: ['visibility_check', 'visibility_vs_competitor'] },
      input: {
        type: 'object',
        required: ['brand', 'niche'],
        properties: { brand: text, niche: text, competitor_brand: text },
      },
      run: { ...open, description: 'Prompt set, engine, times, and each answer with its hash' },
    },
  },
  PublishBody: { type: 'object', required: ['publish_token'], properties: { publish_token: publishToken } },
  UnpublishBody: {
    type: 'object',
    required: ['publish_token'],
    properties: {
      publish_token: publishToken,
      host: {
        type: 'string',
        maxLength: 300,
        description: 'Host of the report, where the report itself can no longer be read',
      },
    },
  },
  Publication: {
    type: 'object',
    required: ['report_id', 'published'],
    properties: { report_id: reportId, published: flag, host: text, badge: link, history: link },
  },
  History: {
    type: 'object',
    required: ['host', 'url', 'page', 'entries', 'changes'],
    properties: {
      host: text,
      url: link,
      page: link,
      entries: describeList(linkSchema('HistoryEntry')),
      next_cursor: { type: 'string', description: 'Absent on the last page' },
      changes: { oneOf: [linkSchema('HistoryChanges'), { type: 'null' }] },
    },
  },
  HistoryEntry: {
    type: 'object',
    required: ['report_id', 'at', 'capability', 'scores', 'rubric', 'profile', 'statuses'],
    properties: {
      report_id: reportId,
      at: time,
      report: { ...link, description: 'Absent where the report has expired' },
      capability: text,
      scores: describeMap(linkSchema('PublishedScore')),
      rubric: text,
      profile: text,
      statuses: { ...describeMap(text), description: 'By check id' },
    },
  },
  PublishedScore: {
    ...open,
    required: ['score'],
    properties: { score: integer, grade: text, coverage: { type: 'number' }, applies: { const: false } },
  },
  HistoryChanges: {
    type: 'object',
    description: 'What changed between two reports.',
    required: ['from', 'to', 'points', 'same_rubric', 'same_profile', ...changeLists],
    properties: {
      from: reportId,
      to: reportId,
      points: linkSchema('Points'),
      same_rubric: flag,
      rubrics: { type: 'object', properties: { from: text, to: text } },
      same_profile: flag,
      ...Object.fromEntries(changeLists.map((name) => [name, describeList(linkSchema('CheckChange'))])),
    },
  },
  CheckChange: {
    type: 'object',
    required: ['id'],
    properties: { id: text, from: text, to: text, why: text },
  },
} as const;
