import * as z from 'zod';
import { refuse } from './gate.ts';
import type { EmulatorParts } from './parts.ts';
import type { CallFilter, ReceivedCall, ReceivedCalls } from './received-calls.ts';

export const CALLS_PATH = '/v1/calls';
/** Longest wait for calls that have not come. */
export const MAX_WAIT_MS = 30_000;
const LOOK_MS = 5;
const MAX_COUNT = 1_000;
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

const query = z.strictObject({
  method: z.string().optional(),
  path: z.string().optional(),
  http_method: z.string().toUpperCase().optional(),
  status: wholeNumber.optional(),
  tenant: z.string().optional(),
  since: wholeNumber.optional(),
  /** Milliseconds until `count` calls are there; what came by then is answered. */
  wait: wholeNumber.pipe(z.number().max(MAX_WAIT_MS)).optional(),
  count: wholeNumber.pipe(z.number().min(1).max(MAX_COUNT)).default(1),
});

/** Answers `GET` with the received calls that a query selects, and forgets them at `DELETE`. */
export async function answerCalls(request: Request, { calls, identify }: EmulatorParts): Promise<Response> {
  const caller = await identify(request.headers);
  if (caller === undefined) return refuse(401, 'The list of calls needs a token of this emulator.');
  const own = caller.isOperator ? undefined : caller.tenant;
  if (request.method === 'DELETE') return Response.json({ deleted: calls.clear(own) });
  if (request.method !== 'GET') return refuse(405, 'Calls are read by GET and forgotten by DELETE.');
  const parsed = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: '' };
    return refuse(400, `${path.join('.') || 'query'}: ${message}`);
  }
  const { http_method: httpMethod, wait = 0, count, ...rest } = parsed.data;
  const filter = { ...rest, httpMethod, tenant: own ?? rest.tenant };
  const found = await waitForCalls(calls, filter, { wait, count }, request.signal);
  return Response.json({ calls: found, last: calls.last() }, { headers: { 'cache-control': 'no-store' } });
}

async function waitForCalls(
  calls: ReceivedCalls,
  filter: CallFilter,
  { wait, count }: { wait: number; count: number },
  signal: AbortSignal,
): Promise<readonly ReceivedCall[]> {
  // Looked at again and again: on Workers no request may wait for what another one resolves.
  for (const endMs = Date.now() + wait; ; await scheduler.wait(LOOK_MS)) {
    const found = calls.find(filter);
    if (found.length >= count || Date.now() >= endMs || signal.aborted) return found;
  }
}
