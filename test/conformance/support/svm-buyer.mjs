// Pays by the official client of x402 on Solana: reads a PaymentRequired from standard input, prints the payment payload.
// Its node is a stub on loopback: the mint of USDC, and a recent block. Nothing else is asked, and no other network.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { x402Client } from '@x402/core/client';
import { ExactSvmScheme } from '@x402/svm/exact/client';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const BLOCKHASH = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N';
const DECIMALS_AT = 44;
const INITIALIZED_AT = 45;

/** The account of a mint with six decimals, as the token program lays it out. */
const mint = Buffer.alloc(82);
mint[DECIMALS_AT] = 6;
mint[INITIALIZED_AT] = 1;

const results = {
  getAccountInfo: {
    context: { slot: 1 },
    value: {
      data: [mint.toString('base64'), 'base64'],
      executable: false,
      lamports: 1,
      owner: TOKEN_PROGRAM,
      rentEpoch: 0,
      space: mint.length,
    },
  },
  getLatestBlockhash: { context: { slot: 1 }, value: { blockhash: BLOCKHASH, lastValidBlockHeight: 1000 } },
};

const server = createServer(async (request, response) => {
  const { id, method } = JSON.parse(await text(request));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
try {
  const required = JSON.parse(await text(process.stdin));
  const signer = await createKeyPairSignerFromPrivateKeyBytes(Buffer.alloc(32, Number(process.argv[2] ?? 7)));
  const rpcUrl = `http://127.0.0.1:${server.address().port}`;
  const [{ network }] = required.accepts;
  const client = new x402Client().register(network, new ExactSvmScheme(signer, { rpcUrl }));
  const payload = await client.createPaymentPayload(required);
  process.stdout.write(JSON.stringify({ payer: signer.address, payload }));
} finally {
  server.close();
}
