import type { PageLanguage } from './language.ts';

const MICRO = 1_000_000;
/** Prices below a cent have more digits than a currency usually shows. */
const MAX_FRACTION_DIGITS = 6;

/** An amount in US dollars: `$0.06`, `0,06 $`. @param microUsd millionths of a dollar, a whole number */
export const formatDollars = (microUsd: number, language: PageLanguage): string =>
  new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: MAX_FRACTION_DIGITS,
  }).format(microUsd / MICRO);

/** The same amount as it is paid: `0.06 USDC`. @param microUsdc millionths of a USDC, a whole number */
export const formatUsdcAmount = (microUsdc: number, language: PageLanguage): string =>
  `${new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: MAX_FRACTION_DIGITS }).format(microUsdc / MICRO)} USDC`;

/** A whole number with the separators of the language. */
export const formatWholeNumber = (count: number, language: PageLanguage): string =>
  new Intl.NumberFormat(language).format(count);

/** At most this many decimals: sums of weights and values are exact to the eye. */
const DECIMALS = 3;

/** `12`, `12.5`, `0,333`: a sum of weights without the noise of binary fractions. */
export const formatDecimal = (value: number, language: PageLanguage): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: DECIMALS, useGrouping: false }).format(value);

/** A day in words, in UTC: `27 November 2026`, `27. November 2026`. @param ms Unix milliseconds */
export const formatLongDay = (ms: number, language: PageLanguage): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'long', timeZone: 'UTC' }).format(ms);
