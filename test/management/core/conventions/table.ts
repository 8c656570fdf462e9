import type { MethodRow, Parameter, Schemas } from '../../../../src/management/core/table/method-row.ts';
import type { JudgementOutcome } from '../../../../src/management/core/conventions/outcome.ts';

/** A small table with every kind of field: what the conventions promise does not hang on the vendor's own table. */
export const schemas: Schemas = {
  User: {
    id: { type: 'string', readOnly: true },
    primaryEmail: { type: 'string' },
    suspended: { type: 'boolean' },
    name: { type: 'object', ref: 'UserName' },
    emails: { type: 'any' },
    aliases: { type: 'array', items: { type: 'string' } },
    addresses: { type: 'array', items: { type: 'object', ref: 'Address' } },
    labels: { type: 'object', values: { type: 'string' } },
    lines: { type: 'object', values: { type: 'object', ref: 'Line' } },
    quota: { type: 'string', format: 'int64' },
    mass: { type: 'string', format: 'uint64' },
    age: { type: 'integer', format: 'int32' },
    score: { type: 'number', format: 'double' },
    createTime: { type: 'string', format: 'date-time' },
    birthday: { type: 'string', format: 'date' },
    ttl: { type: 'string', format: 'google-duration' },
    photoData: { type: 'string', format: 'byte' },
    delivery_settings: { type: 'string' },
    severity: { type: 'string', enum: ['DEFAULT', 'INFO', 'ERROR'], numbers: [0, 200, 500] },
    role: { type: 'string', enum: ['OWNER', 'MEMBER'] },
    manager: { type: 'object', ref: 'User' },
  },
  UserName: { givenName: { type: 'string' }, familyName: { type: 'string' } },
  Address: { city: { type: 'string' }, geo: { type: 'object', ref: 'Geo' } },
  Geo: { lat: { type: 'number' }, lon: { type: 'number' } },
  Line: { state: { type: 'string', enum: ['ENABLED', 'DISABLED'] }, cpmMicros: { type: 'string', format: 'int64' } },
  Users: {
    users: { type: 'array', items: { type: 'object', ref: 'User' } },
    nextPageToken: { type: 'string' },
  },
};

export const rowOf = (changes: Partial<MethodRow> = {}): MethodRow => ({
  id: 'directory.users.list',
  interface: 'directory',
  version: 'v1',
  httpMethod: 'GET',
  path: '/users',
  parameters: {},
  request: 'User',
  response: 'Users',
  scopes: [],
  inSeed: true,
  ...changes,
});

export const withParameters = (parameters: Record<string, Parameter>): MethodRow => rowOf({ parameters });

/** The value of an outcome, or `<status> <word> <reason>[ <location>]: <message>`. */
export function told<T>(outcome: JudgementOutcome<T>): T | string {
  if (outcome.ok) return outcome.value;
  const { status, word, reason, location, message } = outcome.refusal;
  return `${status} ${word} ${reason}${location === undefined ? '' : ` @${location.name}`}: ${message}`;
}

/** Names that break tables which look them up carelessly, and texts that break queries, paths and pages. */
export const HOSTILE = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "'; DROP TABLE resource; --",
  '" OR 1=1 --',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '%00',
  '\u0000',
  '\uFEFF',
  'é'.repeat(50),
  '𝒳',
  'x'.repeat(10_000),
] as const;
