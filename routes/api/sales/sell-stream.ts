import { type AppContext, corsHeaders } from '../context.ts';
import { logLine } from '../../shared/log.ts';
import { createEventChannel, STREAM_HEADERS, type Watcher } from '../../../src/sales/event-stream.ts';
import { buildProblemBody } from '../../../src/problems/problem.ts';
import type { PurchaseAnswer } from '../../../src/sales/answer.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

/** The weight of a type that a client does not accept (RFC 9110, section 12.4.2). */
const NOT_ACCEPTED = /^q=0(?:\.0{0,3})?$/;

/** Whether the client asks for an event stream, and for nothing it would rather have. */
export function isEventStreamWanted(accept: string | null): boolean {
  if (accept === null) return false;
  const types = accept.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return parameters.some((parameter) => NOT_ACCEPTED.test(parameter)) ? [] : [type];
  });
  return types.includes('text/event-stream') && !types.includes('application/json');
}

/** What a purchase that is not sold says in its last event: a problem, with fresh terms where a new payment is the next step. */
export type ProblemOf = (answer: Exclude<PurchaseAnswer, { kind: 'sold' }>) => Record<string, unknown>;

/**
 * Answers a purchase as events: `progress` with counts, then one `result` or one `problem`. The stream begins when the
 * payment is good; what is refused before that keeps its own status.
 */
export async function streamPurchase(
  c: AppContext,
  purchase: (watcher: Watcher) => Promise<PurchaseAnswer>,
  { refused, problemOf }: { refused: (answer: PurchaseAnswer) => Response; problemOf: ProblemOf },
): Promise<Response> {
  const channel = createEventChannel();
  const ending = purchase(channel);
  const first = await Promise.race([channel.whenAccepted.then(() => 'accepted' as const), ending]);
  if (first !== 'accepted' && first.kind !== 'sold') return refused(first);
  c.executionCtx.waitUntil(finish(c, channel, ending, problemOf));
  return new Response(channel.readable, { headers: { ...corsHeaders, ...STREAM_HEADERS } });
}

async function finish(
  c: AppContext,
  channel: ReturnType<typeof createEventChannel>,
  ending: Promise<PurchaseAnswer>,
  problemOf: ProblemOf,
): Promise<void> {
  try {
    const answer = await ending;
    if (answer.kind === 'sold') channel.finish('result', answer.body);
    else channel.finish('problem', JSON.stringify(problemOf(answer)));
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    logLine({ event: 'bug', request_id: c.get('requestId'), name, message: message.slice(0, 300) });
    const problem = buildProblem('internal_error', { detail: 'Repeat the same request with the same payment' });
    const body = buildProblemBody(c.get('requestId'), c.get('settings').BASE_URL, problem);
    channel.finish('problem', JSON.stringify(body));
  }
}
