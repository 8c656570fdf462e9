import { createHash, createPublicKey, verify } from 'node:crypto';
import { createSvmReader } from '../../../../src/payment/chain/svm-chain.ts';
import { createFacilitator } from '../../../../src/payment/facilitator/facilitator.ts';
import { deriveTokenAccount } from '../../../../src/payment/rails/x402-svm/token-account.ts';
import { decodeBase58, encodeBase58 } from '../../../../src/payment/terms/base58.ts';
import { SOLANA } from '../../../../src/payment/terms/networks-data.ts';
import { bodyText } from '../../terms/offer-cases.ts';
import { SVM_FEE_PAYER, SVM_PAY_TO } from './svm-parties.ts';

const START_MICRO_USDC = 1_000_000_000n;
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** Before the bytes of an Ed25519 key in SubjectPublicKeyInfo. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
/** After the count of signatures, that of the fee payer and that of the payer. */
const MESSAGE_AT = 1 + 2 * 64;
/** Accounts of the message: after version, header and their count. */
const KEYS_AT = 5;

type Carried = { signature: string; wire: string; atS: number; payer: string; microUsdc: number; isOurs: boolean };
/** What a message of these tests says, read off its bytes: each is made from one of the official client. */
type Said = {
  hash: string;
  blockhash: string;
  payer: string;
  source: string;
  destination: string;
  microUsdc: number;
  isSigned: boolean;
};

const keyAt = (message: Buffer, at: number): Buffer => message.subarray(KEYS_AT + 32 * at, KEYS_AT + 32 * (at + 1));

function readSaid(wire: Buffer): Said {
  const message = wire.subarray(MESSAGE_AT);
  const payer = keyAt(message, 1);
  const key = createPublicKey({ key: Buffer.concat([SPKI, payer]), format: 'der', type: 'spki' });
  return {
    hash: createHash('sha256').update(message).digest('hex'),
    blockhash: encodeBase58(keyAt(message, message[KEYS_AT - 1] ?? 0)),
    payer: encodeBase58(payer),
    destination: encodeBase58(keyAt(message, 2)),
    source: encodeBase58(keyAt(message, 3)),
    microUsdc: Number(message.readBigUInt64LE(message.indexOf(Buffer.from([10, 12])) + 2)),
    isSigned: verify(null, message, key, wire.subarray(65, MESSAGE_AT)),
  };
}

/**
 * Solana in memory, behind a stub of its node (JSON-RPC) and a stub of its facilitator (x402), each asked by the real client of
 * ours in the wire form that both have. `state` is shared with the other chain of a world.
 */
