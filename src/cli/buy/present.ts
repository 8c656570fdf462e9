import * as z from 'zod';
import { type Answer, parseJson, request, type ServiceRefusal } from './service.ts';

/** Times one paid request is sent. It is the same payment each time, so repeats cost nothing. */
export const MAX_PRESENTATIONS = 12;
/** Longest single wait that a service may ask of us. */
export const MAX_RETRY_AFTER_S = 30;
/** An authorization lives 300 s: waiting longer in all is of no use. */
export const MAX_WAIT_S = 240;
const UNREACHABLE_WAIT_S = 2;

export type PresentTools = { fetch: typeof fetch; sleep: (ms: number) => Promise<unknown> };

/**
 * Sends a paid request, again while the service asks to come back (409 or 503 with Retry-After) or does not answer.
 * Returns the last answer. Never pays again: the credential is in the request.
 */
export async function present(
  origin: string,
  paid: Request,
  { fetch: fetcher, sleep }: PresentTools,
): Promise<Answer | ServiceRefusal> {
  let waitedS = 0;
  for (let sent = 1; ; sent += 1) {
    const answer = await request(origin, paid.clone(), fetcher);
    const waitS = answer.ok ? retryAfterS(answer) : unreachableWaitS(answer);
    if (waitS === undefined || sent >= MAX_PRESENTATIONS || waitedS + waitS > MAX_WAIT_S) return answer;
    await sleep(waitS * 1000);
    waitedS += waitS;
  }
}

/** Seconds to wait when the service asks us to come back with the same payment; undefined when this is its last word. */
function retryAfterS({ status, headers }: Answer): number | undefined {
  if (status !== 409 && status !== 503) return undefined;
  const text = headers.get('retry-after') ?? '';
  if (!/^\d{1,6}$/.test(text)) return undefined;
  return Math.min(Math.max(Number(text), 1), MAX_RETRY_AFTER_S);
}

const unreachableWaitS = ({ reason }: ServiceRefusal): number | undefined =>
  reason === 'service_unreachable' ? UNREACHABLE_WAIT_S : undefined;

const problemSchema = z.object({ code: z.string(), title: z.string().optional(), detail: z.string().optional() });

export type Problem = { code: string; detail: string };

/** What a refusing answer says about itself. An answer that is no problem document says `http_<status>`. */
export function problemOf(answer: Answer): Problem {
  const body = parseJson(answer.text);
  const problem = problemSchema.safeParse(body);
  if (problem.success) {
    const { code, title, detail } = problem.data;
    return { code, detail: detail ?? title ?? '' };
  }
  const error = z.object({ error: z.string() }).safeParse(body);
  return { code: `http_${answer.status}`, detail: error.success ? error.data.error : answer.text.slice(0, 300) };
}
