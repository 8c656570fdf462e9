import type { SignableTypedData } from './payment-signing.ts';

/** @see https://eips.ethereum.org/EIPS/eip-1193 */
export type WalletProvider = { request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown> };

/** What of `window` decides whether a wallet may be asked. */
export type WalletPage = {
  isSecureContext: boolean;
  location: { hostname: string };
  ethereum?: unknown;
};

/**
 * The browser's wallet, or undefined. On this machine, and where the demo buyer pays, it is not even looked for: the
 * local chain calls itself Base, so that a signature of a real key could be cashed on the real one (rule P8).
 */
export function findWallet(page: WalletPage, mode: string | undefined): WalletProvider | undefined {
  if (mode !== 'wallet' || !page.isSecureContext || isThisMachine(page.location.hostname)) return undefined;
  const { ethereum } = page;
  return isProvider(ethereum) ? ethereum : undefined;
}

/** Browsers spell every IPv4 address in four decimal numbers, and IPv6 ones in brackets and as short as they go. */
const isThisMachine = (hostname: string): boolean => {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host) ||
    host === '0.0.0.0' ||
    host === '[::1]' ||
    host === '[::]' ||
    host.startsWith('[::ffff:7f')
  );
};

const isProvider = (value: unknown): value is WalletProvider =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function';

export type Signed = { ok: true; signature: string } | { ok: false; detail: string };
export type Connected = { ok: true; account: string } | { ok: false; detail: string };

/** Base, as wallets name chains. */
const BASE_CHAIN = '0x2105';
const REFUSED = 4001;
const UNKNOWN_CHAIN = 4902;
const ALREADY_ASKING = -32_002;
/** "Unsupported method" of EIP-1193, and "method not found" of JSON-RPC. */
const CANNOT_SWITCH: ReadonlySet<unknown> = new Set([4200, -32_601]);
const NOTHING_PAID = 'Nothing was signed and nothing was paid.';

/** The account that pays, with the wallet on Base: many sign typed data of the chain that they are on only. */
export async function connectWallet(wallet: WalletProvider): Promise<Connected> {
  try {
    const accounts = await wallet.request({ method: 'eth_requestAccounts' });
    const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
    if (typeof account !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(account))
      return { ok: false, detail: `Your wallet named no account. ${NOTHING_PAID}` };
    await switchToBase(wallet);
    return { ok: true, account };
  } catch (error) {
    return { ok: false, detail: describeWalletError(error) };
  }
}

/** Wallets that cannot switch are asked to sign anyway: a signature needs no chain. */
async function switchToBase(wallet: WalletProvider): Promise<void> {
  const chain = await wallet.request({ method: 'eth_chainId' });
  if (Number(chain) === Number(BASE_CHAIN)) return;
  try {
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: BASE_CHAIN }] });
  } catch (error) {
    if (!isRecord(error) || !CANNOT_SWITCH.has(error['code'])) throw error;
  }
}

/** Has the wallet sign typed data. Numbers are decimal texts, which wallets of every make take. */
export async function signTypedData(
  wallet: WalletProvider,
  account: string,
  typed: SignableTypedData,
): Promise<Signed> {
  try {
    const signature = await wallet.request({
      method: 'eth_signTypedData_v4',
      params: [account, JSON.stringify(typed)],
    });
    if (typeof signature === 'string' && /^0x(?:[0-9a-fA-F]{2})+$/.test(signature)) return { ok: true, signature };
    return { ok: false, detail: `Your wallet gave no signature. ${NOTHING_PAID}` };
  } catch (error) {
    return { ok: false, detail: describeWalletError(error) };
  }
}

const MAX_SAID_CHARS = 200;

/** Wallets throw objects with a code, and a message in their own words. */
function describeWalletError(error: unknown): string {
  const code = isRecord(error) ? error['code'] : undefined;
  if (code === REFUSED) return `You refused in your wallet. ${NOTHING_PAID} You can try again.`;
  if (code === UNKNOWN_CHAIN)
    return `Your wallet does not know Base (chain id 8453): add that network to it. ${NOTHING_PAID}`;
  if (code === ALREADY_ASKING) return 'Your wallet is still asking you something: open it, answer, and try again.';
  const message = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'no reason given';
  return `Your wallet could not do it: ${message.slice(0, MAX_SAID_CHARS)}. ${NOTHING_PAID}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
