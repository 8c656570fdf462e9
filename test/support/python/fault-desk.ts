import * as z from 'zod';
import { demoEngines } from '../../../local/demo-engines.ts';
import { type HttpServer, readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { type FaultFacilitator, startFaultFacilitator } from '../stack/fault-facilitator.ts';
import { type LossyProxy, startLossyProxy } from './lossy-proxy.ts';

const planSchema = z.strictObject({
  /** What goes wrong with the next paid requests between client and service. */
  proxy: z.array(z.enum(['lose_request', 'lose_answer', 'cut_answer', 'in_progress', 'busy', 'gateway'])).default([]),
  /** What goes wrong with every settlement from now on. */
  settle: z
    .enum(['none', 'hang_after', 'reset_after', '500_json_after', 'settlement_pending_after', '503_text'])
    .default('none'),
});

/** A local stack whose faults a program of another language chooses by HTTP: POST what goes wrong, GET what was paid. */
export type FaultDesk = { stack: Stack; desk: HttpServer; proxy: LossyProxy; stop: () => Promise<void> };

export async function startFaultDesk(): Promise<FaultDesk> {
  let facilitator: FaultFacilitator | undefined;
  const stack = await startStack({
    bindings: demoEngines,
    facilitatorFor: async (url) => {
      facilitator = await startFaultFacilitator(url);
      return facilitator.url;
    },
  });
  const proxy = await startLossyProxy(stack.api.url);
  const desk = await startHttpServer(async (request, response) => {
    if (request.method === 'POST') {
      const plan = planSchema.parse(JSON.parse(await readBody(request)));
      proxy.plan(plan.proxy);
      facilitator?.set('settle', plan.settle);
      proxy.payments.length = 0;
    }
    return sendJson(response, 200, {
      payments: proxy.payments,
      received: String(await stack.chain.balance(stack.seller.address)),
    });
  });
  return {
    stack,
    desk,
    proxy,
    stop: async () => {
      await desk.stop();
      await proxy.stop();
      await stack.stop();
      await facilitator?.stop();
    },
  };
}
