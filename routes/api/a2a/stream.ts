import { type A2aEvent, formatEvent, listLastEvents } from '../../../src/a2a/reply.ts';
import { buildFault, buildRpcAnswer, type RpcId } from '../../../src/a2a/rpc.ts';
import type { A2aVersion } from '../../../src/a2a/versions.ts';
import type { A2aOutcome } from '../../../src/sales/a2a/agent.ts';
import type { Emit } from '../../../src/sales/a2a/payment.ts';
import { openEventStream, STREAM_HEADERS } from '../../../src/sales/event-stream.ts';
import { logLine } from '../../shared/telemetry.ts';
import { type AppContext, corsHeaders } from '../context.ts';
import { answerRpc, listActivatedHeaders } from './gates.ts';

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
    send({ result: formatEvent(version, event) });
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
        send({ result: formatEvent(version, event) });
    else send({ fault: outcome.fault });
    stream.end();
  };
  c.executionCtx.waitUntil(finish());
  return new Response(stream.readable, {
    headers: { ...corsHeaders, ...STREAM_HEADERS, 'x-request-id': c.get('requestId'), ...listActivatedHeaders(c) },
  });
}
