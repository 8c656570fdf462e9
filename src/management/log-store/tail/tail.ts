import type { CallAnswer, Call } from '../../core/engine/operation.ts';
import { FilterTooSlow, createMeter, resetMeter } from '../../core/filter/index.ts';
import { isText, getMember } from '../../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../../lib/refusal.ts';
import { createFilterMatchers, requireCompiledFilter } from '../matchers.ts';
import type { EntryOrder, EntrySource } from '../order.ts';
import type { PlacedEntry } from '../routing.ts';
import { type TailSession, openTailSession, type TailTools } from './session.ts';
import { buildSourceViews } from '../visible.ts';

/** Sessions of one tenant at a time, as the vendor has them for a project. */
export const MAX_SESSIONS = 10;
/** `bufferWindow`: the longest and the usual one. */
const MAX_BUFFER_MS = 60_000;
const USUAL_BUFFER_MS = 2_000;
/** Filter work of one session for what one call wrote (filter/meter.ts): what comes after it is not sent (rule K9). */
export const MAX_TAIL_WORK = 1_000_000;

/** Those who follow what is written, in the memory of the tenant's object. */
export type Tails = {
  /** Opens a session; or says why not, before anything is streamed. */
  open: (call: Call, order: Extract<EntryOrder, { do: 'tail' }>) => ReadableStream<Uint8Array> | CallAnswer;
  /** Passes on what was written, once it is committed. */
  take: (placed: readonly PlacedEntry[]) => void;
  /** How many sessions there are. */
  count: () => number;
};

/** The sessions of `entries:tail`. What is written is sent as it comes: its timestamp may be anything. */
export function createLogTails(tools: TailTools): Tails {
  const sessions = new Set<TailSession & Pick<Taste, 'begin'>>();
  const open = (call: Call, sources: readonly EntrySource[]): ReadableStream<Uint8Array> => {
    const { begin, wants } = compileTailFilter(call, sources);
    const plan = { bufferMs: parseBufferMs(getMember(call.body, 'bufferWindow')), wants };
    if (sessions.size >= MAX_SESSIONS) throw refuseTooManySessions();
    const session = { begin, ...openTailSession(plan, tools, () => sessions.delete(session)) };
    sessions.add(session);
    return session.stream;
  };
  return {
    open(call, { sources }) {
      try {
        return open(call, sources);
      } catch (error) {
        if (error instanceof Refusal) return { ok: false, refusal: error.data };
        throw error;
      }
    },
    take(placed) {
      for (const { begin, take } of sessions) {
        begin();
        take(placed);
      }
    },
    count: () => sessions.size,
  };
}

/** Milliseconds of a Duration as JSON has it: `2s`, `0.5s`. @throws Refusal for another, or one that is too long */
export function parseBufferMs(text: unknown): number {
  if (text === undefined || text === '') return USUAL_BUFFER_MS;
  const seconds = isText(text) ? /^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(text)?.[1] : undefined;
  const ms = Number(seconds ?? Number.NaN) * 1_000;
  if (!(ms >= 0 && ms <= MAX_BUFFER_MS)) throw vendorRefusals.invalid('bufferWindow must be between 0s and 60s');
  return Math.floor(ms);
}

/** `begin` comes before the entries of each call. */
type Taste = { begin: () => void; wants: (placed: PlacedEntry) => boolean };

/** Whether an entry is one of the sources', and the call's filter takes it. @throws Refusal for a filter that is none */
function compileTailFilter(call: Call, sources: readonly EntrySource[]): Taste {
  const sent = getMember(call.body, 'filter');
  const filter = requireCompiledFilter(isText(sent) ? sent : '');
  const ofViews = createMeter();
  const views = buildSourceViews(sources, createFilterMatchers(ofViews));
  const takes = ({ bucket = '', entry }: PlacedEntry): boolean => {
    const shown = views.get(bucket);
    if (shown === undefined || !filter.matches(entry)) return false;
    return shown.length === 0 || shown.some(({ matches }) => matches(entry));
  };
  return {
    begin: () => [filter.meter, ofViews].forEach((meter) => resetMeter(meter, MAX_TAIL_WORK)),
    wants(placed) {
      try {
        return takes(placed);
      } catch (error) {
        if (error instanceof FilterTooSlow) return false;
        throw error;
      }
    },
  };
}

const refuseTooManySessions = (): Refusal =>
  new Refusal({
    status: 429,
    word: 'RESOURCE_EXHAUSTED',
    reason: 'rateLimitExceeded',
    message: `A tenant tails in at most ${MAX_SESSIONS} sessions at a time`,
  });
