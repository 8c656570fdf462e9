import type { Sale } from '../../ledger/protocol.ts';
import type { PaymentNetwork } from '../../terms/networks-data.ts';
import { METHOD } from './challenge.ts';
import { encodeJson } from './encoding.ts';

/** Names of the sold payment on the wire: of the header, and of JSON transports. */
export type MppReceipt = {
  status: 'success';
  method: typeof METHOD;
  /** RFC 3339. */
  timestamp: string;
  /** The transaction of the settlement. */
  reference: string;
  challengeId?: string;
  chainId: number;
};

type SoldOnChain = Pick<Sale, 'transaction' | 'settledAtMs'>;

/** The receipt of a sale: the same for every repeat of the request. Failures have none. */
export const buildMppReceipt = (
  { transaction, settledAtMs }: SoldOnChain,
  challengeId: string | undefined,
  { chainId }: Pick<PaymentNetwork, 'chainId'>,
): MppReceipt => ({
  status: 'success',
  method: METHOD,
  timestamp: new Date(settledAtMs).toISOString(),
  reference: transaction,
  ...(challengeId === undefined ? {} : { challengeId }),
  chainId,
});

/** The header that proves a sale; of a sale that other rails show, no challenge is known. */
export const proveMppSale = (
  sale: SoldOnChain,
  network: PaymentNetwork,
  challengeId?: string,
): { 'payment-receipt': string } => ({
  'payment-receipt': encodeJson(buildMppReceipt(sale, challengeId, network)),
});
