import { DAY_MS } from '../../lib/time.ts';
import type { StoreTools } from '../oauth/rows.ts';
import type { Account } from './account.ts';
import { type AccountRows, formatAccountNameKey, hasWay } from './account-rows.ts';
import { formatWayName, isSameWay, MAX_WAYS, type PasskeyWay, readWays, type SignInWay, type WayName } from './ways.ts';

/**
 * The number of an account stays with a wallet that was its own for this long, after the account was deleted or the wallet
 * removed: what the ledger knows of a payment for credits is gone by then, so that it can never be credited again, to a
 * new account.
 */
export const DELETED_MS = 40 * DAY_MS;

export type WayAdded = { ok: true } | { ok: false; reason: 'way_in_use' | 'too_many_ways' };
export type WayRemoved = { ok: true } | { ok: false; reason: 'way_not_found' | 'last_way' };

/** How accounts are opened, and by what. */
export function createAccountWays({ rows, now }: StoreTools, accounts: AccountRows) {
  /** The account to which a way leads, opened by it or not. */
  const findLed = (way: WayName): Account | undefined => accounts.byName(formatWayName(way));
  /** A wallet that was removed leads to its account for a while, and opens it no more: not after its end either. */
  const isShut = (account: Account, way: WayName): boolean => !hasWay(rows, account, way);
  return {
    /** The account that a way opens, made when it is new. @throws Error for one that is shut out: see `isShutOut` */
    open: (way: SignInWay, endsAtMs?: number): Account => {
      const known = findLed(way);
      if (known === undefined) return accounts.save(accounts.make('payer'), [way], endsAtMs);
      if (isShut(known, way)) throw new Error('a way that was removed opens no account');
      return accounts.prolong(known, endsAtMs);
    },
    /** Whether a way leads to an account that it does not open any more. */
    isShutOut: (way: WayName): boolean => {
      const known = findLed(way);
      return known !== undefined && isShut(known, way);
    },
    /** The account that a way opens now. */
    byWay: (way: WayName): Account | undefined => {
      const known = findLed(way);
      return known !== undefined && hasWay(rows, known, way) ? known : undefined;
    },
    ways: (id: string): readonly SignInWay[] => {
      const account = accounts.byId(id);
      return account === undefined ? [] : readWays(rows, account);
    },
    /** Gives an account one more way. One that leads to another account stays with that: accounts are never merged. */
    addWay: (id: string, way: SignInWay): WayAdded => {
      const account = accounts.byId(id);
      const led = findLed(way);
      if (account === undefined || (led !== undefined && led.id !== id)) return { ok: false, reason: 'way_in_use' };
      const ways = readWays(rows, account);
      if (hasWay(rows, account, way)) return { ok: true };
      if (ways.length >= MAX_WAYS) return { ok: false, reason: 'too_many_ways' };
      accounts.rewrite(account, [...ways, way]);
      return { ok: true };
    },
    /** Takes a way from an account, never the last one. A wallet leads to the account for a while: see `DELETED_MS`. */
    removeWay: (id: string, way: WayName): WayRemoved => {
      const account = accounts.byId(id);
      if (account === undefined || !hasWay(rows, account, way)) return { ok: false, reason: 'way_not_found' };
      const others = readWays(rows, account).filter((one) => !isSameWay(one, way));
      if (others.length === 0) return { ok: false, reason: 'last_way' };
      accounts.rewrite(account, others);
      const key = formatAccountNameKey(formatWayName(way));
      if (way.kind === 'wallet') rows.put(key, id, now() + DELETED_MS);
      else rows.delete(key);
      return { ok: true };
    },
    /** Replaces what is known of a passkey of an account. */
    putPasskey: (account: Account, passkey: PasskeyWay): void => {
      const ways = readWays(rows, account).map((way) => (isSameWay(way, passkey) ? passkey : way));
      accounts.rewrite(account, ways);
    },
    /** Takes every way that names its owner; wallets stay, as `DELETED_MS` says. */
    dropNames: (account: Account): void => {
      const ways = readWays(rows, account);
      for (const way of ways.filter(({ kind }) => kind !== 'wallet'))
        rows.delete(formatAccountNameKey(formatWayName(way)));
      accounts.save(
        account,
        ways.filter(({ kind }) => kind === 'wallet'),
        now() + DELETED_MS,
      );
    },
  };
}
