import { randomBytes } from 'node:crypto';
import { readBody, startHttpServer } from '../http-server.ts';
import { createStandIn, type StripeStandIn } from './stand-in.ts';

const SECRET_BYTES = 24;

/** The stand-in on a port of this machine, with keys of its own that are made at each start. */
export type LocalStripe = StripeStandIn & {
  url: string;
  port: number;
  /** What the api Worker gets: its keys, and where the API is. */
  bindings: Record<string, string>;
  stop: () => Promise<void>;
};

/** @param webhookUrl where events are sent */
export async function startStripe({ port, webhookUrl }: { port: number; webhookUrl: string }): Promise<LocalStripe> {
  const secretKey = `sk_test_${randomBytes(SECRET_BYTES).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(SECRET_BYTES).toString('hex')}`;
  let url = '';
  const standIn = createStandIn({
    secretKey,
    webhookSecrets: [webhookSecret],
    url: () => url,
    webhookUrl: () => webhookUrl,
  });
  const server = await startHttpServer(async (request, response) => {
    const { method = 'GET', headers } = request;
    const body = method === 'POST' ? await readBody(request) : undefined;
    const answer = await standIn.answer(
      new Request(`${url}${request.url ?? '/'}`, {
        method,
        headers: Object.entries(headers).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as [string, string]] : [],
        ),
        ...(body === undefined ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  }, port);
  ({ url } = server);
  return {
    ...standIn,
    ...server,
    bindings: { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, LOCAL_STRIPE_API: server.url },
  };
}
