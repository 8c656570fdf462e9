import { type A2aEvent, formatA2aEvent, listLastEvents } from '../../../src/a2a/reply.ts';
import { isNamedInHeader, X402_EXTENSION } from '../../../src/a2a/payment-metadata.ts';
import { buildFault, buildRpcAnswer, type RpcFault, type RpcId } from '../../../src/a2a/rpc.ts';
import type { A2aVersion } from '../../../src/a2a/versions.ts';
import type { A2aOutcome } from '../../../src/sales/a2a/agent.ts';
import type { Emit } from '../../../src/sales/a2a/payment.ts';
import { openEventStream, STREAM_HEADERS } from '../../../src/sales/event-stream.ts';
import { logLine } from '../../shared/telemetry.ts';
import { type AppContext, corsHeaders } from '../context.ts';

/** Names of the header by which clients activate extensions: of 1.0, and of versions before. */
const EXTENSION_HEADERS = ['a2a-extensions', 'x-a2a-extensions'] as const;

/** The extensions that a request names, whichever header it does it by. */
export const readExtensionHeader = (c: AppContext): string | undefined =>
  EXTENSION_HEADERS.flatMap((name) => c.req.header(name) ?? []).join(',') || undefined;

/** Our extension under each header that named it: so the client knows that it is active. */
const listActivatedHeaders = (c: AppContext): Readonly<Record<string, string>> =>
  Object.fromEntries(
    EXTENSION_HEADERS.flatMap((name) => (isNamedInHeader(c.req.header(name)) ? [[name, X402_EXTENSION]] : [])),
  );

/** Statuses of HTTP that a client may act on; an answer of JSON-RPC is 200, whatever it says. */
const statuses: Readonly<Partial<Record<RpcFault['error'], number>>> = { parse: 400, invalid_request: 400 };

/** An answer of JSON-RPC, good or bad. */
export function answerRpc(
  c: AppContext,
  id: RpcId,
  answer: { result: unknown } | { fault: RpcFault },
  status?: number,
): Response {
  const fault = 'fault' in answer ? answer.fault : undefined;
  const wait = fault?.retryAfterS;
  const code = status ?? (wait === undefined ? fault && statuses[fault.error] : 429) ?? 200;
  const requestId = c.get('requestId');
  if (fault) logLine({ event: 'refused', request_id: requestId, status: code, code: `a2a_${fault.error}` });
  return new Response(JSON.stringify(buildRpcAnswer(id, answer)), {
    status: code,
    headers: {
      ...corsHeaders,
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
      ...listActivatedHeaders(c),
    },
  });
}

/** The call that a stream answers: each event repeats its id, in the form of its version. */
export type StreamedCall = { id: RpcId; version: A2aVersion };

/**
 * Answers a call as events. The stream begins with the first event, which comes once a payment is good; a call that is refused
 * before has an error, as it has without a stream.
 */
export async function streamCall(
  c: AppContext,
  { id, version }: StreamedCall,
  run: (emit: Emit) => Promise<A2aOutcome>,
): Promise<Response> {
  const stream = openEventStream();
  const begun = Promise.withResolvers<'begun'>();
  let hasBegun = false;
  const send = (answer: Parameters<typeof buildRpcAnswer>[1]): void =>
    stream.send(`data: ${JSON.stringify(buildRpcAnswer(id, answer))}\n\n`);
  const emit = (event: A2aEvent): void => {
    hasBegun = true;
    stream.keepAlive();
    send({ result: formatA2aEvent(version, event) });
    begun.resolve('begun');
  };
  const ending = run(emit).catch((error: unknown): A2aOutcome => {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    logLine({ event: 'bug', request_id: c.get('requestId'), name, message: message.slice(0, 300) });
    return { ok: false, fault: buildFault('internal') };
  });
  const first = await Promise.race([begun.promise, ending]);
  if (first !== 'begun' && !first.ok) return answerRpc(c, id, { fault: first.fault });
  const finish = async (): Promise<void> => {
    const outcome = await ending;
    if (outcome.ok)
      for (const event of listLastEvents(version, outcome.reply, hasBegun))
        send({ result: formatA2aEvent(version, event) });
    else send({ fault: outcome.fault });
    stream.end();
  };
  c.executionCtx.waitUntil(finish());
  return new Response(stream.readable, {
    headers: { ...corsHeaders, ...STREAM_HEADERS, 'x-request-id': c.get('requestId'), ...listActivatedHeaders(c) },
  });
}
