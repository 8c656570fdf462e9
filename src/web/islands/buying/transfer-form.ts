import { MAX_PROOF_LIFE_S } from '../../../payment/terms/constants.ts';
import { type Buying, canSign, type Ordered, refresh, type ShownMessage, type PayingWay } from './buying-panel.ts';
import { askTerms, readPageOrder } from './buying-terms.ts';
import { isSignature } from './injected-wallet.ts';
import { buildTransferProofTypedData, formatTransferProof } from './transfer-proof.ts';
import { computeServiceNowS, type ServiceTime } from './service-time.ts';
import { loadSignerReader } from './signature-check.ts';
import { readTransactionHash } from './transfer-hash.ts';

/** The hash in the field, and what is wrong with it at the field. Undefined: there is none. */
export function judgeHash({ view, words }: Buying, isSubmitted: boolean): string | undefined {
  const text = view.part('hash')?.value ?? '';
  const read = readTransactionHash(text);
  if (read.ok) {
    view.judge('hash', words.hashGood, false);
    return read.hash;
  }
  // Nothing is wrong with a field that no one has filled in yet.
  const isQuiet = read.fault === 'empty' && !isSubmitted;
  view.judge('hash', isQuiet ? '' : words.hashFaults[read.fault](read.digits ?? 0), !isQuiet);
  return undefined;
}

/** Whether a signature of the page's own signer is wanted, and there is one. */
export const isSignedHere = (buying: Buying): boolean =>
  canSign(buying) && buying.view.part('proof-signer')?.checked === true;

export function showProofWay(buying: Buying): void {
  buying.view.show('pasting', !isSignedHere(buying));
}

/** Until a page knows of a wallet, a signature is pasted; once it does, the wallet signs unless someone chose otherwise. */
export function chooseSigner(buying: Buying): void {
  const signer = buying.view.part('proof-signer');
  const pasted = buying.view.part('proof-pasted');
  if (signer && pasted && canSign(buying) && buying.message === undefined) signer.checked = true;
  showProofWay(buying);
}

/** Shows the message that proves a transfer, for this order, from now on for ten minutes. */
async function showMessage(buying: Buying, ordered: Ordered | string, time: ServiceTime): Promise<void> {
  const { view, words } = buying;
  const transaction = judgeHash(buying, true);
  if (transaction === undefined || typeof ordered === 'string') {
    view.setText('message-note', typeof ordered === 'string' ? ordered : words.messageNeedsHash);
    if (transaction === undefined) view.part('hash')?.focus();
    return;
  }
  const nowS = computeServiceNowS(time, Date.now());
  const proof = { ...ordered, origin: globalThis.location.origin, transaction, nowS };
  const message: ShownMessage = { proof, typed: await buildTransferProofTypedData(proof) };
  buying.message = message;
  const text = view.part('message-box')?.querySelector('code');
  if (text) text.textContent = JSON.stringify(message.typed, null, 2);
  view.show('message-box', true);
  const until = Date.now() + MAX_PROOF_LIFE_S * 1000;
  const clock = new Intl.DateTimeFormat(words.language, { timeStyle: 'short' }).format(until);
  view.setText('message-note', words.messageUntil(clock));
  refresh(buying);
}

/** The signature in its field, and at once what is wrong with it or whose it is. */
export async function judgeSignature({ view, words, message }: Buying): Promise<string | undefined> {
  const signature = view.part('signature')?.value.trim() ?? '';
  if (!isSignature(signature)) {
    view.judge('signature', words.signatureFault, true);
    return undefined;
  }
  const signer = message === undefined ? undefined : await recoverQuietly(message, signature);
  view.judge('signature', signer === undefined ? words.signatureOpen : words.signedBy(signer), false);
  return signature;
}

/** Undefined where it cannot be said here: the service judges every proof. */
async function recoverQuietly({ typed }: ShownMessage, signature: string): Promise<string | undefined> {
  try {
    return await (
      await loadSignerReader()
    )(typed, signature);
  } catch {
    return undefined;
  }
}

/** Seconds of a proof's life that are left for it to arrive. */
const ARRIVAL_S = 20;

/** A transfer with a signature that was made elsewhere, over the message that the page showed. */
export const createPastedWay =
  (buying: Buying, transaction: string): PayingWay =>
  async ({ offer, time }, { capability, bodyText }) => {
    const { message, words } = buying;
    const proof = message?.proof;
    const isFresh =
      proof !== undefined && proof.nowS + MAX_PROOF_LIFE_S - ARRIVAL_S > computeServiceNowS(time, Date.now());
    const isSame = proof?.transaction === transaction && proof.capability === capability && proof.bodyText === bodyText;
    if (!isFresh || !isSame) return { ok: false, detail: words.proofStale };
    const signature = await judgeSignature(buying);
    return signature === undefined
      ? { ok: false, detail: words.signatureFault }
      : { ok: true, credential: formatTransferProof(offer, proof, signature) };
  };

/** The message for the order of the page, or of the purchase that has no end. */
export async function prepareMessage(buying: Buying): Promise<void> {
  const ordered = buying.kept ?? readPageOrder(buying);
  const asked = await askTerms(buying, typeof ordered === 'string' ? '{}' : ordered.bodyText);
  if (typeof asked === 'string') return buying.view.setText('message-note', asked);
  await showMessage(buying, ordered, asked.time);
}

/** What the service says of transfers, when someone wants to make one. */
export async function showConditions(buying: Buying): Promise<void> {
  const { view, words } = buying;
  if (buying.transfers !== undefined) return;
  const asked = await askTerms(buying, '{}');
  if (typeof asked === 'string') return view.setText('conditions', asked);
  const { transfer } = asked.offer;
  buying.transfers = transfer ?? 'none';
  refresh(buying);
  if (!transfer) return view.setText('conditions', words.noTransfers);
  const { confirmations, maxAgeSeconds } = transfer;
  const final = typeof confirmations === 'number' ? words.confirmations(confirmations) : words.finalBlock;
  view.setText('conditions', words.conditions(final, Math.floor(maxAgeSeconds / 3600)));
}
