import type { ChainReader } from '../chain/chain.ts';
import type { SvmReader } from '../chain/svm-chain.ts';
import type { Facilitator, SettleOutcome, VerifyOutcome } from '../facilitator/facilitator.ts';
import type { PaymentMethod, Sale } from '../ledger/protocol.ts';
import type { Reconciled, RefusalJudged } from '../ledger/reconcile.ts';
import type { SaleNetwork } from '../terms/networks-data.ts';
import type { CheckedTerms, PricedOffer, TermsClock } from '../terms/terms.ts';
import type { WalletReader } from '../terms/authorization-signer.ts';
import type { RailId } from './rail-ids.ts';
import type { RefusedCredential } from './refuse-credential.ts';
import type { TransferCredential } from './transfer/credential.ts';

export type ParsedPayment = { ok: true; payment: PresentedPayment } | RefusedCredential;

/** A credential as the sale goes on with it: one flow for what is yet to be settled, one for a payment already made. */
export type PresentedPayment = AuthorizedPayment | MadePayment;

/** A payment that was made on chain before it is presented: the chain is read, and the ledger sells it at once. */
export type MadePayment = { flow: 'made'; rail: RailId; credential: TransferCredential };

/** The network that a payment says it is for. A bare hash says none: it is of the first one. */
export const getNetworkId = (payment: PresentedPayment): string | undefined =>
  payment.flow === 'authorization'
    ? payment.networkId
    : payment.credential.proof && payment.credential.accepted.network;

/** What a rail asks about money. A rail on a chain of another kind adds its own reader. */
export type RailPorts = { chain: ChainReader; svm?: SvmReader | undefined; facilitator: Facilitator };

/** What is asked about a settlement whose end is open. */
export type OpenSettlement = {
  payTo: string;
  amountMicroUsdc: number;
  /** The settlement was first tried no earlier than this, in Unix seconds. */
  sinceS: number;
  /** Now, in Unix seconds: what ends soon is looked for no further back than it can have begun. */
  nowS: number;
  /** A settlement was tried before this one, and may still be on its way. */
  wasTried: boolean;
  /** The transaction that the facilitator named, whatever it said of it. */
  named?: string | undefined;
};

/** Our requirements for a payment, as the facilitator gets them. */
type Requirements = (CheckedTerms & { ok: true })['requirements'];

/**
 * A payment that its payer authorised and that a facilitator is to settle. The order of these steps is the sale's: terms,
 * claim, verification, work, settlement, receipt. Nothing here keeps state.
 */
export type AuthorizedPayment = {
  flow: 'authorization';
  rail: RailId;
  /** The network that it says it is for (CAIP-2); without one it is for the first of the deployment. */
  networkId?: string | undefined;
  /** Whose money it is, in the one spelling of keys: shards, limits and lists go by it. */
  payer: string;
  /** As signed; not checked before `checkTerms` has. */
  amountMicroUsdc: number;
  /** What the chain takes once; the ledger keeps both (rules P16, P24). */
  nonce: string;
  validBeforeS: number;
  /** Solana: the recent block that ends it. There no one signs a time. */
  blockhash?: string;
  /** The credential holds a secret that never reaches the chain (rule P1). */
  hasSecret: boolean;
  /** What the credential holds is no secret at all: a repeat takes a proof of the payer, however soon it comes. */
  repeatsByProof?: true;
  /** The challenge that it answers, where its rail has one. */
  challengeId?: string;
  /** The client's own name for the purchase, scoped by payer (rule P22). */
  identifier: string | undefined;
  /** The ledger's key: one payment has one, whichever rail shows it (rule P21). */
  formatKey: (network: SaleNetwork) => string;
  /** SHA-256 (hex) of what was signed: another authorization under a used key never attaches (rule P24). */
  computeDigest: () => Promise<string>;
  /** Whether it is for this offer and can still be settled when the work is done. Local: no chain, no facilitator. */
  checkTerms: (offer: PricedOffer, clock: TermsClock) => Promise<CheckedTerms>;
  /** The terms that it was sold by. Call it only for a payment that the ledger has. */
  restoreTerms: (offer: PricedOffer) => CheckedTerms & { ok: true };
  /** Whether the payer's own key signed it. Local. */
  isPayersKey: (network: SaleNetwork) => Promise<boolean>;
  /** Whether its signature may be one of a contract wallet that is not deployed yet. Local. */
  isWrapped: () => Promise<boolean>;
  /** Whether the payer is a contract wallet that takes the signature for its own. Throws ChainUnreachable. */
  isWallets: (chain: WalletReader, network: SaleNetwork) => Promise<boolean>;
  verify: (ports: RailPorts, requirements: Requirements) => Promise<VerifyOutcome>;
  settle: (ports: RailPorts, requirements: Requirements) => Promise<SettleOutcome>;
  /** What the payer holds, in micro-USDC. Throws ChainUnreachable, as all that follow. */
  readBalance: (ports: RailPorts) => Promise<bigint>;
  /** Whether the chain will never take it again: it was used, or cancelled. */
  isUsed: (ports: RailPorts, open: OpenSettlement) => Promise<boolean>;
  /** What became of it on chain (rules P3, P18). */
  reconcile: (ports: RailPorts, open: OpenSettlement) => Promise<Reconciled>;
  /** Whether a refused settlement moved no money (rule P4). */
  judgeRefusal: (ports: RailPorts, open: OpenSettlement) => Promise<RefusalJudged>;
};

/** Where a credential is in a request. Rails may share one: then its parser says whose it is. */
export type CredentialCarrier = {
  /** The header, as texts spell it. */
  header: string;
  /** The credential in the header's value; undefined where the header holds something that is no payment. */
  readHeader: (value: string) => string | undefined;
  /** `_meta` member of an MCP call that brings the same. */
  metaKey: string;
  /** The credential in that member, in the spelling of the header; undefined where it is none. */
  readMeta: (given: unknown) => string | undefined;
  /** What `readMeta` takes, in words. */
  metaForm: string;
  /** Whether header and `_meta` bring one and the same credential. */
  isSame: (header: string, meta: string) => boolean;
  /** Checks the form only. A promise where the reader of a form is loaded with its first use. */
  parse: (credential: string) => ParsedPayment | Promise<ParsedPayment>;
};

/** A way to pay: how it is recognised, what moves its money, and how a sale is proven to its buyer. */
/** What goes along with the proof of a sale. */
export type ShownProof = {
  extensions?: Readonly<Record<string, object>> | undefined;
  challengeId?: string | undefined;
};

export type Rail = {
  id: RailId;
  carrier: CredentialCarrier;
  flow: PresentedPayment['flow'];
  /** What moves the money, as the ledger calls it: rails that show the same instrument have the same keys. */
  method: PaymentMethod;
  /** How the buyer of a used payment gets the result again: a sentence that anyone may read. */
  howToRepeat: string;
  /**
   * Headers that prove a sale to its buyer: the same for every repeat. `extensions` of x402 go along where the rail has a
   * place for them; `challengeId` is of the payment as it is shown now.
   */
  prove: (sale: Sale, network: SaleNetwork, shown?: ShownProof) => Readonly<Record<string, string>>;
  /** The value of PAYMENT-RESPONSE that goes with a refused settlement, where the rail has one. `word` is the facilitator's. */
  proveRefusal: (word: string, payer: string, network: SaleNetwork) => string | undefined;
};
