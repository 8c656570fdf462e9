import { buildProblem } from '../../../src/problems/codes.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import type { Checkout } from '../../../src/payment/cards/protocol.ts';
import { canSellByCard, findCardPack, formatAccountObject } from '../../../src/sales/credit-accounts.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { CARD_PATH, type CardForm, renderCardPurchase } from '../../../src/web/account/cards.tsx';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import { logLine } from '../../shared/telemetry.ts';
import { openCardLedger } from '../bindings/cards/card-ledger.ts';
import { getPeopleStore } from '../bindings/people-store.ts';
import { refuseRequest, showPage } from '../pages/pages.ts';
import type { AccountTask, AccountVisit } from './visit.ts';

const ORDER = /^[0-9a-f]{32}$/;
const ORDER_BYTES = 16;
/** Where Stripe's own page is: forms of ours may lead there. */
const STRIPE_CHECKOUT = 'https://checkout.stripe.com';
const RETRY_S = 5;

const findCheckoutOrigin = ({ c, options }: AccountVisit): string => options.cardPage?.(c.env) ?? STRIPE_CHECKOUT;

/** Whether a card buys credits here now. */
const canPayByCard = ({ c, options }: AccountVisit): boolean =>
  c.env.CARD_LEDGER !== undefined && canSellByCard(c.get('settings'), options.local);

/** The form of a pack, and where it leads; none where no card buys credits. */
export function buildCardForm(visit: AccountVisit, dollars: number): { form: CardForm; leadsTo: string } | undefined {
  if (!canPayByCard(visit)) return undefined;
  const { browser, language } = visit;
  return {
    form: { language, csrf: browser.csrf, order: generateRandomHex(ORDER_BYTES), dollars },
    leadsTo: findCheckoutOrigin(visit),
  };
}

/** `POST /account/credits/card`: an order of the person who is signed in, and from there to the page that takes the card. */
export const payByCard: AccountTask = async (visit, posted) => {
  const { c, session } = visit;
  const ledger = openCardLedger(c.env, logLine);
  if (ledger === undefined || !canPayByCard(visit)) return refuseRequest(c, buildProblem('cards_unavailable'));
  const id = posted.get('order') ?? '';
  const pack = findCardPack(posted.get('pack') ?? '');
  if (!ORDER.test(id) || pack === undefined) return refuseRequest(c, buildProblem('form_expired'));
  // Accounts of visitors are forgotten: one that pays is stored for good before it can.
  if (!(await getPeopleStore(c).keepAccount(session.accountId)))
    return refuseRequest(c, buildProblem('cards_unavailable'));
  const { BASE_URL, ...settings } = c.get('settings');
  const creditObject = formatAccountObject(session.accountId, getPaymentNetwork(settings));
  const order = { id, account: session.accountId, creditObject, pack: pack.pack, cents: pack.cents };
  const returnUrl = `${BASE_URL}${CARD_PATH}?order=${id}`;
  const places = { returnUrl, cancelUrl: `${returnUrl}&cancelled=1`, title: `${pack.dollars} USD of credits` };
  const checkout = await runOrUnavailable<Checkout | undefined>(() => ledger.begin(order, places), undefined);
  if (checkout?.ok !== true) return refuseRequest(c, explainRefusal(checkout?.reason));
  if (!posted.form) return c.json({ order: id, url: checkout.url });
  // Where the page has an address of its own, our policy would stop the form: a link leads there.
  const isKnown = new URL(checkout.url).origin === new URL(findCheckoutOrigin(visit)).origin;
  return c.redirect(isKnown ? checkout.url : returnUrl, 303);
};

function explainRefusal(reason: Extract<Checkout, { ok: false }>['reason'] | undefined) {
  switch (reason) {
    case 'too_many_open':
      return buildProblem('limit_reached', {
        detail: 'Too many payments by card wait for you: each ends after an hour',
      });
    case 'form_used':
      return buildProblem('form_expired', { detail: 'This form was used before' });
    default:
      return buildProblem('cards_unavailable', { retryAfterS: RETRY_S });
  }
}

/** `GET /account/credits/card?order=`: what became of a purchase of this account. */
export async function showCardPurchase(visit: AccountVisit, frame: AccountFrame): Promise<Response> {
  const { c, session } = visit;
  const id = c.req.query('order') ?? '';
  const ledger = openCardLedger(c.env, logLine);
  if (ledger === undefined || !ORDER.test(id)) return c.notFound();
  const found = await runOrUnavailable(
    async () => ({ purchase: await ledger.visit(id, session.accountId) }),
    undefined,
  );
  if (found === undefined) return refuseRequest(c, buildProblem('ledger_unavailable', { retryAfterS: RETRY_S }));
  const { purchase } = found;
  if (purchase === undefined) return c.notFound();
  const isCancelled = c.req.query('cancelled') === '1';
  return showPage(c, renderCardPurchase({ frame, purchase, isCancelled }));
}
