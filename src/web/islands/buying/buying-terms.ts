import { type Asked, type Buying, getFirstPayee, type Ordered, type PagePayee } from './buying-panel.ts';
import { readOffer } from './payment-terms.ts';
import { readPurchaseProblem } from './purchase-answers.ts';
import { describeCode } from './purchase-words.ts';
import { readServiceTime } from './service-time.ts';
import { formatPaidPath } from './paid-path.ts';

/** The order as it is sent, or what is missing. */
export function readPageOrder({ order, capability, words }: Buying): Ordered | string {
  const { body, missing, ...wanted } = order();
  if (wanted.capability !== capability) return words.otherCapability;
  if (missing !== undefined) return missing;
  const url: unknown = 'url' in body ? body.url : undefined;
  if (typeof url === 'string' && !isWebAddress(url)) return words.noAddress;
  return { capability, bodyText: JSON.stringify(body) };
}

/** Whether the text is an http(s) URL or becomes one by a scheme: the service reads it exactly. */
const isWebAddress = (text: string): boolean =>
  /^https?:/i.test(text) ? URL.canParse(text) : text !== '' && URL.canParse(`https://${text}`);

/**
 * A request without payment: its answer names the terms, and the time by which they are judged. A text says why not.
 * @param payee where and to whom it is to be paid: what the panel shows
 */
export async function askTerms(
  buying: Buying,
  bodyText: string,
  payee: PagePayee = getFirstPayee(buying),
): Promise<Asked | string> {
  const { capability, view, words } = buying;
  const { price = '' } = view.panel.dataset;
  try {
    const answer = await fetch(formatPaidPath(capability), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bodyText,
    });
    const time = readServiceTime(answer.headers.get('date'), Date.now());
    const minutes = Math.round(Math.abs(time.aheadMs) / 60_000);
    view.note('clock', time.aheadMs === 0 ? '' : words.clock(minutes, time.aheadMs > 0));
    if (answer.status !== 402) {
      const { code, said } = await readPurchaseProblem(answer);
      return words.nothingPaid(describeCode(code, said ?? words.answered(answer.status), words.purchase));
    }
    const judged = readOffer(answer.headers.get('payment-required'), { priceUsd: price, ...payee });
    if (judged.ok) return { offer: judged.offer, time };
    if (judged.isClosed === true && view.part('networks')) return words.networkClosed(payee.network.name);
    return judged.differs === undefined ? words.badTerms : words.termsDiffer(judged.differs);
  } catch {
    return words.unreachable;
  }
}
