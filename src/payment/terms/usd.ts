import { MICRO_USDC_PER_USD } from './constants.ts';

/** US dollars with six decimals, e.g. `0.060000`: the spelling of prices in routes, index and receipts. */
export function formatUsdAmount(microUsdc: number): string {
  if (!Number.isSafeInteger(microUsdc) || microUsdc < 0)
    throw new RangeError(`not an amount in micro-USDC: ${microUsdc}`);
  const whole = Math.floor(microUsdc / MICRO_USDC_PER_USD);
  return `${whole}.${String(microUsdc % MICRO_USDC_PER_USD).padStart(6, '0')}`;
}
