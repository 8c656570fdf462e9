import { isText } from '../../../lib/json.ts';
import { MAX_TIMEOUT_S } from '../../../payment/terms/constants.ts';
import { BASE } from '../../../payment/terms/networks-data.ts';
import type { PageNetwork } from '../../../payment/terms/wallet-chain-data.ts';
import { hasShape, isBoolean, isEither, isFiniteNumber, isListOf, isAbsentOr } from '../parts/shape.ts';
import { parseBase64Json, type Terms } from './payment-signing.ts';

/** What the page agreed on with its reader before anything is asked: a 402 that differs is refused. */
export type Agreed = {
  /** Price in USD with up to six decimals, as the panel shows it. */
  priceUsd: string;
  /** The payee that the panel shows for the network. */
  payTo: string;
  /** Where it is paid; Base where none is named. */
  network?: PageNetwork;
};

const isTerms = hasShape({
  scheme: isText,
  network: isText,
  amount: isText,
  asset: isText,
  payTo: isText,
  maxTimeoutSeconds: isFiniteNumber,
});

export type TransferConditions = {
  readonly confirmations: number | string;
  readonly maxAgeSeconds: number;
  readonly proofRequired: boolean;
};
const isTransferConditions = hasShape({
  confirmations: isEither(isFiniteNumber, isText),
  maxAgeSeconds: isFiniteNumber,
  proofRequired: isBoolean,
});

const isRequired = hasShape({
  x402Version: (value: unknown): value is 2 => value === 2,
  resource: hasShape({ url: isText }),
  accepts: isListOf(isTerms),
  extensions: isAbsentOr(hasShape({ 'direct-transfer': isAbsentOr(hasShape({ info: isTransferConditions })) })),
});
export type PageOffer = {
  resource: { url: string };
  accepted: Terms;
  network: PageNetwork;
  transfer: TransferConditions | undefined;
};
export type JudgedTerms = { ok: true; offer: PageOffer } | TermsRefusal;
/**
 * `differs`: what the service asks for that the page does not show; undefined: its terms cannot be read. `isClosed`: they are of
 * other networks only.
 */
type TermsRefusal = { ok: false; differs: string | undefined; isClosed?: true };

/** The terms in a PAYMENT-REQUIRED header, if they are what the page showed; otherwise why nothing may be signed. */
export function readOffer(header: string | null, agreed: Agreed): JudgedTerms {
  const required = parseBase64Json(header ?? '');
  if (!isRequired(required)) return { ok: false, differs: undefined };
  // The page pays on the network that it agreed on; other entries are for buyers on others, in whatever order.
  const { network = BASE } = agreed;
  const accepted = required.accepts.find((one) => one.network === network.id);
  const [other] = required.accepts;
  if (accepted === undefined)
    return other === undefined
      ? { ok: false, differs: undefined }
      : { ok: false, differs: `network ${other.network}`, isClosed: true };
  const wrong = findDifference(accepted, agreed);
  if (wrong !== undefined) return { ok: false, differs: wrong };
  const { resource, extensions } = required;
  return { ok: true, offer: { resource, accepted, network, transfer: extensions?.['direct-transfer']?.info } };
}

function findDifference(asked: Terms, { priceUsd, payTo, network = BASE }: Agreed): string | undefined {
  if (asked.scheme !== 'exact') return `scheme ${asked.scheme}`;
  if (!isSame(asked.asset, network.usdc)) return `asset ${asked.asset}`;
  if (!isSame(asked.payTo, payTo)) return `payee ${asked.payTo}`;
  if (asked.amount !== convertToMicroUsdc(priceUsd)) return `${asked.amount} micro-USDC instead of ${priceUsd} USDC`;
  if (!(asked.maxTimeoutSeconds > 0 && asked.maxTimeoutSeconds <= MAX_TIMEOUT_S))
    return `an authorization of ${asked.maxTimeoutSeconds} s`;
  return undefined;
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

const DECIMALS = 6;

/** `0.060000` as `60000`: digits are moved, nothing is computed. Undefined for what is no such price. */
export function convertToMicroUsdc(priceUsd: string): string | undefined {
  const match = /^(\d{1,9})\.(\d{1,6})$/.exec(priceUsd);
  if (!match) return undefined;
  return String(Number(`${match[1]}${(match[2] ?? '').padEnd(DECIMALS, '0')}`));
}
