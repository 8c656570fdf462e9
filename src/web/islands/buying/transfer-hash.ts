const HASH = /^0x[0-9a-fA-F]{64}$/;

export const isTransactionHash = (text: string): boolean => HASH.test(text);

export type ReadHash =
  | { ok: true; hash: string }
  | { ok: false; fault: 'empty' | 'address' | 'length' | 'other_network' | 'no_hash'; digits?: number };

/** Explorers of other networks: a hash that is found there is of no transfer on Base. */
const OTHER_EXPLORERS: readonly string[] = [
  'etherscan.io',
  'polygonscan.com',
  'arbiscan.io',
  'bscscan.com',
  'optimistic.etherscan.io',
  'sepolia.basescan.org',
  'snowtrace.io',
];
/** Longer texts are no address of an explorer. */
const MAX_CHARS = 2_048;
const DIGITS = /^(?:0x)?([0-9a-fA-F]+)$/;
const ADDRESS_DIGITS = 40;
const HASH_DIGITS = 64;

/** The hash in what someone pasted: the hash itself, with or without `0x`, or the address of a page of an explorer. */
export function readTransactionHash(pasted: string): ReadHash {
  const text = pasted.trim();
  if (text === '') return { ok: false, fault: 'empty' };
  if (text.length > MAX_CHARS) return { ok: false, fault: 'no_hash' };
  const digits = DIGITS.exec(text)?.[1]?.length;
  if (digits === HASH_DIGITS) return { ok: true, hash: `0x${text.slice(-HASH_DIGITS)}`.toLowerCase() };
  if (digits === ADDRESS_DIGITS) return { ok: false, fault: 'address' };
  if (digits !== undefined) return { ok: false, fault: 'length', digits };
  return URL.canParse(text) ? readExplorerAddress(new URL(text)) : { ok: false, fault: 'no_hash' };
}

function readExplorerAddress({ hostname, pathname, hash }: URL): ReadHash {
  const found = `${pathname}/${hash}`.split(/[/#]/).filter(isTransactionHash);
  const [only] = found;
  if (found.length !== 1 || only === undefined) return { ok: false, fault: 'no_hash' };
  const host = hostname.replace(/^www\./, '');
  return OTHER_EXPLORERS.includes(host)
    ? { ok: false, fault: 'other_network' }
    : { ok: true, hash: only.toLowerCase() };
}
