import { createHash } from 'node:crypto';
import { recoverAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ChainUnreachable, type ChainReader, type Receipt, type UsdcEvent } from '../../../src/payment/chain/chain.ts';
import { CHAIN_ID, USDC, USDC_DOMAIN } from '../../../src/payment/terms/constants.ts';
import { buildProofTypedData } from '../../../src/payment/rails/transfer/payer-proof.ts';
import { asHex, base64, PAY_TO } from '../../payment/terms/offer-cases.ts';

export const PRICE = 60_000;
export const SALT = `0x${'5a'.repeat(32)}`;
export const CAPABILITY = 'visibility_check';
const FIRST_BLOCK = 1_000n;

type Hex = `0x${string}`;
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export const word = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`;

/** An account that pays: with a key, or a contract wallet whose code takes what its owner's key has signed. */
export type Payer = {
  name: string;
  address: string;
  isContract: boolean;
  account: ReturnType<typeof privateKeyToAccount>;
};

/** @param seed the same name and seed are the same key, so that a run can be repeated */
export function newPayer(name: string, isContract: boolean, seed: number): Payer {
  const account = privateKeyToAccount(word(`key of ${name} ${seed}`));
  const address = isContract ? word(`wallet of ${account.address}`).slice(0, 42) : account.address.toLowerCase();
  return { name, address, isContract, account };
}

export type Authorization = { from: string; nonce: Hex; validBeforeS: number };

/** The header of a signed payload that names `from`, signed by the key of `signer`. `quote`: the secret of our 402. */
export async function signedHeader(
  terms: Authorization,
  signer: Payer,
  quote: string | undefined,
): Promise<{ header: string; signature: Hex }> {
  const message = {
    from: asHex(terms.from),
    to: asHex(PAY_TO),
    value: BigInt(PRICE),
    validAfter: 0n,
    validBefore: BigInt(terms.validBeforeS),
    nonce: terms.nonce,
  };
  const own = await signer.account.signTypedData({
    domain: { ...USDC_DOMAIN, chainId: CHAIN_ID, verifyingContract: USDC },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  // A contract wallet's signature is in its own form, which no key recovers to.
  const signature: Hex = signer.isContract ? `${own}00` : own;
  const authorization = {
    from: terms.from,
    to: PAY_TO,
    value: String(PRICE),
    validAfter: '0',
    validBefore: String(terms.validBeforeS),
    nonce: terms.nonce,
  };
  return {
    signature,
    header: base64({ x402Version: 2, accepted: acceptedWith(quote), payload: { signature, authorization } }),
  };
}

const acceptedWith = (quote: string | undefined): object => ({
  scheme: 'exact',
  network: `eip155:${CHAIN_ID}`,
  amount: String(PRICE),
  asset: USDC,
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { ...USDC_DOMAIN, ...(quote === undefined ? {} : { quote }) },
});

/** The header of a transfer with a proof by the key of `signer`. */
export async function provenHeader(hash: string, body: string, signer: Payer, nowS: number): Promise<string> {
  const times = { issuedAtS: nowS, expiresAtS: nowS + 300 };
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const proof = buildProofTypedData({ transaction: hash, capability: CAPABILITY, bodySha256, ...times }, SALT);
  const signature = await signer.account.signTypedData(proof);
  const payload = { transaction: hash, signature, issuedAt: times.issuedAtS, expiresAt: times.expiresAtS };
  return base64({ x402Version: 2, accepted: acceptedWith(undefined), payload });
}

export type Money = ReturnType<typeof newMoney>;

/** A chain in memory on which the payers pay. Each transaction is a block, which is final at once. */
export function newMoney(now: () => number, wallets: readonly Payer[]) {
  const receipts = new Map<string, Receipt>();
  const times = new Map<bigint, number>();
  const used = new Map<string, string>();
  const byAddress = new Map(wallets.map((payer) => [payer.address, payer]));
  const state = { down: false, height: FIRST_BLOCK, startS: Math.floor(now() / 1000) };
  const nowS = (): number => Math.floor(now() / 1000);
  const mine = (events: readonly UsdcEvent[]): string => {
    state.height += 1n;
    const hash = word(`${state.startS} ${state.height} ${events.length}`);
    times.set(state.height, nowS());
    receipts.set(hash, {
      hash,
      status: 'success',
      blockNumber: state.height,
      blockHash: word(`block ${state.height}`),
      events: events.map((event, logIndex) => ({ ...event, logIndex })),
    });
    return hash;
  };
  const moved = (from: string): UsdcEvent => ({
    name: 'Transfer',
    logIndex: 0,
    removed: false,
    from,
    to: PAY_TO,
    value: BigInt(PRICE),
  });
  const blockOf = (number: bigint) => ({
    number,
    hash: word(`block ${number}`),
    timestampS: times.get(number) ?? state.startS,
  });
  const latest = () => ({ ...blockOf(state.height), timestampS: nowS() });
  const read = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    await Promise.resolve();
    if (state.down) throw new ChainUnreachable('the model says so');
    return answer();
  };
  const chain: ChainReader = {
    receipt: (hash) => read(() => receipts.get(hash) ?? 'not_found'),
    block: (ref) => read(() => (typeof ref === 'bigint' ? blockOf(ref) : latest())),
    authorizationState: (_from, nonce) => read(() => used.has(nonce)),
    authorizationTransaction: (_from, nonce) => read(() => used.get(nonce)),
    authorizationCancelled: () => read(() => false),
    balanceOf: () => read(() => 10n ** 12n),
    hasCode: (address) => read(() => byAddress.get(address.toLowerCase())?.isContract === true),
    isContractSignatureValid: (address, digest, signature) =>
      read(() => isOwners(byAddress.get(address.toLowerCase()), digest, signature)),
    isWrappedSignatureValid: () => read(() => false),
  };
  return {
    state,
    chain,
    isUsed: (nonce: string) => used.has(nonce),
    /** Payers send money by themselves, all in one transaction. */
    transfer: (...payers: readonly Payer[]): string => mine(payers.map(({ address }) => moved(address))),
    /** A facilitator settles authorizations and carries out transfers in one transaction; those used before fail. */
    settle(authorizations: readonly Authorization[], ...payers: readonly Payer[]): string | undefined {
      const open = authorizations.filter(({ nonce, validBeforeS }) => !used.has(nonce) && nowS() < validBeforeS);
      if (open.length === 0) return undefined;
      const hash = mine([
        ...payers.map(({ address }) => moved(address)),
        ...open.flatMap(({ from, nonce }): UsdcEvent[] => [
          { name: 'AuthorizationUsed', logIndex: 0, removed: false, authorizer: from, nonce },
          moved(from),
        ]),
      ]);
      for (const { nonce } of open) used.set(nonce, hash);
      return hash;
    },
  };
}

/** The model's wallets take what their owner's key has signed. */
async function isOwners(payer: Payer | undefined, hash: Hex, signed: Hex): Promise<boolean> {
  const signature = signed.slice(0, SIGNATURE_CHARS) as Hex;
  return payer !== undefined && (await recoverAddress({ hash, signature })) === payer.account.address;
}

/** `0x` and 65 bytes: what a key makes. */
const SIGNATURE_CHARS = 132;
