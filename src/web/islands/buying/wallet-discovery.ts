import { formatPlainLine } from '../../../lib/safe-text.ts';

/** @see https://eips.ethereum.org/EIPS/eip-1193 */
export type WalletProvider = { request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown> };

/** A wallet of the browser, as the page lists it. `name` and `maker` are its own words: text, never markup. */
export type FoundWallet = { id: string; name: string; maker: string; provider: WalletProvider };

/** What of `window` decides whether wallets may be asked, and by which they are. */
export type WalletPage = {
  isSecureContext: boolean;
  location: { hostname: string };
  ethereum?: unknown;
  addEventListener: (type: string, listen: (event: object) => void) => void;
  dispatchEvent: (event: Event) => unknown;
};

/** Wallets that the page lists; what announces itself after that is ignored. */
export const MAX_WALLETS = 8;
const MAX_NAME_CHARS = 40;
const MAX_MAKER_CHARS = 60;
const MAX_ID_CHARS = 64;

const ANNOUNCE = 'eip6963:announceProvider';
const REQUEST = 'eip6963:requestProvider';

/**
 * Lists the wallets of the browser that announce themselves, at first and with each that follows; a wallet without
 * EIP-6963 is listed where no other is. On this machine, and where the demo buyer pays, wallets are not even looked for:
 * the local chain calls itself Base, so that a signature of a real key could be cashed on the real one (rule P8).
 *
 * Their pictures are left out: they are `data:` addresses of strangers, which our policy refuses.
 * @see https://eips.ethereum.org/EIPS/eip-6963
 */
export function discoverWallets(
  page: WalletPage,
  mode: string | undefined,
  onFound: (wallets: readonly FoundWallet[]) => void,
): void {
  if (mode !== 'wallet' || !page.isSecureContext || isThisMachine(page.location.hostname)) return;
  const announced: FoundWallet[] = [];
  page.addEventListener(ANNOUNCE, (event) => {
    const wallet = readAnnouncement(event);
    if (wallet === undefined || announced.length >= MAX_WALLETS || announced.some(({ id }) => id === wallet.id)) return;
    announced.push(wallet);
    onFound([...announced]);
  });
  page.dispatchEvent(new Event(REQUEST));
  if (announced.length > 0) return;
  const { ethereum } = page;
  if (isProvider(ethereum)) onFound([{ id: '', name: '', maker: '', provider: ethereum }]);
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

/** Undefined for what is no announcement: any script and extension of the page can send one. */
function readAnnouncement(event: object): FoundWallet | undefined {
  try {
    const detail = 'detail' in event ? event.detail : undefined;
    if (!isRecord(detail) || !isRecord(detail['info'])) return undefined;
    const { provider } = detail;
    const { uuid, name, rdns } = detail['info'];
    if (!isProvider(provider) || typeof uuid !== 'string' || uuid === '' || uuid.length > MAX_ID_CHARS)
      return undefined;
    return { id: uuid, name: readName(name, MAX_NAME_CHARS), maker: readName(rdns, MAX_MAKER_CHARS), provider };
  } catch {
    return undefined; // Its members throw when they are read.
  }
}

const readName = (name: unknown, maxChars: number): string =>
  typeof name === 'string' ? formatPlainLine(name, maxChars) : '';

const isProvider = (value: unknown): value is WalletProvider =>
  isRecord(value) && typeof value['request'] === 'function';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
