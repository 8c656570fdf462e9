// A seller made of the official server of MPP, in a process of its own: it prints its port and sells POST /paid/report.
import { createServer } from 'node:http';
import { charge } from 'mppx/evm/server';
import { Mppx } from 'mppx/server';

const [, , recipient, currency, chainId] = process.argv;
const payment = Mppx.create({
  secretKey: 'a-secret-of-this-test-that-is-long-enough',
  realm: '127.0.0.1',
  methods: [
    charge({
      authorization: { name: 'USD Coin', version: '2' },
      chainId: Number(chainId),
      currency,
      decimals: 6,
      recipient,
      settle: async () => ({ reference: `0x${'5e'.repeat(32)}` }),
    }),
  ],
});

const server = createServer(async (incoming, outgoing) => {
  const url = `http://${incoming.headers.host}${incoming.url}`;
  const isSold = incoming.url === '/paid/report' && incoming.method === 'POST';
  const answer = isSold
    ? await sell(new Request(url, { method: 'POST', headers: incoming.headers }))
    : new Response('{"error":"not found"}', { status: 404 });
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
});

async function sell(request) {
  const result = await payment.charge({ amount: '0.06' })(request);
  return result.status === 402 ? result.challenge : result.withReceipt(Response.json({ report: 1 }));
}

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
