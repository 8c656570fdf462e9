import { setTimeout as sleep } from 'node:timers/promises';
import { ChainUnreachable } from '../../payment/chain/chain.ts';
import { AUTHORIZATION_TYPES } from '../../payment/terms/constants.ts';
import type { Fetched, FetchTarget } from '../../net/fetched.ts';
import { findMppOffer } from '../../seller/attempts/mpp-offer.ts';
import type { PaymentAuthorization } from '../../payment/terms/authorization.ts';
import type { AttemptProtocol, PayableOffer, PayableWay } from '../../seller/attempts/payable.ts';
import {
  type AttemptPorts,
  type AttemptsResult,
  type SignOutcome,
  trySeller,
} from '../../seller/attempts/try-seller.ts';
import { findX402Offer } from '../../seller/attempts/x402-offer.ts';
import { type MppReading, readMppChallenges } from '../../seller/reading/mpp-challenges.ts';
import type { SellerReading } from '../../seller/reading/sighting.ts';
import { readX402Terms, type X402Reading } from '../../seller/reading/x402-terms.ts';
import { createBuyerTools } from '../buy/tools.ts';
import { formatUsdc, guardSigner, type SpendCounter, SpendingRefused } from '../buy/spending.ts';
import { type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';
import type { AttemptValues } from './attempt-options.ts';
import { sendAsBuyer } from './send-as-buyer.ts';
import { isTriedOn, openTestWallet, type TestWallet } from './test-wallet.ts';

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
  const offer = await chooseOffer(reading, values['pay-by']);
  if (offer === undefined || !isTriedOn(offer.network.id))
    return refuseCommand(
      'nothing_to_try',
      'The seller offers no way to pay that can be tried: x402 v2 (exact) or MPP (evm, charge), USDC on Base or Base Sepolia.',
      EXIT.below,
    );
  const otherUrl = readOtherRoute(values['other-route'], reading.url);
  if (isFailure(otherUrl)) return otherUrl;
  const wallet = await openTestWallet({
    file: values['test-wallet'] ?? '',
    rpc: values.rpc ?? env['RPC_URL'],
    sellerHost: reading.url.hostname,
    network: offer.network,
  });
  if (isFailure(wallet)) return wallet;
  if (reading.url.protocol !== 'https:' && !wallet.isLocal)
    return refuseUsage('Payments are sent by https, or to this machine.');
  const cap = BigInt(Math.floor(Number(values['max-usd'] ?? DEFAULT_CAP_USD) * 1_000_000));
  const { protocol } = offer;
  const ports = createPorts(reading, wallet, { cap, data: values.data, protocol });
  return trySeller(ports, { url: reading.url.href, otherUrl, protocol });
}

type Offered = { x402: X402Reading; mpp: MppReading };

/** What can be tried: by the protocol that was asked for, else by x402 before MPP. */
async function chooseOffer(
  { x402, mpp }: Offered,
  protocol: AttemptProtocol | undefined,
): Promise<PayableOffer | undefined> {
  const byX402 = protocol !== 'mpp' && x402.state === 'read' ? findX402Offer(x402.terms) : undefined;
  if (byX402 !== undefined || protocol === 'x402') return byX402;
  return mpp.state === 'read' ? findMppOffer(mpp.challenges) : undefined;
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
  { cap, data, protocol }: { cap: bigint; data: string | undefined; protocol: AttemptProtocol },
): AttemptPorts {
  const method = reading.offered?.role === 'get' ? 'GET' : 'POST';
  const body = method === 'POST' ? (data ?? '{}') : undefined;
  const tools = createBuyerTools({ loopback: wallet.isLocal });
  const typed: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const send = (
    headers: Readonly<Record<string, string>>,
    at: { url?: string; signal?: AbortSignal } = {},
  ): Promise<Fetched> => {
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
    quote: async () => readQuote(await send({}), protocol),
    present: send,
    readBalance: () => readBalance(wallet),
    nowS: () => Math.floor(Date.now() / 1000),
    sleep: (ms) => sleep(ms),
  };
}

async function readQuote(answer: Fetched, protocol: AttemptProtocol): Promise<PayableOffer | undefined> {
  if (!answer.ok || answer.status !== 402) return undefined;
  const mpp = readMppChallenges(answer.headers['www-authenticate']);
  return chooseOffer({ x402: readX402Terms(answer.headers, answer.bytes), mpp }, protocol);
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
  return async (authorization: PaymentAuthorization, way: PayableWay): Promise<SignOutcome> => {
    const value = BigInt(authorization.value);
    if (sum + value > cap)
      return { ok: false, detail: `Not tried: it would be signed for more than ${formatUsdc(cap)} (--max-usd)` };
    const { id: network } = way.network;
    if (!isTriedOn(network)) return { ok: false, detail: `Not tried: nothing is signed on ${way.network.name}` };
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
  { from, to, value, validAfter, validBefore, nonce }: PaymentAuthorization,
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
