import { CLIENT_DEFAULT_CAP_MICRO_USDC, formatUsdAmount } from './constants.ts';

/** Whether official x402 clients refuse the price until their spend control is raised. */
export const isOverClientCap = (amountMicroUsdc: number): boolean => amountMicroUsdc > CLIENT_DEFAULT_CAP_MICRO_USDC;

/** The call by which a buyer lets an official client pay this price. */
export const formatSpendControl = (amountMicroUsdc: number): string =>
  `setSpendControls({ maxAmountPerPayment: "$${formatUsdAmount(amountMicroUsdc)}" })`;

/** The option of official x402 clients that refuses what is dear, as their documentation and their error name it. */
export const SPEND_CONTROL = 'spendControls.maxAmountPerPayment';
