import { formatUsd } from '../capabilities/catalog.ts';
import { BASE } from '../payment/terms/networks-data.ts';
import { INTENT, METHOD } from '../payment/rails/mpp/challenge.ts';

const MPP = { method: METHOD, intent: INTENT, currency: BASE.usdc } as const;

/**
 * `x-payment-info` of an operation: its price, and the ways to pay it. Crawlers of x402 read `price` and `protocols`, those of
 * MPP read `offers`.
 * @see https://paymentauth.org/draft-payment-discovery-00.html
 */
export const describePrice = (priceMicroUsdc: number) => ({
  'x-payment-info': {
    price: { mode: 'fixed', currency: 'USD', amount: formatUsd(priceMicroUsdc) },
    protocols: [{ x402: {} }, { mpp: MPP }],
    offers: [{ ...MPP, amount: String(priceMicroUsdc) }],
  },
});

/** The same where the address says which of several prices it is. */
export const describePrices = (pricesMicroUsdc: readonly number[]) => ({
  'x-payment-info': {
    price: {
      mode: 'dynamic',
      currency: 'USD',
      min: formatUsd(Math.min(...pricesMicroUsdc)),
      max: formatUsd(Math.max(...pricesMicroUsdc)),
    },
    protocols: [{ x402: {} }, { mpp: MPP }],
    offers: [{ ...MPP, amount: null }],
  },
});
