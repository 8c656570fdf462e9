import type { JsonObject } from '../../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../../lib/refusal.ts';
import { requireMethod } from '../table/method-row.ts';
import type { WatchChannels } from '../../watch/channels.ts';
import type { CallAnswer, Call, Context, Handler, Handlers } from './operation.ts';
import type { UserChange, Tenant } from './tenant.ts';
import { createPageTokens } from './page-token.ts';
import type { SearchOrder } from '../../../search/order.ts';
import type { EntryOrder } from '../../log-store/order.ts';
import { type NewRow, type Resources, isKey } from './stored-row.ts';
import { hashNumber, hashText } from './hash.ts';

/** What a tenant's object gives the engine. */
export type Engine = {
  tenant: Tenant;
  handlers: Handlers;
  store: Resources;
  /** Runs it all or not at all: what it throws rolls back. */
  transaction: <T>(work: () => T) => T;
  /** The tenant's clock and the real one, in Unix milliseconds. */
  now: () => number;
  realNow: () => number;
  random: (bytes: number) => string;
  secret: (bytes: number) => string;
  /** Random text of this tenant, made once: entity tags and page tokens hang on it. */
  salt: string;
  /** Records what watchers must be notified of, in the same transaction. */
  record: (changes: readonly UserChange[]) => void;
  /** Watch channels of the tenant. */
  channels: WatchChannels;
  /** Takes what a call hands to the store of entries. */
  hand?: (order: EntryOrder) => void;
  /** Takes what a call hands to objects of AI Search instances. */
  handSearch?: (order: SearchOrder) => void;
  /** Whether every PUT clears what is left out; it does not when absent. */
  isStrictPut?: () => boolean;
  /** Bytes that the tenant's database takes; unlimited when absent. */
  databaseBytes?: () => number;
};

/** SQL statements that one call may need (rule K9). */
export const MAX_STATEMENTS = 5_000;
/** What a tenant may keep; above it only deleting goes on (rule K9). */
export const MAX_TENANT_BYTES = 1_073_741_824;

/**
 * Runs one call against a tenant: a GET reads in place, anything else is one transaction. Refusals are data here;
 * anything else that is thrown is a bug.
 */
export function execute(call: Call, engine: Engine): CallAnswer {
  try {
    const handler = engine.handlers[call.method];
    if (handler === undefined) throw new Error(`No handler of ${call.method}`);
    requireKeys(call);
    const { httpMethod } = requireMethod(call.method);
    const writes = httpMethod !== 'GET';
    if (writes && httpMethod !== 'DELETE') requireQuota(engine);
    const effects: OperationEffects = { changes: [], remembered: [] };
    const bounds = { statements: MAX_STATEMENTS, writes };
    const work = () => engine.store.bounded(bounds, () => run(handler, call, engine, effects));
    const remember = () => effects.remembered.forEach((row) => engine.store.insert(row));
    if (!writes) {
      const answer = work();
      if (effects.remembered.length > 0 && hasRoom(engine)) engine.transaction(remember);
      return answer;
    }
    return engine.transaction(() => {
      const answer = work();
      remember();
      return answer;
    });
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error.data };
    throw error;
  }
}

/** What an operation leaves for after it. A remembered row that is there already stays as it is. */
type OperationEffects = { changes: UserChange[]; remembered: NewRow[] };

function run(handler: Handler, call: Call, engine: Engine, { changes, remembered }: OperationEffects): CallAnswer {
  const body = handler(call, createOperationContext(call, engine, changes, remembered));
  if (changes.length > 0) engine.record(changes);
  if (body === undefined) return { ok: true, status: 204 };
  requireShort(body, call);
  return buildCallAnswer(body, call);
}

/** No id, key or name of a path is longer than one that can be stored. */
function requireKeys(call: Call): void {
  for (const [name, value] of Object.entries(call.path)) if (!isKey(value)) throw vendorRefusals.invalidInput(name);
}

/** @throws Refusal when the tenant keeps as much as it may */
export function requireQuota(engine: Engine): void {
  if (hasRoom(engine)) return;
  const message = 'The tenant keeps as much as it may: delete something first';
  throw new Refusal({ status: 403, word: 'RESOURCE_EXHAUSTED', reason: 'quotaExceeded', message });
}

const hasRoom = ({ databaseBytes }: Engine): boolean => (databaseBytes?.() ?? 0) < MAX_TENANT_BYTES;

/** @throws Refusal for an answer that is longer than the caller can hold, before a write is committed */
export function requireShort(body: JsonObject, { maxAnswerChars }: Call): void {
  if (maxAnswerChars === undefined || JSON.stringify(body).length <= maxAnswerChars) return;
  const message = 'The answer is too large for a batch: ask for fewer, or make the call by itself';
  throw new Refusal({ status: 413, word: 'RESOURCE_EXHAUSTED', reason: 'responseTooLarge', message });
}

/** What one operation of this engine works with. Also for the start of a tenant, with any call of it. */
export function createOperationContext(
  call: Call,
  engine: Engine,
  changes: UserChange[],
  remembered: NewRow[] = [],
): Context {
  let prefix: string | undefined;
  const nowMs = engine.now(); // One operation, one time: what it writes must agree.
  return {
    row: requireMethod(call.method),
    tenant: engine.tenant,
    store: engine.store,
    now: () => nowMs,
    random: engine.random,
    secret: engine.secret,
    etagOf: (revision, view) => {
      prefix ??= hashText(`etag ${engine.salt}`); // Says nothing of the salt.
      const shown = view === undefined ? '' : `.${hashNumber(JSON.stringify(view)).toString(36)}`;
      return `"${prefix}/${revision.toString(36)}${shown}"`;
    },
    pages: createPageTokens(call, engine.tenant.id, engine.salt, engine.realNow()),
    changed: (change) => changes.push(change),
    isStrictPut: engine.isStrictPut?.() === true,
    channels: engine.channels,
    remember: (row) => remembered.push(row),
    hand: (order) => {
      if (engine.hand === undefined) throw new Error('No store of entries');
      engine.hand(order);
    },
    handSearch: (order) => {
      if (engine.handSearch === undefined) throw new Error('No AI Search instances');
      engine.handSearch(order);
    },
    salt: engine.salt,
  };
}

/** The answer to a call by the body: 304 where a reader has it already, by its etag. */
export function buildCallAnswer(body: JsonObject, call: Call): CallAnswer {
  const { etag } = body;
  if (typeof etag !== 'string') return { ok: true, status: 200, body };
  const known = call.ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const isUnchanged = known?.some((tag) => tag === '*' || tag === etag) === true;
  const isRead = requireMethod(call.method).httpMethod === 'GET';
  return isUnchanged && isRead ? { ok: true, status: 304, etag } : { ok: true, status: 200, body, etag };
}
