import type { CardPurchaseView } from '../../payment/cards/protocol.ts';
import { MICRO_USDC_PER_CENT } from '../../payment/cards/purchases.ts';
import { type Html, renderHiddenFields } from '../design/shell.tsx';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { cardsWords } from './cards-words.ts';
import { type AccountFrame, renderAccountFrame } from './frame.tsx';

/** Where a card is charged, and the page of one such purchase. */
export const CARD_PATH = '/account/credits/card';

export type CardForm = {
  language: PageLanguage;
  csrf: string;
  /** Names the purchase: the form sent twice is one purchase. */
  order: string;
  dollars: number;
};

/** A pack by card: the form leads to a page of Stripe. */
export const PayByCard = ({ language, csrf, order, dollars }: CardForm) => {
  const words = cardsWords[language];
  return (
    <div id="card">
      <h3>{words.heading}</h3>
      <p>{words.lead}</p>
      <form method="post" action={CARD_PATH}>
        {renderHiddenFields({ csrf, order, pack: String(dollars) })}
        <button>{words.button(formatDollars(dollars * 1_000_000, language))}</button>
      </form>
    </div>
  );
};

export type PurchasePage = {
  frame: AccountFrame;
  purchase: CardPurchaseView;
  /** The buyer came back by the link that pays nothing. */
  isCancelled: boolean;
};

/** `/account/credits/card?order=`: what became of a purchase, by our own row of it. */
export const renderCardPurchase = ({ frame, purchase, isCancelled }: PurchasePage): Html => {
  const { language } = frame;
  const words = cardsWords[language];
  const { state, cents, isSynced, url, refundedCents, disputedCents } = purchase;
  const { title, text } = words.states[state];
  const format = (amount: number): string => formatDollars(amount * MICRO_USDC_PER_CENT, language);
  return renderAccountFrame({
    ...frame,
    title: words.title,
    children: (
      <>
        <h2>{title}</h2>
        <p>
          {words.goods}: <strong>{format(cents)}</strong>
        </p>
        <p role="status">{state === 'paid' && !isSynced ? words.crediting : text}</p>
        {state === 'open' && isCancelled ? <p>{words.cancelled}</p> : null}
        {refundedCents > 0 ? <p>{words.refunded(format(refundedCents))}</p> : null}
        {disputedCents > 0 ? <p>{words.disputed(format(disputedCents))}</p> : null}
        {url === undefined ? null : (
          <p>
            <a class="button" href={url} rel="noreferrer">
              {words.goOn}
            </a>
          </p>
        )}
        {state === 'open' || state === 'processing' || !isSynced ? (
          <p>
            <a href={`${CARD_PATH}?order=${purchase.id}`}>{words.reload}</a>
          </p>
        ) : null}
        <p>
          <a href="/account/credits">{words.back}</a>
        </p>
      </>
    ),
  });
};
