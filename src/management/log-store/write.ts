import type { CallAnswer, Call } from '../core/engine/operation.ts';
import { isObject, isText, type Json, type JsonObject, getMember } from '../../lib/json.ts';
import { vendorRefusals, type RefusalData } from '../../lib/refusal.ts';
import { type CheckedEntry, checkEntry, type EntryDefaults, readMonitoredResource } from './entry-check.ts';
import { formatNanoTime } from './times.ts';

/** Entries of one call: ours, named. The vendor bounds only the bytes of a call. */
export const MAX_WRITE_ENTRIES = 1_000;
const INVALID_ARGUMENT = 3;
const PARTIAL_ERRORS = 'type.googleapis.com/google.logging.v2.WriteLogEntriesPartialErrors';
const ID_DIGITS = 12;
/** Entries of one millisecond that get times of their own; what comes after has the last one, and sorts by its id. */
const MAX_NANOS = 999_999;

/** What a call of `entries:write` comes to: what is to be kept, and the answer once it is. */
export type WritePlan = { entries: readonly CheckedEntry[]; answer: CallAnswer };

/** Gives the times and ids of entries that have none. */
export type Stamps = (nowMs: number) => EntryDefaults['next'];

/**
 * Stamps of one tenant: later ones sort after earlier ones, by time while the clock does not go back, and by id.
 * @param random bytes as hex: ids of two tenants differ
 */
export function createEntryStamps(now: () => number, random: (bytes: number) => string): Stamps {
  let last = { ms: Number.NaN, nanos: 0, time: '' };
  let count = now();
  const suffix = random(4);
  return (nowMs) => () => {
    if (last.ms === nowMs) last.nanos = Math.min(last.nanos + 1, MAX_NANOS);
    else last = { ms: nowMs, nanos: 0, time: formatNanoTime(nowMs).replace(/000000Z$/, '') };
    count = Math.max(count + 1, now() * 1_000);
    const ts = `${last.time}${String(last.nanos).padStart(6, '0')}Z`;
    return { ts, insertId: `${count.toString(36).padStart(ID_DIGITS, '0')}${suffix}` };
  };
}

/**
 * Judges all entries of a call. Without `partialSuccess` one bad entry refuses the call; with it, the good ones are kept,
 * and the answer is still the refusal of a bad one, with what is wrong with each (the vendor's; facts, Logging).
 * @throws Refusal for a call that is refused as a whole
 */
export function writePlan({ body }: Call, nowMs: number, stamps: Stamps): WritePlan {
  const sent = readSentEntries(body);
  const [labels, logName] = [getMember(body, 'labels'), getMember(body, 'logName')];
  const defaults: EntryDefaults = {
    logName: isText(logName) ? logName : '',
    resource: readMonitoredResource(getMember(body, 'resource')),
    labels: isObject(labels) ? labels : {},
    receiveTimestamp: formatNanoTime(nowMs).replace(/000000Z$/, 'Z'),
    logs: new Map(),
    next: stamps(nowMs),
  };
  const entries: CheckedEntry[] = [];
  const errors = new Map<number, string>();
  for (const [index, entry] of sent.entries()) {
    const outcome = checkEntry(entry, defaults);
    if (outcome.ok) entries.push(outcome.checked);
    else errors.set(index, outcome.message);
  }
  const isKept = errors.size === 0 || getMember(body, 'partialSuccess') === true;
  const kept = isKept ? entries : [];
  return { entries: getMember(body, 'dryRun') === true ? [] : kept, answer: buildWriteAnswer(errors, kept.length > 0) };
}

function readSentEntries(body: JsonObject): readonly JsonObject[] {
  const sent: Json = getMember(body, 'entries') ?? [];
  const entries = Array.isArray(sent) ? sent : [];
  if (entries.length > MAX_WRITE_ENTRIES)
    throw vendorRefusals.invalid(`A call writes at most ${MAX_WRITE_ENTRIES} log entries`);
  return entries.map((entry) => (isObject(entry) ? entry : {}));
}

/** @param hasKept entries of a call of which none is kept have no errors of their own */
function buildWriteAnswer(errors: ReadonlyMap<number, string>, hasKept: boolean): CallAnswer {
  const [first] = errors;
  if (first === undefined) return { ok: true, status: 200, body: {} };
  const [index, message] = first;
  const refusal: RefusalData = vendorRefusals.invalid(`entries[${index}]: ${message}`).data;
  return { ok: false, refusal: hasKept ? { ...refusal, details: [buildPartialErrors(errors)] } : refusal };
}

function buildPartialErrors(errors: ReadonlyMap<number, string>): JsonObject {
  const rows = [...errors].map(([index, message]): [string, JsonObject] => [
    String(index),
    { code: INVALID_ARGUMENT, message },
  ]);
  return { '@type': PARTIAL_ERRORS, logEntryErrors: Object.fromEntries(rows) };
}
