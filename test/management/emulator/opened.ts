import { randomBytes } from 'node:crypto';
import type { CallAnswer, Call } from '../../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import { handlers, interfaces } from '../../../src/management/core/interfaces.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { openTenants } from '../../../src/management/core/open-tenant.ts';
import type { ControlResult } from '../../../src/management/core/tenant-object.ts';
import { readWatchSettings } from '../../../src/management/watch/settings.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { CALLER, TENANT } from '../../support/management/management.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

export const USER = {
  primaryEmail: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Abe' },
  password: 'a-pass-word',
};
export const START_MS = Date.UTC(2026, 10, 21);

/** A tenant as its object opens it, over a database in memory. `kept` changes what its database is said to take. */
export function opened(tenant: Tenant = TENANT, database = memorySqlite(), isStrictPut = false) {
  const { sql, transaction } = database;
  const time = { nowMs: START_MS };
  const kept = { bytes: 4_096 };
  const open = openTenants({
    sql,
    transaction,
    databaseBytes: () => kept.bytes,
    now: () => time.nowMs,
    secret: (bytes) => randomBytes(bytes).toString('hex'),
    handlers,
    interfaces,
    isStrictPut,
    watch: {
      settings: readWatchSettings({ CONTROL_URL: 'https://control.sightline.test' }),
      policy: allowPublicOnly({ alternatePorts: true }),
    },
  }).open(tenant);
  const outcome = (method: string, sent: Partial<Call> = {}) =>
    open.call({ method, path: {}, query: {}, body: {}, caller: { ...CALLER, tenant: tenant.id }, ...sent });
  const call = (method: string, sent: Partial<Call> = {}): CallAnswer => outcome(method, sent).answer;
  const ok = (method: string, sent: Partial<Call> = {}): JsonObject => {
    const answer = call(method, sent);
    if (!answer.ok) throw new Error(`${method}: ${answer.refusal.message}`);
    return answer.status === 200 ? answer.body : {};
  };
  return { ...open, sql, time, kept, outcome, ok, answer: call };
}

/** What a control answered. @throws Error for a refusal */
export function valueOf<T>(told: ControlResult<T>): T {
  if (told.ok) return told.value;
  throw new Error(told.refusal.message);
}

/** `<status> <reason>: <message>` of a control that refused. */
export function refusalOf(told: ControlResult<unknown>): string {
  if (told.ok) throw new Error('It was not refused');
  return `${told.refusal.status} ${told.refusal.reason}: ${told.refusal.message}`;
}