export function openSvmChain(nowS: () => number, state: { isDown: boolean; safeS: number | undefined; reads: number }) {
  const carried = new Map<string, Carried>();
  const balances = new Map<string, bigint>();
  /** Owners by their token account. */
  const owners = new Map<string, string>();
  /** Until when the recent block of a message is known, by its hash. */
  const lives = new Map<string, number>();
  /** The same by the recent block itself. */
  const blocks = new Map<string, number>();
  const balanceOf = (owner: string): bigint => balances.get(owner) ?? START_MICRO_USDC;
  const ours = deriveTokenAccount(SVM_PAY_TO, SOLANA.usdc);
  const slotOf = (signature: string): number => [...carried.keys()].indexOf(signature) + 1;

  const findWhyNot = ({ hash, payer, microUsdc, isSigned }: Said): string | undefined => {
    if (!isSigned) return 'invalid_exact_svm_payload_signature_invalid';
    const isKnown = nowS() < (lives.get(hash) ?? 0);
    const isUsed = [...carried.values()].some(({ wire }) => readSaid(Buffer.from(wire, 'base64')).hash === hash);
    // A simulation does not say which of these it was.
    return isKnown && !isUsed && balanceOf(payer) >= BigInt(microUsdc)
      ? undefined
      : 'invalid_exact_svm_transaction_simulation_failed';
  };

  /** The fee payer signs, and the message is carried out. */
  async function carryOut(wire: Buffer, said: Said): Promise<string> {
    const first = createHash('sha512').update(`fees of ${said.hash}`).digest();
    const signed = Buffer.from(wire);
    first.copy(signed, 1);
    const signature = encodeBase58(first);
    const isOurs = said.destination === (await ours);
    const { payer, microUsdc } = said;
    balances.set(payer, balanceOf(payer) - BigInt(microUsdc));
    carried.set(signature, { signature, wire: signed.toString('base64'), atS: nowS(), payer, microUsdc, isOurs });
    return signature;
  }

  async function answerFacilitator(operation: string, wire: Buffer): Promise<object> {
    const said = readSaid(wire);
    const why = findWhyNot(said);
    if (operation === 'verify')
      return why === undefined
        ? { isValid: true, payer: said.payer }
        : { isValid: false, invalidReason: why, payer: said.payer };
    const network = SOLANA.id;
    return why === undefined
      ? { success: true, transaction: await carryOut(wire, said), network, payer: said.payer }
      : { success: false, errorReason: why, transaction: '', network, payer: said.payer };
  }

  const answerNode: Readonly<Record<string, (params: readonly unknown[]) => object | string | number | null>> = {
    getGenesisHash: () => GENESIS,
    getTokenAccountBalance: ([account]) => ({
      value: { amount: String(balanceOf(owners.get(String(account)) ?? 'unknown')), decimals: 6 },
    }),
    getSignatureStatuses: ([signatures]) => ({
      value: (signatures as string[]).map((signature) =>
        carried.has(signature) ? { slot: slotOf(signature), confirmationStatus: 'finalized', err: null } : null,
      ),
    }),
    getTransaction: ([signature]) => {
      const found = carried.get(String(signature));
      return found === undefined ? null : { transaction: [found.wire, 'base64'], meta: { err: null, fee: 10_000 } };
    },
    getSignaturesForAddress: ([address, page]) => {
      const { before, limit } = page as { before?: string; limit: number };
      const found = [...carried.values()].filter(({ payer }) => payer === address).toReversed();
      const first = before === undefined ? 0 : found.findIndex(({ signature }) => signature === before) + 1;
      return found.slice(first, first + limit).map(({ signature, atS }) => ({ signature, blockTime: atS }));
    },
    getSlot: () => carried.size + 1,
    isBlockhashValid: ([blockhash]) => ({
      context: { slot: carried.size + 1 },
      value: (state.safeS ?? nowS()) < (blocks.get(String(blockhash)) ?? 0),
    }),
    getBlockTime: () => state.safeS ?? nowS(),
  };

  const facilitator = createFacilitator({
    url: 'https://facilitator.test/svm',
    fetch: async (url, init) => {
      const { paymentPayload } = JSON.parse(bodyText(init)) as { paymentPayload: { payload: { transaction: string } } };
      const wire = Buffer.from(paymentPayload.payload.transaction, 'base64');
      return Response.json(await answerFacilitator(new URL(url).pathname.split('/').at(-1) ?? '', wire));
    },
  });
  const reader = createSvmReader({
    rpcUrl: 'https://solana.test',
    network: SOLANA,
    timeoutMs: 5_000,
    fetch: async (_url, init) => {
      state.reads += 1;
      if (state.isDown) throw new TypeError('fetch failed');
      const { id, method, params } = JSON.parse(bodyText(init)) as { id: number; method: string; params: unknown[] };
      const result = answerNode[method]?.(params);
      return Response.json({
        jsonrpc: '2.0',
        id,
        ...(result === undefined ? { error: { code: -32_601 } } : { result }),
      });
    },
  });

  return {
    reader,
    facilitator,
    feePayer: SVM_FEE_PAYER,
    /** A payer has a token account, and its message is good for so long. */
    announce(wire: Buffer, lifeS: number): string {
      const { hash, blockhash, payer, source } = readSaid(wire);
      owners.set(source, payer);
      lives.set(hash, nowS() + lifeS);
      blocks.set(blockhash, Math.max(blocks.get(blockhash) ?? 0, nowS() + lifeS));
      return hash;
    },
    /** The transaction of a message as the chain shows it to all. */
    findWire: (hash: string): string | undefined =>
      [...carried.values()].find(({ wire }) => readSaid(Buffer.from(wire, 'base64')).hash === hash)?.wire,
    setBalance: (owner: string, microUsdc: bigint): void => void balances.set(owner, microUsdc),
    balanceOf,
    receivedFrom: (owner: string): number =>
      [...carried.values()].reduce(
        (sum, { payer, microUsdc, isOurs }) => (payer === owner && isOurs ? sum + microUsdc : sum),
        0,
      ),
  };
}

/** The bytes of an address. */
export function keyBytes(address: string): Buffer {
  const bytes = decodeBase58(address, 32);
  if (bytes === undefined) throw new TypeError('no address of Solana');
  return Buffer.from(bytes);
}
