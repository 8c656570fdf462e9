import type { PageLanguage } from '../../language/language.ts';
import type { PageNetwork } from '../../../payment/terms/wallet-chain-data.ts';
import type { ProviderRefusal } from './injected-wallet.ts';
import type { ReadHash } from './transfer-hash.ts';

export type BuyingWords = {
  language: PageLanguage;
  purchase: PurchaseWords;
  /** The page itself. */
  otherCapability: string;
  noAddress: string;
  fault: string;
  askingTerms: string;
  badTerms: string;
  termsDiffer: (differs: string) => string;
  networkClosed: (name: string) => string;
  answered: (status: number) => string;
  nothingPaid: (said: string) => string;
  unreachable: string;
  sent: string;
  keptFor: Record<'tab' | 'page', string>;
  waiting: (sent: number, most: number) => string;
  inSeconds: (waiting: string, left: number) => string;
  lost: Record<'connection' | 'answer' | 'result' | 'account', string>;
  bought: string;
  clock: (minutes: number, isBehind: boolean) => string;
  /** Other tabs. */
  otherTab: string;
  otherTabEnded: string;
  otherTabSold: string;
  /** Wallets. */
  walletAccount: string;
  walletSign: string;
  walletProve: string;
  walletSwitch: (network: string, wanted: string) => string;
  walletSwitching: (wanted: string) => string;
  switchTo: (wanted: string) => string;
  walletLooks: Record<'one' | 'many' | 'none', string>;
  walletUnnamed: string;
  checking: string;
  refusals: Record<
    Exclude<ProviderRefusal['reason'], 'wrong_network'>,
    (refusal: ProviderRefusal, wanted: PageNetwork) => string
  >;
  network: (chainId: number) => string;
  demoRefused: (said: string) => string;
  /** Credits. */
  creditsBalance: (balance: string) => string;
  creditsTooSmall: (balance: string, price: string) => string;
  creditsUnread: string;
  creditsEnded: string;
  /** The guided form of a transfer. */
  hashFaults: Record<Extract<ReadHash, { ok: false }>['fault'], (digits: number) => string>;
  hashGood: string;
  conditions: (final: string, hours: number) => string;
  confirmations: (count: number) => string;
  finalBlock: string;
  noTransfers: string;
  noWalletToProve: string;
  messageUntil: (time: string) => string;
  messageNeedsHash: string;
  signatureFault: string;
  signedBy: (account: string) => string;
  signatureOpen: string;
  proofStale: string;
  stillKept: (said: string) => string;
};

/** What pays: each has words of its own for what was taken. */
export type Payer = 'signed' | 'transfer' | 'credits';

/** How a purchase ended, or has not. */
export type PurchaseWords = {
  wait: (seconds: number) => string;
  minutes: (minutes: number) => string;
  restored: Record<'bare' | 'other', string>;
  nothing: Record<Payer, string>;
  notBought: (nothing: string, detail: string) => string;
  code: (code: string) => string;
  tryAgainIn: (wait: string) => string;
  notKnown: Record<Payer, string>;
  again: (wait: string | undefined) => string;
  againBare: string;
  againSafe: string;
  heldSigned: (said: string) => string;
  heldCredits: (said: string) => string;
  heldProof: (said: string) => string;
  usedByThis: (code: string) => string;
  usedBefore: (code: string) => string;
  giveUp: string;
  proofByWallet: string;
  proofByPasting: string;
  proofByCommand: (command: string) => string;
  givenUp: string;
  givenUpTransfer: (hash: string) => string;
  profile: (profile: string) => string;
  /** What the service says by these codes of a payment on a network, where it says it in another language. */
  codes: (network: string) => Readonly<Record<string, string>>;
};
