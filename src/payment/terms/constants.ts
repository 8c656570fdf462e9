/** Base mainnet in CAIP-2 spelling: the only network that is sold on. */
export const NETWORK = 'eip155:8453';
export const CHAIN_ID = 8453;

/**
 * Block 0 of Base mainnet. "Real Base" is decided by it and never by the chain id, which a local chain shares (rule P8).
 * @see https://github.com/ethereum-optimism/superchain-registry
 */
export const BASE_GENESIS_HASH = '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd';

/** Native USDC on Base, in the checksummed spelling that the official x402 parts use on the wire. */
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** The same address as keys, comparisons and logs spell it (rule P21). */
export const USDC_LOWER = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
/** EIP-712 domain of the token: what an authorization is signed under, with `CHAIN_ID` and `USDC`. */
export const USDC_DOMAIN = { name: 'USD Coin', version: '2' } as const;

/** What a payer signs for USDC (EIP-3009), as EIP-712 types. */
export const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** keccak256("Transfer(address,address,uint256)"), ERC-20. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** keccak256("AuthorizationUsed(address,bytes32)"), EIP-3009. */
export const AUTHORIZATION_USED_TOPIC = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** Micro-USDC in a dollar: prices are integers of the token's six decimals. */
export const MICRO_USDC_PER_USD = 1_000_000;
/** From this price on (micro-USDC) a transfer must be final, not just confirmed (rule P25). */
export const FINAL_FROM_MICRO_USDC = 1_000_000;
/** Official clients refuse dearer payments by default, in micro-USDC (`spendControls`, 2.27). */
export const CLIENT_DEFAULT_CAP_MICRO_USDC = 1_000_000;
/** An old price is honoured this long after a change, in seconds (rule P14). */
export const OLD_PRICE_GRACE_S = 3_600;

/** Life of a signed authorization that clients are asked for, in seconds: the longest run and its settlement fit. */
export const MAX_TIMEOUT_S = 300;
/** What must be left of an authorization after the longest work of a row, in seconds: settlement takes up to 30 (rule P17). */
export const SETTLE_MARGIN_S = 35;
/** Farthest accepted end of an authorization, in seconds from now: an unknown outcome is decided only after it (rule P17). */
export const MAX_VALID_AHEAD_S = 3_600;
/** Accepted difference between our clock and a block's or a signer's, in seconds (rule P19). */
export const PAYMENT_CLOCK_SKEW_S = 60;

/** Longest PAYMENT-SIGNATURE value, in characters. */
export const MAX_CREDENTIAL_CHARS = 8_192;
/**
 * Largest PaymentRequired with one way to pay, in bytes of JSON: 3 KiB of header in base64. Proxies stop at 8 KiB of headers
 * in all, and clients send most of it back inside the credential, beside an authorization and a signature.
 */
export const MAX_PAYMENT_REQUIRED_BYTES = 2_304;
/** What each further entry of `accepts` may add to it, in bytes: three make 3.5 KiB of header. */
export const MAX_FURTHER_WAY_BYTES = 192;

/** Longest life of a payer proof, in seconds (rule P10). */
export const MAX_PROOF_LIFE_S = 600;

/**
 * The ten default accounts of local chain tools, whose keys everyone knows (rule P8): money sent there is stolen at
 * once. Lower case.
 */
const WELL_KNOWN_TEST_ACCOUNTS: ReadonlySet<string> = new Set([
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
  '0x976ea74026e726554db657fa54763abd0c3a0aa9',
  '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
]);

/** Whether everyone holds the key of `address` (any letter case): such an account must not be paid. */
export const isWellKnownTestAccount = (address: string): boolean => WELL_KNOWN_TEST_ACCOUNTS.has(address.toLowerCase());

/** US dollars with six decimals, e.g. `0.060000`: the spelling of prices in routes, index and receipts. */
export function formatUsdAmount(microUsdc: number): string {
  if (!Number.isSafeInteger(microUsdc) || microUsdc < 0)
    throw new RangeError(`not an amount in micro-USDC: ${microUsdc}`);
  const whole = Math.floor(microUsdc / MICRO_USDC_PER_USD);
  return `${whole}.${String(microUsdc % MICRO_USDC_PER_USD).padStart(6, '0')}`;
}

/** The same of a balance, which refunds and disputes may bring below zero: `-1.500000`. */
export const formatUsdBalance = (microUsdc: number): string =>
  microUsdc < 0 ? `-${formatUsdAmount(-microUsdc)}` : formatUsdAmount(microUsdc);
