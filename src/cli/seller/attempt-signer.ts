import type { PaymentAuthorization } from '../../payment/terms/authorization.ts';
import { AUTHORIZATION_TYPES, MICRO_USDC_PER_USD } from '../../payment/terms/constants.ts';
import type { PaymentNetwork } from '../../payment/terms/networks-data.ts';
import { type NotTriedReason, type PayableWay, refuseChangedNetwork } from '../../seller/attempts/payable.ts';
import type { AttemptPorts, SignOutcome } from '../../seller/attempts/try-seller.ts';
import { DEFAULT_MAX_USD_PER_DAY, DEMO_MAX_USD_PER_DAY } from '../buy/order.ts';
import { formatUsdc, guardSigner, type SpendCounter, SpendingRefused } from '../buy/spending.ts';
import type { TestWallet } from './test-wallet.ts';

const refuse = (reason: NotTriedReason, detail: string): SignOutcome => ({ ok: false, reason, detail });

/**
 * Signs on the network that the wallet was opened for, and while the sum of what was signed stays within the cap. Only that
 * network's money is known to be worth nothing: a signature for another one could be cashed. Each message is judged once more
 * at the signature (rule A9).
 */
export function createAttemptSigner(
  { account, network, isLocal }: Pick<TestWallet, 'account' | 'network' | 'isLocal'>,
  counter: SpendCounter,
  cap: bigint,
): AttemptPorts['sign'] {
  let sum = 0n;
  // This command and `sightline buy` count together.
  const maxUsdPerDay = isLocal ? DEMO_MAX_USD_PER_DAY : DEFAULT_MAX_USD_PER_DAY;
  return async (authorization: PaymentAuthorization, way: PayableWay): Promise<SignOutcome> => {
    const { id } = network;
    if (!isSameNetwork(way.network, network)) return refuseChangedNetwork();
    const value = BigInt(authorization.value);
    if (sum + value > cap)
      return refuse('cap_reached', `Not tried: it would be signed for more than ${formatUsdc(cap)} (--max-usd)`);
    const allowance = {
      network: id,
      payTo: way.payTo as `0x${string}`, // Its form was judged when the terms were read.
      catalogueMicroUsdc: way.amount,
      maxMicroUsdc: way.amount,
      maxMicroUsdcPerDay: BigInt(maxUsdPerDay * MICRO_USDC_PER_USD),
    };
    sum += value; // Before the wait: two at once must not pass the cap together.
    try {
      const signer = guardSigner(account, allowance, counter, Date.now);
      return { ok: true, signature: await signer.signTypedData(buildTypedData(authorization, network)) };
    } catch (error) {
      if (!(error instanceof SpendingRefused)) throw error;
      sum -= value;
      return refuse('spending_refused', `Not signed: ${error.message}`);
    }
  };
}

/** Whether a signature for one is a signature for the other: by name, chain, token and EIP-712 domain. */
const isSameNetwork = (one: PaymentNetwork, other: PaymentNetwork): boolean =>
  one.id === other.id &&
  one.chainId === other.chainId &&
  one.usdcLower === other.usdcLower &&
  one.domain.name === other.domain.name &&
  one.domain.version === other.domain.version;

/** @param network that of the wallet, never what the terms say */
const buildTypedData = (
  { from, to, value, validAfter, validBefore, nonce }: PaymentAuthorization,
  network: PaymentNetwork,
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
