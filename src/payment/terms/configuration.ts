import { isWellKnownTestAccount, ZERO_ADDRESS } from './constants.ts';

export type PaymentConfiguration = {
  payTo: string | undefined;
  facilitatorUrl: string | undefined;
  rpcUrl: string | undefined;
};

/**
 * Why payments cannot be taken with these settings; undefined when they can (rule P8). Outside the local stack both
 * services must be reached by https and not on loopback: else a leftover test chain would be believed.
 * @param local composed by the local entries only, never from a variable.
 */
export function findConfigurationFault(settings: PaymentConfiguration, local: boolean): string | undefined {
  const { payTo, facilitatorUrl, rpcUrl } = settings;
  if (!payTo || !/^0x[0-9a-fA-F]{40}$/.test(payTo)) return 'PAY_TO is not set to an address';
  if (payTo === ZERO_ADDRESS) return 'PAY_TO is the zero address';
  if (isWellKnownTestAccount(payTo)) return 'PAY_TO is a test account whose key everyone knows';
  return findUrlFault('FACILITATOR_URL', facilitatorUrl, local) ?? findUrlFault('RPC_URL', rpcUrl, local);
}

function findUrlFault(name: string, value: string | undefined, local: boolean): string | undefined {
  if (!value || !URL.canParse(value)) return `${name} is not set to a URL`;
  const { protocol, hostname } = new URL(value);
  if (local) return undefined;
  if (protocol !== 'https:') return `${name} is not https`;
  return isLoopback(hostname) ? `${name} is on loopback` : undefined;
}

/** Host names as `URL` writes them: it turns every spelling of 127.0.0.1 into this one. */
const isLoopback = (hostname: string): boolean =>
  /^(127\.|0\.0\.0\.0$|\[::1?\]$|\[::ffff:7f)/.test(hostname) || /(^|\.)localhost\.?$/.test(hostname);
