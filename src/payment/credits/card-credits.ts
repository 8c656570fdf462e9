import { computeFreeMicroUsdc, type CreditState } from './credits.ts';
import type { CreditLine } from './credit-line.ts';

/**
 * What an account should have of one purchase by card, whole: the ledger of cards says it again until it is written, so a
 * lost answer changes nothing. An older version never undoes a newer one.
 */
export type CardTarget = {
  /** The purchase, as the ledger of cards names it. */
  purchase: string;
  pack: string;
  version: number;
  creditedMicroUsdc: number;
  refundedMicroUsdc: number;
  disputedMicroUsdc: number;
  /** Holds that `refundedMicroUsdc` has by now, or that came to nothing: what they hold is given back. */
  endedHolds: readonly string[];
};

/**
 * Credits that a refund wants back: taken only where they are unspent and no running call holds them. One that ended stays, so
 * that it is not taken twice.
 */
export type CardHold = { id: string; purchase: string; amountMicroUsdc: number; isEnded?: true };

/** What an account has of one purchase by card. */
export type CardHolding = Omit<CardTarget, 'endedHolds'>;

export type CardBalance = { ok: true; balanceMicroUsdc: number };
export type CardApplied = CardBalance | { ok: false; reason: 'spent'; unspentMicroUsdc: number };

/** A movement of a balance by a purchase by card. */
export type CardMove = Pick<CreditLine, 'kind' | 'amountMicroUsdc' | 'balanceMicroUsdc'> & { balanceMicroUsdc: number };

export type CardStep = {
  result: CardBalance;
  state?: CreditState;
  holding?: CardHolding;
  /** Holds that end with this step. */
  ended?: readonly CardHold[];
  moves: readonly CardMove[];
};

/**
 * Brings an account to a target. What a refund or a dispute takes may be spent already: the balance is below zero then, and
 * no call is reserved until credits make up for it.
 * @param holds what refunds of this purchase hold or held
 */
export function applyCardTarget(
  state: CreditState,
  known: CardHolding | undefined,
  { endedHolds, ...holding }: CardTarget,
  holds: readonly CardHold[],
): CardStep {
  const { balanceMicroUsdc } = state;
  if (known !== undefined && known.version >= holding.version)
    return { result: { ok: true, balanceMicroUsdc }, moves: [] };
  const ended = holds.filter(({ id, isEnded }) => isEnded !== true && endedHolds.includes(id));
  const held = ended.reduce((sum, { amountMicroUsdc }) => sum + amountMicroUsdc, 0);
  const moves = listMoves(balanceMicroUsdc + held, known, holding);
  const after = moves.at(-1)?.balanceMicroUsdc ?? balanceMicroUsdc + held;
  return {
    result: { ok: true, balanceMicroUsdc: after },
    state: { ...state, balanceMicroUsdc: after },
    holding,
    ended,
    moves,
  };
}

/** Takes credits for a refund, once. */
export function takeCardHold(
  state: CreditState,
  isHeld: boolean,
  { amountMicroUsdc }: CardHold,
  nowMs: number,
): { result: CardApplied; state?: CreditState } {
  const { balanceMicroUsdc } = state;
  if (isHeld) return { result: { ok: true, balanceMicroUsdc } };
  const unspentMicroUsdc = Math.max(0, computeFreeMicroUsdc(state, nowMs));
  if (amountMicroUsdc > unspentMicroUsdc) return { result: { ok: false, reason: 'spent', unspentMicroUsdc } };
  const after = balanceMicroUsdc - amountMicroUsdc;
  return { result: { ok: true, balanceMicroUsdc: after }, state: { ...state, balanceMicroUsdc: after } };
}

/** One movement for each part that changed; what comes back of a refund or a dispute is one too. */
function listMoves(balanceMicroUsdc: number, known: CardHolding | undefined, target: CardHolding): readonly CardMove[] {
  const changes = [
    ['card', target.creditedMicroUsdc - (known?.creditedMicroUsdc ?? 0)],
    ['refund', (known?.refundedMicroUsdc ?? 0) - target.refundedMicroUsdc],
    ['dispute', (known?.disputedMicroUsdc ?? 0) - target.disputedMicroUsdc],
  ] as const;
  const moves: CardMove[] = [];
  let balance = balanceMicroUsdc;
  for (const [part, change] of changes) {
    if (change === 0) continue;
    balance += change;
    const kind = part === 'card' || change < 0 ? part : (`${part}_undone` as const);
    moves.push({ kind, amountMicroUsdc: Math.abs(change), balanceMicroUsdc: balance });
  }
  return moves;
}
