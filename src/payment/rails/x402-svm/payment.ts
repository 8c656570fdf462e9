import { computeSha256Hex } from '../../../lib/digest.ts';
import { ChainUnreachable } from '../../chain/chain.ts';
import type { SvmReader } from '../../chain/svm-chain.ts';
import type { AuthorizedPayment, OpenSettlement, ParsedPayment, RailPorts } from '../rail.ts';
import { refuseCredential } from '../refuse-credential.ts';
import type { SvmCredential } from './credential.ts';
import { isSignedByPayer, readSvmMessage } from './message.ts';
import { judgeRefusalWord } from './refusals.ts';
import { isMessageUsed, judgeRefusedMessage, type OpenMessage, reconcileMessage, REQUEST_LOOK } from './settlement.ts';
import { checkSvmTerms, restoreSvmTerms, type SvmPayment } from './terms.ts';

/** The ledger key of a message: one for each, whatever signatures and spelling it comes with (rule P21). */
export const formatSvmKey = (networkId: string, hash: string): string => `svm:${networkId}:${hash}`;

/** How far back a message of a request is looked for, in seconds: longer than any can be carried out. */
const SEARCH_BACK_S = 600;

/** A signed transaction of Solana as the sale goes on with it; refused where it is none, or does more than it should. */
export async function presentSvm(credential: SvmCredential): Promise<ParsedPayment> {
  const read = await readSvmMessage(credential.bytes);
  if (!read.ok) return refuseCredential(`payload.transaction: ${read.detail}`);
  return { ok: true, payment: presentMessage({ ...credential, message: read.message }) };
}

function presentMessage(credential: SvmPayment): AuthorizedPayment {
  const { message, accepted, quote, identifier, wire } = credential;
  const payment = { transaction: wire, payer: message.authority };
  const used = ({ nowS }: OpenSettlement): OpenMessage => ({
    payer: message.authority,
    hash: message.hash,
    sinceS: nowS - SEARCH_BACK_S,
    look: REQUEST_LOOK,
  });
  const open = (given: OpenSettlement): OpenMessage => ({
    ...used(given),
    sinceS: Math.max(given.sinceS, given.nowS - SEARCH_BACK_S),
    named: given.named,
  });
  return {
    rail: 'x402-svm',
    flow: 'authorization',
    networkId: accepted.network,
    payer: message.authority,
    amountMicroUsdc: Number(message.amount),
    nonce: message.hash,
    blockhash: message.blockhash,
    validBeforeS: 0, // A message has no such time; its terms say until when it is looked for.
    hasSecret: quote !== undefined || identifier !== undefined,
    identifier,
    formatKey: ({ id }) => formatSvmKey(id, message.hash),
    computeDigest: () => computeSha256Hex(message.hash),
    checkTerms: (offer, clock) => checkSvmTerms(credential, offer, clock),
    restoreTerms: (offer) => restoreSvmTerms(credential, offer),
    isPayersKey: () => isSignedByPayer(message),
    isWrapped: async () => false,
    isWallets: async () => false,
    verify: ({ facilitator }, requirements) => facilitator.verify(payment, requirements),
    settle: async ({ facilitator }, requirements) => judgeRefusalWord(await facilitator.settle(payment, requirements)),
    readBalance: (ports) => requireSvm(ports).tokenBalance(message.source),
    isUsed: async (ports, given) => isMessageUsed(requireSvm(ports), used(given)),
    reconcile: async (ports, given) => reconcileMessage(requireSvm(ports), open(given)),
    judgeRefusal: async (ports, given) => judgeRefusedMessage(requireSvm(ports), open(given), given.wasTried),
  };
}

function requireSvm({ svm }: RailPorts): SvmReader {
  if (svm === undefined) throw new ChainUnreachable('no node of Solana is configured');
  return svm;
}
