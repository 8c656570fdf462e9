// A seller made of the official server of x402, in a process of its own: it prints its port and sells POST /paid/report and
// POST /paid/other at one price. What @x402/hono and @x402/express add to it is how their frameworks name a request.
import { createServer } from 'node:http';
import { HTTPFacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';
import { registerExactEvmScheme } from '@x402/evm/exact/server';

const [, , payTo, facilitatorUrl] = process.argv;
const resourceServer = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl }));
registerExactEvmScheme(resourceServer);
const route = { accepts: { scheme: 'exact', price: '$0.06', network: 'eip155:8453', payTo } };
const payment = new x402HTTPResourceServer(resourceServer, { 'POST /paid/report': route, 'POST /paid/other': route });
await payment.initialize();

let sales = 0;
const server = createServer(async (incoming, outgoing) => {
  const { pathname, href } = new URL(incoming.url, `http://${incoming.headers.host}`);
  const header = (name) => incoming.headers[name.toLowerCase()];
  const adapter = {
    getHeader: header,
    getMethod: () => incoming.method,
    getPath: () => pathname,
    getUrl: () => href,
    getAcceptHeader: () => header('accept') ?? '',
    getUserAgent: () => header('user-agent') ?? '',
  };
  const send = (status, headers, body) => {
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
    outgoing.end(body);
  };
  const context = { adapter, path: pathname, method: incoming.method, paymentHeader: header('payment-signature') };
  const judged = await payment.processHTTPRequest(context);
  if (judged.type === 'no-payment-required') return send(404, {}, '{"error":"not found"}');
  if (judged.type === 'payment-error') {
    const { status, headers, body } = judged.response;
    return send(status, headers, JSON.stringify(body ?? {}));
  }
  const { paymentPayload, paymentRequirements, declaredExtensions } = judged;
  const body = JSON.stringify({ report: (sales += 1) });
  const settled = await payment.processSettlement(paymentPayload, paymentRequirements, declaredExtensions, {
    request: context,
    responseBody: Buffer.from(body),
  });
  if (settled.success) return send(200, settled.headers, body);
  return send(settled.response.status, settled.response.headers, JSON.stringify(settled.response.body ?? {}));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
