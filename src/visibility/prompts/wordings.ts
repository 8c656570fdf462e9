import type { Intent } from '../run/intents.ts';

/** What a niche is: something to buy and use, or work and premises to go to; and whether it names or implies a place. */
export type Market = { kind: 'product' | 'service'; local: boolean };

/**
 * A template for every market, or one for each kind, or one for niches with a place and one for all others; each of them
 * may branch again. `{niche}` is in it once.
 */
export type Wording = string | { product: Wording; service: Wording } | { local: Wording; other: Wording };

/** Five questions for each intent. The one at the same place asks the same in every language. */
export type LanguageWordings = Readonly<Record<Intent, readonly [Wording, Wording, Wording, Wording, Wording]>>;

/** The template that fits a market. */
export function chooseWording(wording: Wording, market: Market): string {
  if (typeof wording === 'string') return wording;
  if ('product' in wording) return chooseWording(wording[market.kind], market);
  return chooseWording(market.local ? wording.local : wording.other, market);
}
