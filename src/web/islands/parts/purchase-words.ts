import { formatCliCommand } from '../../../lib/release.ts';
import { finishSentence } from '../../../lib/text.ts';
import {
  isTransactionHash,
  type PurchaseOutcome,
  type StoredPaidRequest,
  parseTransferCredential,
} from './paid-request.ts';

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

export const describeRestored = ({ credential }: StoredPaidRequest): string =>
  isTransactionHash(credential)
    ? 'A purchase of this tab has not ended: its transfer may have been used for it. Ask again, or prove that the transfer is yours.'
    : 'A purchase of this tab has not ended. Ask again: it is the same payment, nothing is paid twice.';

/** What is said when nothing more is sent, and the purchase has no result. */
export function describeOutcome(
  outcome: Exclude<PurchaseOutcome, { kind: 'sold' }>,
  { credential }: StoredPaidRequest,
): string {
  const transfer = parseTransferCredential(credential);
  switch (outcome.kind) {
    case 'refused':
      return `Not bought: ${finishSentence(outcome.detail)} Code: ${outcome.code}.`;
    case 'later': {
      const nothing = transfer === undefined ? 'nothing was charged' : 'your transfer was not used';
      return `Not bought, ${nothing}: ${finishSentence(outcome.detail)} Try again in ${waitWords(outcome.afterS)}.`;
    }
    case 'undecided':
      return `${finishSentence(outcome.detail)} ${openWords(credential, transfer, outcome.afterS)}`;
    case 'held':
      return transfer === undefined
        ? `${outcome.detail} (${outcome.code}). This does not say whether an earlier sending was charged. Ask again later, and check your account before you pay again.`
        : describeHeldTransfer(outcome);
  }
}

/** Waits below this, in seconds, are not worth saying: to press the button takes as long. */
const SHORT_S = 30;

function openWords(credential: string, transfer: string | undefined, afterS: number): string {
  const again = afterS > SHORT_S ? `Ask again in ${waitWords(afterS)}` : 'Ask again';
  if (transfer === undefined) return `It is not known whether you were charged. ${again}: nothing is paid twice.`;
  return isTransactionHash(credential)
    ? `It is not known whether your transfer was used. ${again}, or prove that the transfer is yours.`
    : `It is not known whether your transfer was used. ${again}: nothing is paid twice.`;
}

function describeHeldTransfer({ code, detail, wasInDoubt }: PurchaseOutcome & { kind: 'held' }): string {
  if (code !== 'payment_already_used')
    return `${detail} (${code}). This does not say whether your transfer was used before. A new payer proof can get its result.`;
  return wasInDoubt
    ? `This transfer was used, probably by this very order, whose answer was lost (${code}). A new payer proof gets its result.`
    : `This transfer was used before (${code}). If this very order used it, a payer proof gets its result.`;
}

const SECONDS_UP_TO = 90;

const waitWords = (seconds: number): string => {
  if (seconds === 1) return '1 second';
  return seconds < SECONDS_UP_TO ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
};

/** Where the order is sent, for the commands; `isDemo`: on the local stack. */
export type OrderPlace = { origin: string; isDemo: boolean; hasWallet: boolean };

/** Beside the buttons of a purchase without an end: what each of them does, and what there is without a wallet. */
export function describeKeptPurchase(paid: StoredPaidRequest, place: OrderPlace): string {
  const transfer = parseTransferCredential(paid.credential);
  const giveUp = 'Giving up only forgets it here: what was charged stays charged.';
  if (transfer === undefined) return giveUp;
  const proof = place.hasWallet
    ? 'A payer proof is a signature of the account that made the transfer, for this same order; it moves no money.'
    : `No wallet was found in this browser. Prove by command line that the transfer is yours, with the key that made it: ${formatProofCommand(paid, transfer, place)} (other tools find the form of the proof in extensions.direct-transfer of the terms).`;
  return `${proof} ${giveUp}`;
}

function formatProofCommand(
  { capability, bodyText }: StoredPaidRequest,
  transfer: string,
  { origin, isDemo }: OrderPlace,
): string {
  const fields = Object.entries(JSON.parse(bodyText) as object).map(([name, value]) =>
    name === 'url'
      ? quoteForShell(String(value))
      : quoteForShell(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );
  const words = [capability, ...fields, '--hash', transfer, '--proof'].join(' ');
  return isDemo ? `npm run buy -- ${words}` : formatCliCommand(`buy ${words} --base ${origin}`);
}

/** As shells read it to the letter, so that the order stays exactly the kept one. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export const describeGivenUp = ({ credential }: StoredPaidRequest): string => {
  const transfer = parseTransferCredential(credential);
  return transfer === undefined
    ? 'Given up: this tab does not ask for it any more. Check your account before you pay again.'
    : `Given up: this tab does not ask for it any more. Keep the hash ${transfer}: a payer proof may still get its result.`;
};

/** What a chosen kind of site costs. Empty where none was chosen. */
export const describeOrder = (body: object): string =>
  'profile' in body && typeof body.profile === 'string'
    ? `You chose the kind of site (${body.profile}): a report that is bought so can never be published, and gets no badge. To be able to publish it, choose "Find out by evidence" first.`
    : '';
