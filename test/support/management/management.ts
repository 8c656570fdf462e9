import { createHash, randomBytes } from 'node:crypto';
import type { SearchOrder } from '../../../src/search/order.ts';
import { createOperationContext, execute, type Engine } from '../../../src/management/core/engine/execute.ts';
import type { CallAnswer, Call, Context, QueryValue } from '../../../src/management/core/engine/operation.ts';
import type { Caller, UserChange } from '../../../src/management/core/engine/tenant.ts';
import { createResourceStore } from '../../../src/management/core/engine/resources.ts';
import type { EntryOrder } from '../../../src/management/log-store/order.ts';
import { handlers, interfaces } from '../../../src/management/core/interfaces.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Sql } from '../../../src/lib/sqlite.ts';
import { createWatchChannels, type WatchTools } from '../../../src/management/watch/channels.ts';
import { type Outbox, createPushOutbox } from '../../../src/management/watch/outbox.ts';
import { readWatchSettings } from '../../../src/management/watch/settings.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { memorySqlite } from './sqlite.ts';

export const TENANT = { id: 'C00000001', mode: 'sandbox', domain: 'example.com' } as const;
export const CALLER: Caller = {
  tenant: TENANT.id,
  kind: 'service',
  userId: 'a'.repeat(32),
  clientId: 'test-client',
  scopes: [],
};
const FIRST_MS = Date.UTC(2026, 10, 21);

type Sent = {
  path?: Record<string, string>;
  query?: Record<string, QueryValue>;
  body?: JsonObject;
  caller?: Partial<Caller>;
  ifMatch?: string;
  ifNoneMatch?: string;
  known?: NonNullable<Call['known']>;
  maxAnswerChars?: number;
  selection?: NonNullable<Call['selection']>;
};

/** One tenant in memory on the real engine, store and handlers. What HTTP does before (parameters, body schema) is not in it. */
export type TestTenant = {
  /** Everything a call comes to. */
  call: (method: string, sent?: Sent) => CallAnswer;
  /** The body of a call that must work; `{}` for an empty answer. @throws Error with the refusal */
  ok: (method: string, sent?: Sent) => JsonObject;
  /** `<status> <reason>: <message>` of a call that must be refused. */
  refused: (method: string, sent?: Sent) => string;
  changes: UserChange[];
  /** The context of a method, to put rows into the store. */
  context: (method: string) => Context;
  /** Moves both clocks on. */
  later: (ms: number) => void;
  engine: Engine;
  /** Messages of watch channels that wait to be sent. */
  outbox: Outbox;
  /** What was handed to the store of entries, in order. */
  handed: EntryOrder[];
  /** What was handed to objects of AI Search instances, in order. */
  searches: SearchOrder[];
  sql: Sql;
};

/** @param seen gets every statement, before it runs */
export function testTenant(tenant: Engine['tenant'] = TENANT, seen?: (query: string) => void): TestTenant {
  const { sql, transaction } = memorySqlite(seen);
  const changes: UserChange[] = [];
  const handed: EntryOrder[] = [];
  const searches: SearchOrder[] = [];
  let nowMs = FIRST_MS;
  let draws = 0;
  const salt = 'test-salt-of-one-tenant';
  const watch: WatchTools = {
    sql,
    tenant,
    salt,
    settings: readWatchSettings({
      CONTROL_URL: 'https://control.sightline.test',
      BASE_URL: 'https://sightline.example.net',
      WEBHOOK_URL: 'https://webhook.sightline.example.net',
    }),
    policy: allowPublicOnly({ alternatePorts: true }),
    now: () => nowMs,
    random: (bytes) => randomBytes(bytes).toString('hex'),
  };
  const channels = createWatchChannels(watch);
  const engine: Engine = {
    tenant,
    handlers,
    store: createResourceStore(
      sql,
      interfaces.flatMap(({ indexes }) => indexes ?? []),
    ),
    transaction,
    now: () => nowMs,
    realNow: () => nowMs,
    random: (bytes) =>
      createHash('sha512')
        .update(`${++draws}`)
        .digest('hex')
        .slice(0, bytes * 2),
    secret: (bytes) => randomBytes(bytes).toString('hex'),
    salt,
    record: (told) => {
      changes.push(...told);
      channels.record(told);
    },
    channels,
    hand: (order) => handed.push(order),
    handSearch: (order) => searches.push(order),
  };
  const callOf = (method: string, { caller, ...sent }: Sent): Call => ({
    method,
    path: {},
    query: {},
    body: {},
    caller: { ...CALLER, tenant: tenant.id, ...caller },
    ...sent,
  });
  const call = (method: string, sent: Sent = {}): CallAnswer => execute(callOf(method, sent), engine);
  const context = (method: string): Context => createOperationContext(callOf(method, {}), engine, changes);
  for (const { start, handlers: own } of interfaces) {
    const [method] = Object.keys(own);
    if (start !== undefined && method !== undefined) start(context(method));
  }
  return {
    call,
    outbox: createPushOutbox(watch),
    sql,
    ok: (method, sent) => {
      const answer = call(method, sent);
      if (!answer.ok) throw new Error(`${method}: ${describe(answer)}`);
      return answer.status === 200 ? answer.body : {};
    },
    refused: (method, sent) => {
      const answer = call(method, sent);
      if (answer.ok) throw new Error(`${method} was not refused`);
      return describe(answer);
    },
    changes,
    handed,
    searches,
    context,
    later: (ms) => {
      nowMs += ms;
    },
    engine,
  };
}

const describe = ({ refusal }: Extract<CallAnswer, { ok: false }>): string =>
  `${refusal.status} ${refusal.reason}: ${refusal.message}`;
