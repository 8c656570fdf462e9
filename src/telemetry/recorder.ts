import { getErrorName } from '../lib/errors.ts';
import { toHex } from '../lib/digest.ts';
import type { RecordBuffer } from './buffer.ts';
import {
  type Arrived,
  buildAnswerAttributes,
  finishSpan,
  requestSpan,
  type SoldFacts,
  type Running,
  startServerSpan,
  SPAN_BYTES,
} from './request-span.ts';
import type { Carrier } from './shipping.ts';
import type { AttributeValue, SpanKind } from './wire.ts';

/**
 * The same recorder, whose faults are reported instead of thrown: recorded work goes on as without it. Work is done
 * once, whatever becomes of its record, and its outcome is its own.
 */
export function createUnfailingRecorder(inner: Recorder, failed: (error: unknown) => void): Recorder {
  /** Before the first there is nothing to record: work is only done. */
  let isOn = false;
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      failed(error);
      return undefined;
    }
  };
  return {
    arrived: (...given) => {
      isOn = true;
      const request = attempt(() => inner.arrived(...given));
      return { answered: (facts) => attempt(() => request?.answered(facts)) };
    },
    line: (...given) => attempt(() => inner.line(...given)),
    timed: (requestId, part, work) =>
      isOn ? recordSafely((once) => inner.timed(requestId, part, once), work, failed) : work(),
    task: (task, carrier, work) => {
      isOn = true;
      return recordSafely((once) => inner.task(task, carrier, once), work, failed);
    },
  };
}

function recordSafely<T>(
  record: (work: () => Promise<T>) => Promise<T>,
  work: () => Promise<T>,
  failed: (error: unknown) => void,
): Promise<T> {
  let doing: Promise<T> | undefined;
  const once = (): Promise<T> => (doing ??= startWork(work));
  const blame = async (error: unknown): Promise<void> => {
    try {
      await once();
    } catch {
      return; // The work failed itself: its caller hears of that.
    }
    failed(error);
  };
  try {
    record(once).catch(blame);
  } catch (error) {
    failed(error);
  }
  return once();
}

/** What it throws at once fails it, too. */
const startWork = async <T>(work: () => Promise<T>): Promise<T> => work();

