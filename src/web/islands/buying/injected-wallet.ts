import { formatPlainLine } from '../../../lib/safe-text.ts';
import { BASE } from '../../../payment/terms/networks-data.ts';
import { type PageNetwork, WALLET_CHAINS } from '../../../payment/terms/wallet-chain-data.ts';
import type { SignableTypedData } from './payment-signing.ts';
import type { WalletProvider } from './wallet-discovery.ts';

/** Why a wallet gave nothing to send: in each case nothing was signed, or what was signed is thrown away. */
export type ProviderRefusal = {
  ok: false;
  reason:
    | 'refused'
    | 'no_account'
    | 'wrong_network'
    | 'still_elsewhere'
    | 'unknown_network'
    | 'already_asking'
    | 'no_signature'
    | 'foreign_signature'
    | 'not_checked'
    | 'stopped'
    | 'failed';
  /** In the wallet's own words. */
  said?: string;
  /** The network that the wallet is on, where that is what is wrong. */
  chainId?: number;
};

export type Signed = { ok: true; signature: string } | ProviderRefusal;
export type Connected = { ok: true; account: string } | ProviderRefusal;
export type Switched = { ok: true } | ProviderRefusal;

type ConnectOptions = { signal?: AbortSignal; network?: PageNetwork; anyNetwork?: boolean };

const REFUSED = 4001;
const UNKNOWN_CHAIN = 4902;
const ALREADY_ASKING = -32_002;
/** "Unsupported method" of EIP-1193, and "method not found" of JSON-RPC. */
const CANNOT_SWITCH: ReadonlySet<unknown> = new Set([4200, -32_601]);

/** Thrown where a person stopped waiting for their wallet. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** What the wallet answers, unless someone stops waiting first: a wallet may hang for ever. */
async function ask(
  wallet: WalletProvider,
  call: { method: string; params?: readonly unknown[] },
  signal?: AbortSignal,
): Promise<unknown> {
  if (signal?.aborted) throw new Stopped();
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(new Stopped());
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([wallet.request(call), stopped.promise]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * The account that pays, with the wallet on the network that is paid on: many sign typed data of the chain that they are on only.
 * @param anyNetwork for a wallet that cannot switch: its signature is judged, whatever network it says it is on
 */
export async function connectWallet(
  wallet: WalletProvider,
  { signal, network = BASE, anyNetwork = false }: ConnectOptions = {},
): Promise<Connected> {
  try {
    const accounts = await ask(wallet, { method: 'eth_requestAccounts' }, signal);
    const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
    if (typeof account !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(account)) return { ok: false, reason: 'no_account' };
    const chainId = Number(await ask(wallet, { method: 'eth_chainId' }, signal));
    return chainId === network.chainId || anyNetwork
      ? { ok: true, account }
      : { ok: false, reason: 'wrong_network', chainId };
  } catch (error) {
    return judgeWalletError(error);
  }
}

/** Has the wallet go to a network, which it is given where it does not know it. Wallets that cannot switch are good as they are. */
export async function switchNetwork(
  wallet: WalletProvider,
  network: PageNetwork,
  signal?: AbortSignal,
): Promise<Switched> {
  const asked = `0x${network.chainId.toString(16)}`;
  try {
    await ask(wallet, { method: 'wallet_switchEthereumChain', params: [{ chainId: asked }] }, signal);
  } catch (error) {
    const code = findErrorCode(error);
    if (CANNOT_SWITCH.has(code)) return { ok: true };
    if (code !== UNKNOWN_CHAIN) return judgeWalletError(error);
    try {
      await ask(
        wallet,
        { method: 'wallet_addEthereumChain', params: [{ ...WALLET_CHAINS[network.id], chainId: asked }] },
        signal,
      );
    } catch (addError) {
      const refusal = judgeWalletError(addError);
      return refusal.reason === 'failed' ? { ...refusal, reason: 'unknown_network' } : refusal;
    }
  }
  return verifyNetwork(wallet, network, signal);
}

/** A wallet that says that it switched, and did not. */
async function verifyNetwork(
  wallet: WalletProvider,
  { chainId }: PageNetwork,
  signal: AbortSignal | undefined,
): Promise<Switched> {
  try {
    const now = Number(await ask(wallet, { method: 'eth_chainId' }, signal));
    return now === chainId ? { ok: true } : { ok: false, reason: 'still_elsewhere', chainId: now };
  } catch (error) {
    return judgeWalletError(error);
  }
}

/** Has the wallet sign typed data. Numbers are decimal texts, which wallets of every make take. */
export async function signTypedData(
  wallet: WalletProvider,
  account: string,
  typed: SignableTypedData,
  signal?: AbortSignal,
): Promise<Signed> {
  try {
    const params = [account, JSON.stringify(typed)];
    const signature = await ask(wallet, { method: 'eth_signTypedData_v4', params }, signal);
    return isSignature(signature) ? { ok: true, signature } : { ok: false, reason: 'no_signature' };
  } catch (error) {
    return judgeWalletError(error);
  }
}

/** Of a key: 65 bytes. Those of contract wallets are longer; a payment header has no room for more than this. */
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){65,3000}$/;

export const isSignature = (value: unknown): value is string => typeof value === 'string' && SIGNATURE.test(value);

/** Whether an account is a contract, which signs in a way of its own: as its wallet says, and the service judges it again. */
export async function hasContractCode(wallet: WalletProvider, account: string, signal?: AbortSignal): Promise<boolean> {
  try {
    const code = await ask(wallet, { method: 'eth_getCode', params: [account, 'latest'] }, signal);
    return typeof code === 'string' && /^0x[0-9a-fA-F]{2,}$/.test(code);
  } catch {
    return false; // It cannot say: then the account is judged as one with a key.
  }
}

const MAX_SAID_CHARS = 200;

/** Wallets throw objects with a code, and a message in their own words. */
function judgeWalletError(error: unknown): ProviderRefusal {
  if (error instanceof Stopped) return { ok: false, reason: 'stopped' };
  const code = findErrorCode(error);
  if (code === REFUSED) return { ok: false, reason: 'refused' };
  if (code === UNKNOWN_CHAIN) return { ok: false, reason: 'unknown_network' };
  if (code === ALREADY_ASKING) return { ok: false, reason: 'already_asking' };
  const said = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : '';
  return { ok: false, reason: 'failed', said: formatPlainLine(said, MAX_SAID_CHARS) };
}

/** Some wallets wrap the error of their own network part, and its code with it. */
function findErrorCode(error: unknown): unknown {
  if (!isRecord(error)) return undefined;
  const { data } = error;
  const inner = isRecord(data) ? data['originalError'] : undefined;
  return isRecord(inner) && inner['code'] === UNKNOWN_CHAIN ? UNKNOWN_CHAIN : error['code'];
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
