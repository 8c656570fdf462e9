import { setTimeout as sleep } from 'node:timers/promises';
import { ChainUnreachable } from '../../payment/chain/chain.ts';
import type { Fetched, FetchTarget } from '../../net/fetched.ts';
import { findMppOffer } from '../../seller/attempts/mpp-offer.ts';
import {
  type AttemptProtocol,
  type IsPayable,
  type PayableOffer,
  refuseChangedNetwork,
} from '../../seller/attempts/payable.ts';
import {
  type AttemptPorts,
  type AttemptsResult,
  type QuotedOffer,
  trySeller,
} from '../../seller/attempts/try-seller.ts';
import { findX402Offer } from '../../seller/attempts/x402-offer.ts';
import { type MppReading, readMppChallenges } from '../../seller/reading/mpp-challenges.ts';
import type { SellerReading } from '../../seller/reading/sighting.ts';
import { readX402Terms, type X402Reading } from '../../seller/reading/x402-terms.ts';
import { createBuyerTools } from '../buy/tools.ts';
import { type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';
import type { AttemptValues } from './attempt-options.ts';
import { createAttemptSigner } from './attempt-signer.ts';
import { createBuyerFetch } from './send-as-buyer.ts';
import { isTriedOn, openTestWallet, type TestWallet } from './test-wallet.ts';

/** The most that one run signs for, in USD, unless the caller says otherwise. */
const DEFAULT_CAP_USD = 1;

/** Tries the seller with test money. Refused where money could be real, or nothing can be paid. */
export async function tryByWallet(
  reading: SellerReading,
  values: AttemptValues,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AttemptsResult | CommandFailure> {
  const offer = await chooseOffer(reading, ({ id }) => isTriedOn(id), values['pay-by']);
  if (offer === undefined)
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

/** What can be tried on these networks: by the protocol that was asked for, else by x402 before MPP. */
async function chooseOffer(
  { x402, mpp }: Offered,
  isPayable: IsPayable,
  protocol: AttemptProtocol | undefined,
): Promise<PayableOffer | undefined> {
  const byX402 = protocol !== 'mpp' && x402.state === 'read' ? findX402Offer(x402.terms, isPayable) : undefined;
  if (byX402 !== undefined || protocol === 'x402') return byX402;
  return mpp.state === 'read' ? findMppOffer(mpp.challenges, isPayable) : undefined;
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
  const { counter } = createBuyerTools({ loopback: wallet.isLocal });
  const ask = createBuyerFetch(reading.url.href);
  const typed: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const send = async (
    headers: Readonly<Record<string, string>>,
    at: { url?: string; signal?: AbortSignal } = {},
  ): Promise<Fetched> => {
    const target: FetchTarget = {
      url: at.url ?? reading.url.href,
      method,
      headers: { accept: 'application/json', ...typed, ...headers },
      ...(body === undefined ? {} : { body }),
    };
    return refuseRedirect(await ask(target, at.signal));
  };
  return {
    payer: wallet.account.address,
    sign: createAttemptSigner(wallet, counter, cap),
    quote: async () => readQuote(await send({}), wallet, protocol),
    present: send,
    readBalance: () => readBalance(wallet),
    nowS: () => Math.floor(Date.now() / 1000),
    sleep: (ms) => sleep(ms),
  };
}

/** A redirect is no answer to a payment: where it leads is not asked. */
function refuseRedirect(answer: Fetched): Fetched {
  if (!answer.ok || answer.status < 300 || answer.status >= 400) return answer;
  const { redirects, elapsedMs, status } = answer;
  return { ok: false, reason: 'bad_redirect', detail: `a redirect (${status}), not followed`, redirects, elapsedMs };
}

const NO_TERMS: QuotedOffer = { ok: false, reason: 'no_terms', detail: 'No terms came that can be tried' };

/** Terms on the network of the wallet; those of other networks are skipped, and not tried where there are no others. */
async function readQuote(answer: Fetched, { network }: TestWallet, protocol: AttemptProtocol): Promise<QuotedOffer> {
  if (!answer.ok || answer.status !== 402) return NO_TERMS;
  const mpp = readMppChallenges(answer.headers['www-authenticate']);
  const offered = { x402: readX402Terms(answer.headers, answer.bytes), mpp };
  const offer = await chooseOffer(offered, ({ id }) => id === network.id, protocol);
  if (offer !== undefined) return { ok: true, offer };
  return (await chooseOffer(offered, () => true, protocol)) === undefined ? NO_TERMS : refuseChangedNetwork();
}

async function readBalance({ chain, account }: TestWallet): Promise<bigint | undefined> {
  try {
    return await chain.balanceOf(account.address);
  } catch (error) {
    if (error instanceof ChainUnreachable) return undefined;
    throw error;
  }
}
