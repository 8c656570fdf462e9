import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';
import type { SettlerFault } from './settler.ts';

/** State that Workers left when they ended in the middle of their work, the chain of that day, and the record below. */
export const IN_FLIGHT_PACK = fileURLToPath(new URL('../../data/stored/in-flight.br', import.meta.url));

/** Names of folders and files in the pack. */
export const IN_FLIGHT_FILES = { state: 'state', key: 'key.json', chain: 'chain.json', record: 'record.json' } as const;

/** A purchase as it was sent. Keys of payers are good for the recording's chain only. */
export type Purchase = { payer: Hex; capability: string; body: Record<string, unknown>; credential: string };

/**
 * Signed payments that were not decided, with the phase of their ledger row and what went wrong at their facilitator.
 */
export const SIGNED_CASES = {
  /** Claimed; the facilitator had not answered whether it is good. */
  verifying: { phase: 'claimed', fault: 'silent_verify' },
  /** Claimed, its work under way: the site had not answered. */
  working: { phase: 'claimed', fault: undefined },
  /** Settled on chain; the facilitator's answer was lost. */
  settled_unanswered: { phase: 'settling', fault: 'silent_after_settle' },
  /** The facilitator was asked to settle, and moved nothing. */
  settling: { phase: 'settling', fault: 'silent_settle' },
  /** The facilitator answered 500, and moved nothing. */
  unknown: { phase: 'unknown', fault: 'broken_settle' },
  /** The same; its authorization has expired since. */
  expired: { phase: 'unknown', fault: 'broken_settle' },
  /** The facilitator refused to settle. */
  refused: { phase: 'refused', fault: 'refused_settle' },
  /** The same, but a third party broadcasts the authorization later. */
  refused_but_paid: { phase: 'refused', fault: 'refused_settle' },
} as const satisfies Record<string, { phase: string; fault: SettlerFault | undefined }>;
export type SignedCase = keyof typeof SIGNED_CASES;

/** Hashes of transfers, by what became of them. */
export type TransferCase =
  /** Sold, and its row pruned a day later. */
  | 'pruned'
  /** Made at the same time, and never presented. */
  | 'kept_back'
  /** Never presented; a mark of an earlier version says that its transaction is spent. */
  | 'marked_spent'
  /** Claimed, and its work under way. */
  | 'working'
  /** Its work failed: free again. */
  | 'released';

export type InFlight = {
  recordedAt: string;
  bindings: Record<string, string>;
  webhookBindings: Record<string, string>;
  tokens: { control: string; webhook: string; person: string };
  signed: Record<SignedCase, Purchase>;
  transfers: Record<TransferCase, { hash: Hex; capability: string; body: Record<string, unknown> }>;
  /** A signed payment that was sold and whose row was pruned, with the transaction that settled it. */
  prunedSale: Purchase & { transaction: Hex };
  /** Where the report of the expired payment is. */
  expiredReport: string;
  /** A payer whose work failed twenty times within the hour. */
  failing: Hex;
  /** A measurement whose other prompts wait in the queue, and one whose prompts are lost. */
  runs: Record<'waiting' | 'lost', Purchase & { runId: string }> & { prompts: readonly unknown[] };
  /** A call on credits that was under way, of an account with two packs: the answer to the second one's settlement was lost. */
  creditCall: { url: string; key: string };
  /** Of the browser of the account's owner. */
  cookies: [name: string, value: string][];
  /** Users of the directory, by what became of the message about each. */
  users: { dead: string; delivering: string; pushed: string };
  channel: { id: string; token: string };
};

/** Prompts of a run that the queue had not brought yet begin with this index. */
export const KEPT_FROM = 15;
/** A caller with as many failed operator sign-ins as are allowed. */
export const LOCKED_CALLER = '192.0.2.77';
/** A site with as many free previews as an hour allows. */
export const BUSY_SITE = 'https://example.com/';
/** Cost of one chat: more than half of what the test allows an hour. */
export const CHAT_USD = '1';

const AI_SEARCH = '/client/v4/accounts/stored/ai-search/namespaces';
export const SEARCH = {
  namespaces: AI_SEARCH,
  /** Items that were uploaded, with a PDF among them. */
  library: `${AI_SEARCH}/desk/instances/library`,
  /** A site that is being crawled. */
  charts: `${AI_SEARCH}/desk/instances/charts`,
  pdf: { name: 'tides.pdf', words: 'Spring tides come twice in a lunar month', query: 'When do spring tides come?' },
} as const;
