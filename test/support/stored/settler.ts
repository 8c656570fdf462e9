import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import * as z from 'zod';
import type { ChainClient } from '../../../local/chain/chain.ts';
import { readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';
import { USDC } from '../../../local/chain/usdc.ts';

/** What goes wrong with the payments of one payer. */
export type SettlerFault =
  /** A verification gets no answer. */
  | 'silent_verify'
  /** A settlement gets no answer, and nothing moves. */
  | 'silent_settle'
  /** The money moves, and no answer says so. */
  | 'silent_after_settle'
  /** Status 500, and nothing moves. */
  | 'broken_settle'
  /** A refusal. */
  | 'refused_settle';

export type Settler = {
  url: string;
  /** By payer, in lower case. */
  faults: Map<string, SettlerFault>;
  /** Verifications and settlements that were asked for, as `verify <payer>` and `settle <payer>`. */
  asked: string[];
  /** Transactions of settlements, by payer. */
  settled: Map<string, Hex>;
  /** Sends an authorization to the chain, as anyone may. @returns the transaction */
  broadcast: (payload: Payload) => Promise<Hex>;
  stop: () => Promise<void>;
};

const hex = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'));
const payloadSchema = z.object({
  signature: hex,
  authorization: z.object({
    from: hex,
    to: hex,
    value: z.coerce.bigint(),
    validAfter: z.coerce.bigint(),
    validBefore: z.coerce.bigint(),
    nonce: hex,
  }),
});
/** What a payment's payload holds. */
export type Payload = z.infer<typeof payloadSchema>;
export const paymentSchema = z.looseObject({ payload: payloadSchema });
const callSchema = z.object({ paymentPayload: paymentSchema });

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

/**
 * A facilitator that accepts every payment and settles it on a local chain. It has no clock: the chain judges the times of
 * a payment, and it may run at another day.
 */
export async function startSettler(client: ChainClient): Promise<Settler> {
  const faults: Settler['faults'] = new Map();
  const asked: string[] = [];
  const settled: Settler['settled'] = new Map();
  const broadcast = async ({ authorization, signature }: Payload): Promise<Hex> => {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
    const data = encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args });
    const hash = await client.sendTransaction({ to: USDC, data });
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`the authorization of ${from} is no good on chain`);
    return hash;
  };
  const server = await startHttpServer(async (request, response) => {
    const operation = (request.url ?? '/').slice(1);
    const { payload } = callSchema.parse(JSON.parse(await readBody(request))).paymentPayload;
    const payer = payload.authorization.from.toLowerCase();
    const fault = faults.get(payer);
    asked.push(`${operation} ${payer}`);
    if (operation === 'verify') {
      if (fault !== 'silent_verify') sendJson(response, 200, { isValid: true, payer });
      return;
    }
    if (fault === 'silent_settle') return;
    if (fault === 'broken_settle') return sendJson(response, 500, { error: 'internal' });
    const network = 'eip155:8453';
    if (fault === 'refused_settle') {
      const refusal = { success: false, errorReason: 'invalid_transaction_state', transaction: '', network, payer };
      return sendJson(response, 200, refusal);
    }
    const transaction = await broadcast(payload);
    settled.set(payer, transaction);
    if (fault !== 'silent_after_settle') sendJson(response, 200, { success: true, transaction, network, payer });
  });
  return { url: server.url, faults, asked, settled, broadcast, stop: server.stop };
}
