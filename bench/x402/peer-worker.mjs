/**
 * The official middleware on the same 19 routes with the same prices, and a constant handler. It is built inside the
 * first request, as Workers demand: module scope may not do I/O. `BAZAAR` = `1` adds the discovery block that ours has.
 */
import { HTTPFacilitatorClient } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/hono';
import { Hono } from 'hono';
import bazaar from '../../src/capabilities/bazaar.generated.json';
import offers from 'bench:offers';

const NETWORK = 'eip155:8453';
const app = new Hono();
let middleware;

app.get('/health', (c) => c.text('ok')); // Before the middleware, which must be built by one of its own routes.
app.use((c, next) => (middleware ??= build(c.env))(c, next));
for (const { name } of offers) {
  app.post(`/api/agent/${name}`, async (c) => c.json({ capability: name, url: (await c.req.json()).url }));
}

function build({ BAZAAR, FACILITATOR_URL, PAY_TO }) {
  const routes = {};
  for (const { name, priceUsd, summary } of offers) {
    routes[`POST /api/agent/${name}`] = {
      accepts: { scheme: 'exact', price: `$${priceUsd}`, network: NETWORK, payTo: PAY_TO },
      description: summary,
      mimeType: 'application/json',
      ...(BAZAAR === '1' ? { extensions: { bazaar: bazaar[name] } } : {}),
    };
  }
  const facilitator = new HTTPFacilitatorClient({ url: FACILITATOR_URL });
  return paymentMiddleware(routes, new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmScheme()));
}

export default app;