/** What comes after the scheme of an address, of any scheme, in a JSON text: its slashes may be escaped there. */
const ADDRESS = /:\\{0,4}\/\\{0,4}\/(?:[^\s"\\<>]|\\[\\/])*/g;

/** Longest text that may be a host with its port: a DNS name has 253 characters. */
const MAX_HOST_CHARS = 260;
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
/** What may follow an address in a sentence. */
const PUNCTUATION = ".,;:!)]}'`";
const HIDDEN = '...';

/**
 * An address shows its origin; its user and password, path, query and fragment may be bearers of something. What is no
 * plain host is not shown at all.
 * @param found what `ADDRESS` finds
 */
function scrubAddress(found: string): string {
  const text = found.replace(/^:[\\/]{2,12}/, '');
  const end = text.search(/[/?#\\]/);
  if (end === -1) return `://${scrubHost(text)}`;
  const rest = text.slice(end);
  if (rest.includes('@')) return `://${HIDDEN}`; // A password may have a slash in it.
  return `://${scrubHost(text.slice(0, end))}/${HIDDEN}`;
}

function scrubHost(authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  let end = host.length;
  while (end > 0 && PUNCTUATION.includes(host.charAt(end - 1))) end -= 1;
  const bare = host.slice(0, host.charAt(end) === ']' && host.startsWith('[') ? end + 1 : end);
  return bare.length <= MAX_HOST_CHARS && HOST.test(bare) ? `${bare}${host.slice(bare.length)}` : HIDDEN;
}

/**
 * What no log entry may hold (rule X9), and what replaces it. Lines mostly hold words of our own: this is for messages
 * of errors.
 */
const RULES: readonly (readonly [RegExp, string])[] = [
  // Ids of reports and runs are bearers of what was bought. `{file}` is a template.
  [/\b(reports|runs)\/[^\s"'\\<>{}/][^\s"'\\<>]*/gi, '$1/...'],
  // Addresses of mail, of any domain.
  [/[^\s"'\\<>@,;:()[\]]{1,64}(?:@|%40)[^\s"'\\<>@,;:()[\]/?#]{1,255}/gi, '...@...'],
  [/\b(Bearer|Basic|DPoP|Channel-Token)[ :]{1,3}[A-Za-z0-9._~+/=:-]+/gi, '$1 ...'],
  // Tokens of machine clients and of people, webhook secrets, JSON Web Tokens.
  [/\bslm_[A-Za-z0-9_-]+/g, 'slm_...'],
  [/\b[0-9a-f]{32}:[A-Za-z0-9_-]{1,64}:[A-Za-z0-9_-]+/g, 'token...'],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, 'whsec_...'],
  [/\beyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9._-]*/g, 'eyJ...'],
  // Keys of the engines that answer questions.
  [/\b(sk|pplx|xai)-[A-Za-z0-9_-]{8,}/gi, '$1-...'],
  [/\bAIza[A-Za-z0-9_-]{8,}/g, 'AIza...'],
  // Hashes and signatures of payments.
  [/\b0x[0-9a-fA-F]{64,}/gi, '0x...'],
];
const SUSPECT =
  /:\\{0,4}\/|@|%40|reports\/|runs\/|earer|asic|dpop|hannel-|slm_|whsec_|eyJ|sk-|pplx-|xai-|AIza|0x|[0-9a-f]{32}:/i;

/** A log line, a JSON text, without addresses' paths and without anything that has the form of a credential. */
export function scrubLine(line: string): string {
  if (!SUSPECT.test(line)) return line;
  return RULES.reduce(
    (text, [pattern, instead]) => text.replaceAll(pattern, instead),
    line.replaceAll(ADDRESS, scrubAddress),
  );
}

/** Bytes that are drawn at a time: each draw is a call into the runtime, whatever its size. */
const POOL_BYTES = 1_024;

/** Random bytes as lower-case hex, at most `POOL_BYTES` at a time. For ids, not for secrets: what is drawn waits in memory. */
function createRandomHex(random: (bytes: number) => Uint8Array): (bytes: number) => string {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return (bytes) => {
    if (used + bytes > pool.length) {
      pool = random(POOL_BYTES);
      used = 0;
    }
    used += bytes;
    return toHex(pool.subarray(used - bytes, used));
  };
}

/** The latest of what was kept, by key; the oldest are forgotten, a half at a time. Keeping and finding cost the same at any size. */
type Latest<T> = { keep: (key: string, value: T) => void; find: (key: string) => T | undefined };

/** @param max never more than so many, and never less than half of the latest so many */
function createLatestMap<T>(max: number): Latest<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return {
    keep: (key, value) => {
      if (young.size >= max / 2) {
        old = young; // A map whose oldest keys are deleted one by one is slow to find its first.
        young = new Map();
      }
      young.set(key, value);
    },
    find: (key) => young.get(key) ?? old.get(key),
  };
}

/** Requests of this isolate that lines and spans find by their id; the oldest is forgotten. */
export const MAX_KNOWN = 1_000;

const TRACE_BYTES = 16;

export type RecorderTools = {
  buffer: RecordBuffer;
  ship: (carrier: Carrier) => void;
  /** Unix milliseconds. */
  now: () => number;
  random: (bytes: number) => Uint8Array;
  /** Whether the spans of one more trace may be kept. */
  mayKeep: () => boolean;
};

/**
 * What is recorded of a request when it is answered: the template of its route, '' for none; the method's row of an
 * interface.
 */
export type RequestAnswerFacts = { status: number; route: string; rpcMethod?: string; sold?: SoldFacts | undefined };

/** Work that no request asked for: a batch of a queue, a tick of the clock. */
export type Task = {
  name: string;
  kind: SpanKind;
  attributes: Readonly<Record<string, AttributeValue>>;
};

/** Keeps lines and spans of one isolate until they are sent. Nothing here throws, and nothing waits for it. */
export type Recorder = {
  /** Begins a request. The carrier is its own. */
  arrived: (arrived: Arrived, carrier: Carrier) => { answered: (facts: RequestAnswerFacts) => void };
  /** Keeps a log line, with the trace of the request that it names. */
  line: (text: string, requestId: unknown) => void;
  /** Does a part of a request's work, with a span of its own. */
  timed: <T>(requestId: string, part: { name: string; kind: SpanKind }, work: () => Promise<T>) => Promise<T>;
  /** Does a task, with a span of its own. */
  task: <T>(task: Task, carrier: Carrier, work: () => Promise<T>) => Promise<T>;
};

type LogLineFacts = { running: Running; carrier: Carrier };

export function createRecorder({ buffer, ship, now, random, mayKeep }: RecorderTools): Recorder {
  const known = createLatestMap<LogLineFacts>(MAX_KNOWN);
  const hex = createRandomHex(random);
  /** Without a request there is no one to send, and no one who asked for it. */
  let isOn = false;
  return {
    arrived: (arrived, carrier) => {
      const running = startServerSpan(arrived, { hex, startMs: now(), mayKeep });
      isOn = true;
      known.keep(arrived.requestId, { running, carrier });
      return {
        answered: ({ rpcMethod, sold, ...answered }) => {
          const atMs = now();
          const http = buildAnswerAttributes(arrived, answered, Math.max(atMs - running.startMs, 0));
          const line = JSON.stringify({
            event: 'request',
            request_id: arrived.requestId,
            ...(rpcMethod === undefined ? {} : { method: rpcMethod }),
            ...listSoldMembers(sold),
          });
          buffer.line({ atMs, line, trace: getTraceContext(running), http });
          if (running.isSampled) buffer.span(requestSpan(running, arrived, http, { rpcMethod, sold }));
          ship(carrier);
        },
      };
    },
    line: (text, requestId) => {
      if (!isOn) return;
      const request = typeof requestId === 'string' ? known.find(requestId) : undefined;
      const trace = request === undefined ? {} : { trace: getTraceContext(request.running) };
      buffer.line({ atMs: now(), line: scrubLine(text), ...trace });
      if (request !== undefined) ship(request.carrier);
    },
    timed: (requestId, { name, kind }, work) => {
      const parent = known.find(requestId)?.running;
      if (parent?.isSampled !== true) return work();
      const { traceId, isSampled } = parent;
      const running = { traceId, spanId: hex(SPAN_BYTES), parentSpanId: parent.spanId, isSampled, startMs: now() };
      return measureWork(work, (error) => {
        const attributes: Record<string, AttributeValue> = error === undefined ? {} : { 'error.type': error };
        buffer.span(finishSpan(running, { name, kind, attributes, isError: error !== undefined }, now()));
      });
    },
    task: ({ attributes, ...task }, carrier, work) => {
      isOn = true;
      const isSampled = mayKeep();
      const running = { traceId: hex(TRACE_BYTES), spanId: hex(SPAN_BYTES), isSampled, startMs: now() };
      return measureWork(work, (error) => {
        const all = error === undefined ? attributes : { ...attributes, 'error.type': error };
        const about = { ...task, attributes: all, isError: error !== undefined };
        if (isSampled) buffer.span(finishSpan(running, about, now()));
        ship(carrier);
      });
    },
  };
}

/** What was sold, as a log line has it. */
export const listSoldMembers = (sold: SoldFacts | undefined): Readonly<Record<string, string | number>> => {
  const { capability, payer, mcpMethod, status } = sold ?? {};
  return {
    ...(capability === undefined ? {} : { capability }),
    ...(payer === undefined ? {} : { payer }),
    ...(mcpMethod === undefined ? {} : { mcp_method: mcpMethod }),
    ...(status === undefined ? {} : { status }),
  };
};

const getTraceContext = ({ traceId, spanId, isSampled }: Running) => ({ traceId, spanId, isSampled });

/** Does the work and reports its end: the name of the error, if it threw one. */
async function measureWork<T>(work: () => Promise<T>, ended: (error: string | undefined) => void): Promise<T> {
  let error: string | undefined;
  try {
    return await work();
  } catch (thrown) {
    error = getErrorName(thrown);
    throw thrown;
  } finally {
    ended(error);
  }
}
