import * as z from 'zod/mini';
import { eventsOf } from './event-reader.ts';

/** Times one paid request is sent. It is the same payment each time, so repeats cost nothing. */
export const MAX_PRESENTATIONS = 12;
/** Longest single wait that the service may ask of us, in seconds. */
const MAX_RETRY_AFTER_S = 30;
/** Longest wait in all: an authorization lives 300 s. */
const MAX_WAIT_S = 240;
/** The wait where the service says nothing, in seconds. */
const UNTOLD_WAIT_S = 3;
/** Longest time for one answer, in milliseconds: a run takes up to 120 s, and its settlement 30. */
const ANSWER_TIMEOUT_MS = 300_000;

/** A request whose payment is signed or made: it is repeated as it is, and never signed anew. */
export type PaidRequest = { capability: string; bodyText: string; credential: string };

export type Progress = { done: number; total?: number | undefined };

export type PaidTools = {
  fetch: (path: string, init: RequestInit) => Promise<Response>;
  sleep: (ms: number) => Promise<unknown>;
  onProgress: (progress: Progress) => void;
  /** Before a repeat: why, in how many seconds, and which it is. */
  onWait: (wait: { detail: string; seconds: number; sent: number }) => void;
};

export type Outcome =
  | { kind: 'sold'; reportId: string; publishToken: string | undefined }
  /** The last word on this payment: it buys nothing here, now. */
  | { kind: 'refused'; code: string; detail: string }
  /** The payment may have been taken: only the same request with the same credential can tell. */
  | { kind: 'undecided'; detail: string };

type Doubt = { kind: 'doubt'; detail: string; waitS: number };

/** Sends a paid request, and again while the service asks to come back or does not answer. */
export async function presentPaid(paid: PaidRequest, tools: PaidTools): Promise<Outcome> {
  let waitedS = 0;
  for (let sent = 1; ; sent += 1) {
    const outcome = await sendOnce(paid, tools);
    if (outcome.kind !== 'doubt') return outcome;
    const { detail, waitS } = outcome;
    if (sent >= MAX_PRESENTATIONS || waitedS + waitS > MAX_WAIT_S) return { kind: 'undecided', detail };
    tools.onWait({ detail, seconds: waitS, sent });
    await tools.sleep(waitS * 1000);
    waitedS += waitS;
  }
}

async function sendOnce(paid: PaidRequest, tools: PaidTools): Promise<Exclude<Outcome, { kind: 'undecided' }> | Doubt> {
  try {
    const answer = await tools.fetch(`/api/agent/${paid.capability}`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'payment-signature': paid.credential,
      },
      body: paid.bodyText,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    if (answer.status !== 200) return judge(answer.status, await answer.json().catch(() => undefined), answer.headers);
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/event-stream') || !answer.body)
      return soldBy(await answer.json());
    return await follow(answer.body, tools);
  } catch {
    return doubt('The connection to the service was lost.'); // Of the network: the request may have arrived.
  }
}

async function follow(body: ReadableStream<Uint8Array>, { onProgress }: PaidTools) {
  for await (const { event, data } of eventsOf(body)) {
    const json: unknown = JSON.parse(data);
    if (event === 'result') return soldBy(json);
    if (event === 'problem') return judge(problemOf(json).status ?? 500, json);
    const counts = progressSchema.safeParse(json);
    if (event === 'progress' && counts.success) onProgress(counts.data);
  }
  return doubt('The answer ended before the result.');
}

const progressSchema = z.object({ done: z.number(), total: z.optional(z.number()) });
const resultSchema = z.object({
  report_id: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  publish_token: z.optional(z.string()),
});
const problemSchema = z.object({
  status: z.optional(z.number()),
  code: z.optional(z.string()),
  title: z.optional(z.string()),
  detail: z.optional(z.string()),
  error: z.optional(z.string()),
  retry_after_s: z.optional(z.number()),
});
type Problem = z.infer<typeof problemSchema>;

const problemOf = (json: unknown): Problem => problemSchema.safeParse(json).data ?? {};

function soldBy(json: unknown): (Outcome & { kind: 'sold' }) | Doubt {
  const result = resultSchema.safeParse(json);
  if (!result.success) return doubt('The result cannot be read.');
  const { report_id: reportId, publish_token: publishToken } = result.data;
  return { kind: 'sold', reportId, publishToken };
}

const doubt = (detail: string, waitS = UNTOLD_WAIT_S): Doubt => ({ kind: 'doubt', detail, waitS });

/** Refusals of a service that sells nothing new now, whatever they say of waiting: nothing was taken. */
const NOT_SOLD_NOW: ReadonlySet<string> = new Set([
  'not_configured',
  'engine_not_configured',
  'capability_unavailable',
  'transfers_only',
]);

/** What a refusing answer says about itself, for people. */
export async function readPurchaseProblem(answer: Response): Promise<string> {
  const { title, detail } = problemOf(await answer.json().catch(() => undefined));
  return title === undefined
    ? `The service answered ${answer.status}.`
    : `${[title, detail].filter(Boolean).join(': ')}.`;
}

function judge(status: number, json: unknown, headers?: Headers): (Outcome & { kind: 'refused' }) | Doubt {
  const { code, title, detail, error, retry_after_s: told } = problemOf(json);
  const text = [title ?? error, detail].filter((part) => part !== undefined).join(': ');
  if (code === undefined) return doubt(`The service answered ${status} and did not say why.`);
  if (NOT_SOLD_NOW.has(code)) return { kind: 'refused', code, detail: text };
  const waitS = told ?? secondsOf(headers?.get('retry-after'));
  if (waitS !== undefined && RETRIED.has(status)) return doubt(text, Math.min(Math.max(waitS, 1), MAX_RETRY_AFTER_S));
  return status >= 500 && status !== 502 ? doubt(text) : { kind: 'refused', code, detail: text };
}

/** Statuses that ask to come back with the same payment when they say when. */
const RETRIED: ReadonlySet<number> = new Set([409, 429, 503]);

const MAX_DIGITS = 6;
function secondsOf(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text === '' || text.length > MAX_DIGITS) return undefined;
  const seconds = Number(text);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined;
}
