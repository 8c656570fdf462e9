/** What a rule of payments means for a purchase by card, and what proves it. */
export type CardCell =
  | { means: string; check: () => Promise<void> }
  /** A test that runs elsewhere: its file, and its title as it is written there. */
  | { means: string; provenBy: { file: string; title: string } }
  | { doesNotApply: string };

const PURCHASES = 'test/payment/cards/purchases.test.ts';
const REVERSALS = 'test/payment/cards/reversals.test.ts';
const EVENTS = 'test/payment/cards/webhook.test.ts';
const ROUTE = 'test/routes/api/sales/card-webhook.test.ts';
const KILLS = 'test/payment/cards/kills.test.ts';
const CROWD = 'test/payment/cards/crowd.test.ts';

const proveBy =
  (file: string) =>
  (means: string, title: string): CardCell => ({ means, provenBy: { file, title } });

export const byPurchases = proveBy(PURCHASES);
export const byReversals = proveBy(REVERSALS);
export const byEvents = proveBy(EVENTS);
export const byRoute = proveBy(ROUTE);
export const byKills = proveBy(KILLS);
export const byCrowd = proveBy(CROWD);

export const check = (means: string, run: () => Promise<void>): CardCell => ({ means, check: run });
