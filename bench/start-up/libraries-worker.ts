import { Hono } from 'hono';
import { createPublicClient, http, verifyTypedData } from 'viem';
import { base } from 'viem/chains';
import * as z from 'zod';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const hex = z.string().regex(/^0x[0-9a-fA-F]*$/);
const body = z.object({ from: address, to: address, value: z.string().regex(/^\d+$/), nonce: hex, signature: hex });
const types = {
  Transfer: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;
type Hex = `0x${string}`;

/** The least that is made of the libraries that the api Worker is made of: a route, a body, a signature and a node. */
const app = new Hono();
app.get('/health', (c) => c.json({ status: 'ok' }));
app.post('/signed', async (c) => {
  const { from, to, value, nonce, signature } = body.parse(await c.req.json());
  const [payer, payee] = [from as Hex, to as Hex];
  const message = { from: payer, to: payee, value: BigInt(value), nonce: nonce as Hex };
  const domain = { name: 'example', version: '1', chainId: base.id };
  const signed = {
    address: payer,
    domain,
    types,
    primaryType: 'Transfer',
    message,
    signature: signature as Hex,
  } as const;
  const block = await createPublicClient({ chain: base, transport: http() }).getBlockNumber();
  return c.json({ isSigned: await verifyTypedData(signed), block: String(block) });
});

export default app;
