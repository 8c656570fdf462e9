import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Address } from 'viem';
import * as z from 'zod';
import { createDiscoveryListing } from './listing.ts';
import { createFundedClient, type ChainClient } from './chain.ts';
import { BASE_TOKEN } from './usdc.ts';
import { readBody, sendJson, startHttpServer } from '../http-server.ts';

const formatNetwork = (chainId: number) => `eip155:${chainId}` as const;
const CONFIRMATION_TIMEOUT_MS = 30_000;

/** A running facilitator. `address` pays the gas of settlements and appears in `GET /supported`. */
export type Facilitator = { url: string; port: number; address: Address; stop: () => Promise<void> };

const callSchema = z.object({
  paymentPayload: z.custom<PaymentPayload>(isObject),
  paymentRequirements: z.custom<PaymentRequirements>(isObject),
});

export type FacilitatorSettings = {
  rpcUrl: string;
  port?: number;
  /** The contracts that it calls to deploy a wallet before its payment (ERC-6492); none unless they are named. */
  walletFactories?: readonly Address[] | undefined;
};

/**
 * Serves `/supported`, `/verify` and `/settle` of the official facilitator for USDC on the local chain at `rpcUrl`, and lists
 * what it settles at `/discovery/resources`.
 */
export async function startFacilitator(
  { rpcUrl, port = 0, walletFactories = [] }: FacilitatorSettings,
  token = BASE_TOKEN,
): Promise<Facilitator> {
  const { client, key } = await createFundedClient(rpcUrl, undefined, token);
  const network = formatNetwork(token.chainId);
  const scheme = new ExactEvmScheme(createFacilitatorSigner(client), { eip6492AllowedFactories: [...walletFactories] });
  const facilitator = new x402Facilitator().register(network, scheme);
  const parts = { facilitator, listing: createDiscoveryListing() };
  const server = await startHttpServer((request, response) => answer(parts, request, response), port);
  return { ...server, address: key.address };
}

type Parts = { facilitator: x402Facilitator; listing: ReturnType<typeof createDiscoveryListing> };

async function answer(
  { facilitator, listing }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const route = `${request.method} ${path}`;
  if (route === 'GET /discovery/resources') return sendJson(response, 200, listing.read(new URLSearchParams(query)));
  if (route === 'GET /supported') return sendJson(response, 200, facilitator.getSupported());
  if (route !== 'POST /verify' && route !== 'POST /settle') return sendJson(response, 404, { error: 'not found' });
  const call = callSchema.safeParse(parseJson(await readBody(request)));
  if (!call.success) return sendJson(response, 400, { error: 'invalid_payload' });
  const { paymentPayload, paymentRequirements } = call.data;
  if (route === 'POST /verify')
    return sendJson(response, 200, await verify(facilitator, paymentPayload, paymentRequirements));
  const settled = await settle(facilitator, paymentPayload, paymentRequirements);
  if (settled.success) listing.settled(paymentPayload, paymentRequirements);
  return sendJson(response, 200, settled);
}

/** The official parts throw for networks and schemes they do not know: on the wire that is a plain refusal. */
async function verify(
  facilitator: x402Facilitator,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Promise<unknown> {
  try {
    return await facilitator.verify(payload, requirements);
  } catch (error) {
    return { isValid: false, invalidReason: 'unexpected_verify_error', invalidMessage: String(error) };
  }
}

type Settled = { success: boolean; errorReason?: string; errorMessage?: string; transaction: string; network: string };

async function settle(
  facilitator: x402Facilitator,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Promise<Settled> {
  try {
    return await facilitator.settle(payload, requirements);
  } catch (error) {
    const network = typeof requirements.network === 'string' ? requirements.network : formatNetwork(BASE_TOKEN.chainId);
    return {
      success: false,
      errorReason: 'unexpected_settle_error',
      errorMessage: String(error),
      transaction: '',
      network,
    };
  }
}

function createFacilitatorSigner(client: ChainClient): ReturnType<typeof toFacilitatorEvmSigner> {
  // One send at a time: two settlements that fetch the same account nonce would refuse one good payment.
  let lastSend: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(send: () => Promise<T>): Promise<T> => {
    const mine = lastSend.then(send, send);
    lastSend = mine;
    return mine;
  };
  return toFacilitatorEvmSigner(
    {
      address: client.account.address,
      readContract: (call) => client.readContract({ ...call, args: call.args ?? [] }),
      verifyTypedData: (call) => client.verifyTypedData(verifyCall(call)),
      writeContract: (call) => inTurn(() => client.writeContract(writeCall(call))),
      sendTransaction: (call) => inTurn(() => client.sendTransaction(call)),
      waitForTransactionReceipt: (call) => client.waitForTransactionReceipt(call),
      getCode: (call) => client.getCode(call),
    },
    { confirmationTimeoutMs: CONFIRMATION_TIMEOUT_MS },
  );
}

type VerifyCall = Parameters<ChainClient['verifyTypedData']>[0];
type WriteCall = Parameters<ChainClient['writeContract']>[0];

// Both casts hold because the official signer passes viem's own parameters on, and only types them more loosely.
const verifyCall = (call: unknown): VerifyCall => call as VerifyCall;
const writeCall = (call: unknown): WriteCall => call as WriteCall;

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** undefined for text that is not JSON; the schema refuses it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
