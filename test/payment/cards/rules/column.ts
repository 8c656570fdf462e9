import type { RuleId } from '../../rails/rules/rule.ts';
import { byCrowd, byEvents, byKills, byPurchases, byReversals, byRoute, type CardCell, check } from './card-cell.ts';
import * as proofs from './proofs.ts';

/**
 * Each rule in the terms of a card. A card buys credits by an event of Stripe's and opens no report by itself: what is presented is
 * an event, what is sold is a pack, and the account is what is charged and served.
 */
export const cardColumn: Readonly<Record<RuleId, CardCell>> = {
  P1: check('an order is shown to the account that made it, and to no other', proofs.showsOwnOrder),
  P2: byCrowd(
    'an event, a look and an alarm that race credit once',
    '200 presentations of one event, with visits and alarms between them, are one credit',
  ),
  P3: byKills(
    'an object that dies at any of its calls leaves no payment without its credits',
    'after each kill a purchase is credited once, its refund is paid back once, and nothing is lost',
  ),
  P4: check('a payment counts although it was said to have failed', proofs.believesLatePayment),
  P5: byPurchases(
    'an account has at most ten orders that wait for a payment',
    'is refused for a form that was used for another pack, and beyond ten that wait',
  ),
  P6: byPurchases(
    'credits go to the account of our row',
    'takes account, pack and price from our row, whatever the session says of them',
  ),
  P7: byPurchases('another amount or currency credits nothing', 'of another amount or currency is not credited'),
  P8: byEvents(
    'test money credits nothing beside real money',
    'is refused for the other mode and for a connected account, and left alone for other kinds',
  ),
  P9: check('a forged event or a stranger uses up neither an event nor the looks of its buyer', proofs.holdsNothing),
  P10: byEvents(
    'an event is signed for our endpoint, and a day-old one is none',
    'is refused with another secret, without a signature, or with one that is none',
  ),
  P11: { doesNotApply: 'an order leads to credits of its own account: no report or run has its number' },
  P12: check('an event that is not verified makes no row', proofs.storesNoForgery),
  P13: byRoute(
    'what cannot be stored now is 503, so that Stripe sends it again; what was received is 200',
    'answers 503 while the ledger of cards fails, so that Stripe sends the event again, and credits it then',
  ),
  P14: check('a session is paid at the price of its order, whatever the pack costs by then', proofs.keepsOrderPrice),
  P15: byPurchases(
    'what could not be credited is credited later',
    'reaches an account that did not answer, by the alarm',
  ),
  P16: check('an event that is forgotten credits nothing again', proofs.outlivesEvents),
  P17: check('a session ends within the hour, and the same in each try', proofs.boundsSession),
  P18: byPurchases(
    'only Stripe ends a purchase that is in doubt',
    'is asked for again where Stripe does not answer, and is given up after 30 days',
  ),
  P19: byEvents(
    'an event may be 300 seconds old, and no older',
    'is refused 300 seconds after it was signed, and where a byte of it differs',
  ),
  P20: byPurchases(
    'two events of one payment are one payment',
    'is credited once, however often its event comes, or another of the same payment',
  ),
  P21: check('a payment by its id and the same one written out are one', proofs.readsBothForms),
  P22: check('a form is of one order of its account', proofs.scopesForm),
  P23: byPurchases(
    'a session that is none of ours credits nothing',
    'of a session that we do not know changes nothing',
  ),
  P24: check('another payment under a paid session changes nothing', proofs.refusesSecondPayment),
  P25: byReversals(
    'money that goes back takes its credits, spent ones too',
    'freezes an account that has spent it, until credits make up for it',
  ),
  P26: byPurchases(
    'a buyer who does not come back is credited all the same',
    'is found by the alarm, which also ends what was not paid',
  ),
  P27: byPurchases(
    'a purchase has Stripe asked twenty times by visits',
    'asks Stripe no more than twenty times for one purchase, by visits',
  ),
  P28: check('Stripe is sent nothing that says whose order it is, and no log has a secret', proofs.sendsNoBuyer),
  P29: check('a redirect of the API is not followed with our key', proofs.followsNoRedirect),
  P30: check('coming back from the payment page is no payment: Stripe is asked', proofs.readsStripe),
  P31: byRoute(
    'a ledger that fails credits nothing',
    'answers 503 while the ledger of cards fails, so that Stripe sends the event again, and credits it then',
  ),
};
