import type { RailCase } from '../support/rail-case.ts';

/** The rules of payments (`docs/project/invariants.md`), as the table names them. */
export const RULES = {
  P1: 'a stored answer needs a secret that never reaches the chain',
  P2: 'two Workers that race sell once',
  P3: 'a Worker that dies leaves no payment without its result',
  P4: 'a refused settlement is believed when the chain agrees',
  P5: 'unpaid runs of a payer are few',
  P6: 'credits go to the account of who paid',
  P7: 'nothing that a client chooses changes the terms',
  P8: 'money of another network buys nothing',
  P9: 'an onlooker cannot hold or exhaust a payment',
  P10: 'a payer proof is for one purchase of one deployment',
  P11: 'ids of reports and runs lead nowhere before they are paid',
  P12: 'what is not verified makes no row',
  P13: 'doubt is 503, and what is used is 409',
  P14: 'the price before a change is taken for an hour',
  P15: 'what could not be delivered can be bought again',
  P16: 'a row outlives what may be presented again',
  P17: 'an authorization outlives its work, and ends some day',
  P18: 'only a safe block releases what is in doubt',
  P19: 'a block may be a minute ahead',
  P20: 'one log is one payment, and a settlement is none',
  P21: 'every spelling of a payment has one key',
  P22: 'an identifier is of one payment of its payer',
  P23: 'a payment that names another resource is refused',
  P24: 'another authorization under a used nonce is refused',
  P25: 'a sale is as final as its price',
  P26: 'a buyer that goes away is charged and served all the same',
  P27: 'failures without a charge have a limit',
  P28: 'a stored report says nothing of its buyer',
  P29: 'a redirect of the facilitator is not followed',
  P30: 'the word of a facilitator is read on chain',
  P31: 'a ledger that fails sells nothing',
} as const;
export type RuleId = keyof typeof RULES;

/** What a rule means for one rail: a test, or why there is nothing to test. */
export type Cell = ((rail: RailCase) => Promise<void>) | { doesNotApply: string };

export type Column = Readonly<Record<RuleId, Cell>>;

/** @param reason what of the rail makes it impossible to break the rule */
export const doesNotApply = (reason: string): Cell => ({ doesNotApply: reason });
