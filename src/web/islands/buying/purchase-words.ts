import { formatCliCommand } from '../../../lib/release.ts';
import { finishSentence } from '../../../lib/text.ts';
import { BASE } from '../../../payment/terms/networks-data.ts';
import { findPageNetwork } from '../../../payment/terms/wallet-chain-data.ts';
import { formatOrderFields } from '../../buying/order-command.ts';
import type { Payer, PurchaseWords } from './buying-words.ts';
import {
  type PurchaseOutcome,
  type StoredPaidRequest,
  isCreditCredential,
  parseTransferCredential,
  readCredentialNetwork,
} from './paid-request.ts';
import { isTransactionHash } from './transfer-hash.ts';

/** Codes after which a transfer needs a new proof: to send the same again brings nothing. */
const NEEDS_PROOF: ReadonlySet<string> = new Set([
  'payment_already_used',
  'payer_proof_expired',
  'payer_proof_invalid',
  'payer_proof_required',
]);

/** Whether the same request may still bring the result. */
export const canAskAgain = ({ credential }: StoredPaidRequest, heldCode: string | undefined): boolean =>
  heldCode === undefined || parseTransferCredential(credential) === undefined || !NEEDS_PROOF.has(heldCode);

/** Waits below this, in seconds, are not worth saying: to press the button takes as long. */
const SHORT_S = 30;
const SECONDS_UP_TO = 90;

const findPayer = ({ credential }: StoredPaidRequest): Payer => {
  if (isCreditCredential(credential)) return 'credits';
  return parseTransferCredential(credential) === undefined ? 'signed' : 'transfer';
};

export const describeRestored = ({ credential }: StoredPaidRequest, words: PurchaseWords): string =>
  words.restored[isTransactionHash(credential) ? 'bare' : 'other'];

/** What the service said, in the language of the page where it is known by its code. */
export const describeCode = (
  code: string | undefined,
  said: string,
  words: PurchaseWords,
  network: string = BASE.name,
): string => (code === undefined ? undefined : words.codes(network)[code]) ?? said;

/** What is said when nothing more is sent, and the purchase has no result. */
export function describeOutcome(
  outcome: Exclude<PurchaseOutcome, { kind: 'sold' }>,
  paid: StoredPaidRequest,
  words: PurchaseWords,
): string {
  const payer = findPayer(paid);
  const network = findPageNetwork(readCredentialNetwork(paid.credential))?.name;
  const detail = describeCode(outcome.code, outcome.detail, words, network);
  switch (outcome.kind) {
    case 'refused':
      return `${words.notBought(words.nothing[payer], finishSentence(detail))} ${words.code(outcome.code)}`;
    case 'later':
      return `${words.notBought(words.nothing[payer], finishSentence(detail))} ${words.tryAgainIn(formatWait(outcome.afterS, words))}`;
    case 'undecided': {
      const again = words.again(outcome.afterS > SHORT_S ? formatWait(outcome.afterS, words) : undefined);
      const isBare = isTransactionHash(paid.credential);
      return `${finishSentence(detail)} ${words.notKnown[payer]} ${again}${isBare ? words.againBare : words.againSafe}`;
    }
    case 'held': {
      const said = `${detail} (${outcome.code})`;
      if (payer === 'signed') return words.heldSigned(said);
      if (payer === 'credits') return words.heldCredits(said);
      if (outcome.code !== 'payment_already_used') return words.heldProof(said);
      return outcome.wasInDoubt ? words.usedByThis(outcome.code) : words.usedBefore(outcome.code);
    }
  }
}

const formatWait = (seconds: number, words: PurchaseWords): string =>
  seconds < SECONDS_UP_TO ? words.wait(seconds) : words.minutes(Math.ceil(seconds / 60));

/** Where the order is sent, for the commands; `isDemo`: on the local stack. */
export type OrderPlace = { origin: string; isDemo: boolean; hasWallet: boolean };

/** What to know about a purchase that has no end, beside its buttons. */
export function describeKeptPurchase(paid: StoredPaidRequest, place: OrderPlace, words: PurchaseWords): string {
  const transfer = parseTransferCredential(paid.credential);
  if (transfer === undefined) return words.giveUp;
  const command = words.proofByCommand(formatProofCommand(paid, transfer, place));
  const proof = place.hasWallet ? words.proofByWallet : `${words.proofByPasting} ${command}`;
  return `${proof} ${words.giveUp}`;
}

function formatProofCommand(
  { capability, bodyText }: StoredPaidRequest,
  transfer: string,
  { origin, isDemo }: OrderPlace,
): string {
  const fields = formatOrderFields(JSON.parse(bodyText) as object);
  const words = [capability, fields, '--hash', transfer, '--proof'].join(' ');
  return isDemo ? `npm run buy -- ${words}` : formatCliCommand(`buy ${words} --base ${origin}`);
}

export function describeGivenUp({ credential }: StoredPaidRequest, words: PurchaseWords): string {
  const transfer = parseTransferCredential(credential);
  const { givenUp, givenUpTransfer } = words;
  return transfer === undefined ? givenUp : givenUpTransfer(transfer);
}

/** What a chosen kind of site costs. Empty where none was chosen. */
export const describeOrder = (body: object, words: PurchaseWords): string =>
  'profile' in body && typeof body.profile === 'string' ? words.profile(body.profile) : '';
