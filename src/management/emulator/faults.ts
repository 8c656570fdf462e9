import { sha256 } from '@noble/hashes/sha2';
import { utf8ToBytes } from '@noble/hashes/utils';
import type { Sql } from '../../lib/sqlite.ts';
import { vendorRefusals, type RefusalData, type StatusWord } from '../../lib/refusal.ts';
import { methods } from '../core/table/method-row.ts';
import type { FaultRow } from '../core/tenant-object.ts';
import { type FaultBody, FAULT_STATUSES } from './bodies.ts';
import type { Settings } from './settings.ts';

/** Faults of one tenant. */
export const MAX_FAULTS = 100;
const EVERY_METHOD = '*';
const WORD_VALUES = 4_294_967_296;
const NEXT_ID = 'nextFault';

type FaultStatus = (typeof FAULT_STATUSES)[number];

/** What a fault of a status says when it names no reason: the vendor's usual words. */
const USUAL = {
  400: ['INVALID_ARGUMENT', 'badRequest', 'Bad Request'],
  401: ['UNAUTHENTICATED', 'authError', 'Invalid Credentials'],
  403: ['PERMISSION_DENIED', 'forbidden', 'Forbidden'],
  404: ['NOT_FOUND', 'notFound', 'Not Found'],
  408: ['UNAVAILABLE', 'requestTimeout', 'Request Timeout'],
  409: ['ABORTED', 'conflict', 'Conflict'],
  412: ['FAILED_PRECONDITION', 'conditionNotMet', 'Precondition Failed'],
  429: ['RESOURCE_EXHAUSTED', 'rateLimitExceeded', 'Rate Limit Exceeded'],
  500: ['INTERNAL', 'backendError', 'Backend Error'],
  501: ['UNIMPLEMENTED', 'notImplemented', 'Not Implemented'],
  502: ['UNAVAILABLE', 'badGateway', 'Bad Gateway'],
  503: ['UNAVAILABLE', 'backendError', 'Service Unavailable'],
  504: ['UNAVAILABLE', 'gatewayTimeout', 'Gateway Timeout'],
} as const satisfies Record<FaultStatus, readonly [StatusWord, string, string]>;

/** What the faults make of a call: how long it takes, and how it fails, if it does. */
export type Strike = { delayMs: number; refusal?: RefusalData };

export type Faults = {
  all: () => readonly FaultRow[];
  /** @throws Refusal for a method that nothing has, or one fault too many */
  add: (body: FaultBody) => FaultRow;
  /** @returns whether it was there */
  remove: (id: string) => boolean;
  /** @returns how many there were */
  clear: () => number;
  /** Judges one call. The first fault that strikes with a status answers it; the longest latency counts. */
  strike: (method: string) => Strike;
  reload: () => void;
};

const SCHEMA = `CREATE TABLE IF NOT EXISTS fault (id TEXT PRIMARY KEY, json TEXT NOT NULL, seen INTEGER NOT NULL,
  struck INTEGER NOT NULL) WITHOUT ROWID`;

/** @param seed text that chance hangs on: the same, the same calls are struck */
export function createFaults(sql: Sql, settings: Settings, seed: () => string): Faults {
  sql.exec(SCHEMA);
  let faults = readFaults(sql);
  const reload = (): void => {
    faults = readFaults(sql);
  };
  return {
    all: () => faults,
    add: (body) => {
      requireMethod(body.method);
      if (faults.length >= MAX_FAULTS) throw vendorRefusals.limitExceeded(`A tenant has at most ${MAX_FAULTS} faults`);
      const number = Number(settings.get(NEXT_ID) ?? 1);
      const id = `fault-${number}`;
      settings.set(NEXT_ID, number + 1);
      sql.exec('INSERT INTO fault VALUES (?, ?, 0, 0)', id, JSON.stringify(body));
      reload();
      return { ...body, id, seen: 0, struck: 0 };
    },
    remove: (id) => {
      const gone = sql.exec('DELETE FROM fault WHERE id = ? RETURNING id', id).toArray().length > 0;
      reload();
      return gone;
    },
    clear: () => {
      const gone = sql.exec('DELETE FROM fault RETURNING id').toArray().length;
      settings.drop(NEXT_ID);
      reload();
      return gone;
    },
    strike: (method) => {
      const concerned = faults.filter((fault) => fault.method === EVERY_METHOD || fault.method === method);
      const struck = concerned.filter((fault) => countFaultCall(fault, seed(), sql));
      const failing = struck.find(({ status }) => status !== undefined);
      const delayMs = Math.max(0, ...struck.map(({ latencyMs }) => latencyMs ?? 0));
      return { delayMs, ...(failing && { refusal: buildFaultRefusal(failing) }) };
    },
    reload,
  };
}

const readFaults = (sql: Sql): FaultRow[] =>
  sql
    .exec('SELECT id, json, seen, struck FROM fault ORDER BY length(id), id')
    .toArray()
    .map(({ id, json, seen, struck }) => ({
      ...(JSON.parse(String(json)) as FaultBody), // Written above.
      id: String(id),
      seen: Number(seen),
      struck: Number(struck),
    }));

function requireMethod(method: string): void {
  if (method !== EVERY_METHOD && !methods.some(({ id }) => id === method)) throw vendorRefusals.invalidInput('method');
}

/** Counts the call that a fault sees. @returns whether it strikes */
function countFaultCall(fault: FaultRow, seed: string, sql: Sql): boolean {
  if (fault.times !== undefined && fault.struck >= fault.times) return false;
  fault.seen += 1;
  const strikes = isChosen(fault, seed);
  if (strikes) fault.struck += 1;
  sql.exec('UPDATE fault SET seen = ?, struck = ? WHERE id = ?', fault.seen, fault.struck, fault.id);
  return strikes;
}

function isChosen({ id, seen, every, probability = 1 }: FaultRow, seed: string): boolean {
  if (every !== undefined) return seen % every === 0;
  const drawn = new DataView(sha256(utf8ToBytes(`${seed}\n${id}\n${seen}`)).buffer).getUint32(0);
  return drawn / WORD_VALUES < probability;
}

function buildFaultRefusal({ status, reason, message, retryAfterS }: FaultRow): RefusalData {
  if (status === undefined) throw new Error('A fault without a status does not fail');
  const [word, usualReason, usualMessage] = USUAL[status];
  const words = { reason: reason ?? usualReason, message: message ?? usualMessage };
  return { status, word, ...words, ...(retryAfterS !== undefined && { retryAfterS }) };
}
