import { setTimeout as sleep } from 'node:timers/promises';
import { ChainUnreachable } from '../../payment/chain/chain.ts';
import { AUTHORIZATION_TYPES } from '../../payment/terms/constants.ts';
import type { Fetched, FetchTarget } from '../../net/fetched.ts';
import { type TriedAuthorization, findPayableWay, type PayableWay } from '../../seller/attempts/credential.ts';
import {
  type AttemptPorts,
  type AttemptsResult,
  type SignOutcome,
  trySeller,
} from '../../seller/attempts/try-seller.ts';
import type { SellerReading } from '../../seller/reading/sighting.ts';
import { readX402Terms, type X402Terms } from '../../seller/reading/x402-terms.ts';
import { createBuyerTools } from '../buy/tools.ts';
import { formatUsdc, guardSigner, isSignedOn, type SpendCounter, SpendingRefused } from '../buy/spending.ts';
import { type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';
import type { AttemptValues } from './attempt-options.ts';
import { sendAsBuyer } from './send-as-buyer.ts';
import { openTestWallet, type TestWallet } from './test-wallet.ts';

/** The most that one run signs for, in USD, unless the caller says otherwise. */
const DEFAULT_CAP_USD = 1;
/** The most that is signed for in a day, by this command and `sightline buy` together, in micro-USDC. */
const MAX_PER_DAY = 20_000_000n;
const DEMO_MAX_PER_DAY = 10_000_000_000n;
/** Tries the seller with test money. Refused where money could be real, or nothing can be paid. */
export async function tryByWallet(
  reading: SellerReading,
  values: AttemptValues,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AttemptsResult | CommandFailure> {
  const way = reading.x402.state === 'read' ? findPayableWay(reading.x402.terms) : undefined;
  if (way === undefined || !isSignedOn(way.network.id))
    return refuseCommand(
      'nothing_to_try',
      'The seller offers no way to pay that can be tried: x402 v2, exact, USDC on Base or Base Sepolia.',
      EXIT.below,
    );
  const otherUrl = readOtherRoute(values['other-route'], reading.url);
  if (isFailure(otherUrl)) return otherUrl;
  const wallet = await openTestWallet({
    file: values['test-wallet'] ?? '',
    rpc: values.rpc ?? env['RPC_URL'],
    sellerHost: reading.url.hostname,
    network: way.network,
  });
  if (isFailure(wallet)) return wallet;
  if (reading.url.protocol !== 'https:' && !wallet.isLocal)
    return refuseUsage('Payments are sent by https, or to this machine.');
  const cap = BigInt(Math.floor(Number(values['max-usd'] ?? DEFAULT_CAP_USD) * 1_000_000));
  return trySeller(createPorts(reading, wallet, { cap, data: values.data }), { url: reading.url.href, otherUrl });
}

/** Another address of the same origin: a payment of ours goes nowhere else. */
function readOtherRoute(given: string | undefined, url: URL): string | undefined | CommandFailure {
  if (given === undefined) return undefined;
  const other = URL.parse(given, url.href);
  return other?.origin === url.origin
    ? other.href
    : refuseUsage('--other-route takes a path, or an address of the same origin.');
}

function createPorts(
  reading: SellerReading,
  wallet: TestWallet,
  { cap, data }: { cap: bigint; data: string | undefined },
): AttemptPorts {
  const method = reading.offered?.role === 'get' ? 'GET' : 'POST';
  const body = method === 'POST' ? (data ?? '{}') : undefined;
  const tools = createBuyerTools({ loopback: wallet.isLocal });
  const typed: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const send = (headers: Record<string, string>, at: { url?: string; signal?: AbortSignal } = {}): Promise<Fetched> => {
    const target: FetchTarget = {
      url: at.url ?? reading.url.href,
      method,
      headers: { accept: 'application/json', ...typed, ...headers },
      ...(body === undefined ? {} : { body }),
    };
    return sendAsBuyer(reading.url.origin, target, tools, at.signal);
  };
  return {
    payer: wallet.account.address,
    sign: createSigner(wallet, tools.counter, cap),
    quote: async () => readQuote(await send({})),
    present: (credential, at) => send({ 'payment-signature': credential }, at),
    readBalance: () => readBalance(wallet),
    nowS: () => Math.floor(Date.now() / 1000),
    sleep: (ms) => sleep(ms),
  };
}

function readQuote(answer: Fetched): X402Terms | undefined {
  if (!answer.ok || answer.status !== 402) return undefined;
  const read = readX402Terms(answer.headers, answer.bytes);
  return read.state === 'read' ? read.terms : undefined;
}

async function readBalance({ chain, account }: TestWallet): Promise<bigint | undefined> {
  try {
    return await chain.balanceOf(account.address);
  } catch (error) {
    if (error instanceof ChainUnreachable) return undefined;
    throw error;
  }
}

/** Signs while the sum of what was signed stays within the cap; each message is judged once more at the signature (rule A9). */
function createSigner({ account, isLocal }: TestWallet, counter: SpendCounter, cap: bigint): AttemptPorts['sign'] {
  let sum = 0n;
  return async (authorization: TriedAuthorization, way: PayableWay): Promise<SignOutcome> => {
    const value = BigInt(authorization.value);
    if (sum + value > cap)
      return { ok: false, detail: `Not tried: it would be signed for more than ${formatUsdc(cap)} (--max-usd)` };
    const { id: network } = way.network;
    if (!isSignedOn(network)) return { ok: false, detail: `Not tried: nothing is signed on ${way.network.name}` };
    const allowance = {
      network,
      payTo: way.payTo as `0x${string}`, // Its form was judged when the terms were read.
      catalogueMicroUsdc: way.amount,
      maxMicroUsdc: way.amount,
      maxMicroUsdcPerDay: isLocal ? DEMO_MAX_PER_DAY : MAX_PER_DAY,
    };
    const signer = guardSigner(account, allowance, counter, Date.now);
    try {
      const signature = await signer.signTypedData(buildTypedData(authorization, way));
      sum += value;
      return { ok: true, signature };
    } catch (error) {
      if (error instanceof SpendingRefused) return { ok: false, detail: `Not signed: ${error.message}` };
      throw error;
    }
  };
}

const buildTypedData = (
  { from, to, value, validAfter, validBefore, nonce }: TriedAuthorization,
  { network }: PayableWay,
) => ({
  domain: { ...network.domain, chainId: network.chainId, verifyingContract: network.usdc },
  types: AUTHORIZATION_TYPES,
  primaryType: 'TransferWithAuthorization',
  message: {
    from,
    to,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
  },
});
