// A seller made of the official server of MPP, in a process of its own: it prints its port and sells POST /paid/report and
// POST /paid/other at one price. Its settings are JSON: `lifeS` is how long a challenge is good, `fault` what is wrong.
import { createServer } from 'node:http';
import { Credential, Receipt } from 'mppx';
import { charge } from 'mppx/evm/server';
import { Mppx } from 'mppx/server';

const { recipient, currency, chainId, facilitator, lifeS, fault } = JSON.parse(process.argv[2]);
const reference = `0x${'5e'.repeat(32)}`;
const payment = Mppx.create({
  secretKey: 'a-secret-of-this-test-that-is-long-enough',
  realm: '127.0.0.1',
  methods: [
    charge({
      authorization: { name: 'USD Coin', version: '2' },
      chainId,
      currency,
      decimals: 6,
      recipient,
      x402: { facilitator },
      ...(fault === 'settles anything' ? { settle: async () => ({ reference }) } : {}),
    }),
  ],
});

let sales = 0;
const deliver = () => Response.json({ report: (sales += 1) });

const server = createServer(async (incoming, outgoing) => {
  const url = `http://${incoming.headers.host}${incoming.url}`;
  const isSold = incoming.url.startsWith('/paid/') && incoming.method === 'POST';
  const answer = isSold
    ? await sell(new Request(url, { method: 'POST', headers: incoming.headers }))
    : new Response('{"error":"not found"}', { status: 404 });
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
});

async function sell(request) {
  if (fault?.startsWith('trusts') && isFullyPaid(request.headers.get('authorization'))) {
    const receipt = Receipt.from({ method: 'evm', status: 'success', reference, timestamp: new Date().toISOString() });
    const answer = deliver();
    answer.headers.set('payment-receipt', Receipt.serialize(receipt));
    return answer;
  }
  const expires = lifeS === undefined ? {} : { expires: new Date(Date.now() + lifeS * 1000).toISOString() };
  const result = await payment.charge({ amount: '0.06', ...expires })(request);
  return result.status === 402 ? result.challenge : result.withReceipt(deliver());
}

/** Judges a payment by the challenge that it brings, as one must not. */
function isFullyPaid(header) {
  if (header === null || !header.startsWith('Payment ')) return false;
  try {
    const { challenge, payload } = Credential.deserialize(header);
    return payload.value === challenge.request.amount && Number(payload.validBefore) * 1000 > Date.now();
  } catch {
    return false;
  }
}

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
