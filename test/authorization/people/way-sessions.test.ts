import { describe, expect, test } from 'vitest';
import { createAccounts } from '../../../src/authorization/people/accounts.ts';
import { createSessions } from '../../../src/authorization/people/sessions.ts';
import { createSignIn } from '../../../src/authorization/people/sign-in.ts';
import { createWayDesk } from '../../../src/authorization/people/way-desk.ts';
import type { SignInWay } from '../../../src/authorization/people/ways.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';
import { makePasskey } from './made-passkey.ts';

const HOUR_MS = 3_600_000;
const ADDRESS = `0x${'A1'.repeat(20)}`;
const WALLET = { kind: 'wallet', id: ADDRESS.toLowerCase() } as const;
const EMAIL: SignInWay = { kind: 'email', id: 'hash-of-desk', email: 'desk@mail.example', addedAtMs: 0 };
const passkey = makePasskey('k');
const KINDS = ['wallet', 'email', 'passkey'] as const;
type Kind = (typeof KINDS)[number];
const WAYS = { wallet: WALLET, email: EMAIL, passkey } as const;

/** An account with a wallet, an e-mail address and a passkey, and browsers that sign in by each. */
async function open() {
  const store = memoryStore();
  const accounts = createAccounts(store);
  const sessions = createSessions(store);
  const desk = createWayDesk({ tools: store, accounts, sessions });
  const signIn = createSignIn(store, accounts);
  let browsers = 0;
  const renewal = () => {
    browsers += 1;
    return { session: `before-${browsers}`, renewed: `browser-${browsers}`, caller: '192.0.2.1' };
  };
  const enterByMail = async (at: ReturnType<typeof renewal>): Promise<void> => {
    const link = { email: 'desk@mail.example', emailHash: EMAIL.id, returnTo: '/account' };
    await desk.askEmailLink({ session: at.session, caller: at.caller }, at.renewed, link);
    expect(await desk.useEmailLink(at, at.renewed)).toMatchObject({ ok: true, did: 'signed_in' });
    store.advance(HOUR_MS); // Three links an hour go to one address.
  };
  /** The hash of the session of a browser that has just signed in. */
  const enter = async (kind: Kind): Promise<string> => {
    const at = renewal();
    if (kind === 'wallet') signIn.signInPayer(at, ADDRESS);
    else if (kind === 'passkey') await desk.signInPasskey(at, { id: passkey.id, counter: 0, isSynced: false });
    else await enterByMail(at);
    expect(sessions.find(at.renewed)?.way).toEqual({ kind, id: WAYS[kind].id });
    return at.renewed;
  };
  const { id } = accounts.payer(ADDRESS);
  for (const way of [EMAIL, passkey]) expect(accounts.addWay(id, way)).toEqual({ ok: true });
  const isOpen = (hash: string): boolean => sessions.find(hash) !== undefined;
  return { store, accounts, sessions, desk, id, enter, isOpen };
}

describe('a way that is removed', () => {
  test.each(KINDS)('%s: ends the sessions that it opened, in every browser, and no others', async (kind) => {
    const { desk, enter, isOpen, store } = await open();
    const [first, second] = [await enter(kind), await enter(kind)];
    const others: string[] = [];
    for (const other of KINDS.filter((one) => one !== kind)) others.push(await enter(other));
    const remover = await enter(kind === 'passkey' ? 'wallet' : 'passkey');
    store.advance(1);
    expect(await desk.removeWay(remover, WAYS[kind])).toEqual({ ok: true, isSignedOut: false });
    expect([first, second, ...others, remover].map(isOpen)).toEqual([false, false, true, true, true]);
  });

  test.each(KINDS)('%s: ends the session that removes it, which can do nothing more', async (kind) => {
    const { accounts, desk, enter, id, isOpen, store } = await open();
    const own = await enter(kind);
    store.advance(-HOUR_MS * Number(kind === 'email')); // As young as the others.
    expect(await desk.removeWay(own, WAYS[kind])).toEqual({ ok: true, isSignedOut: true });
    expect(isOpen(own)).toBe(false);
    const [other] = KINDS.filter((one) => one !== kind);
    expect(await desk.removeWay(own, WAYS[other ?? kind])).toEqual({ ok: false, reason: 'sign_in' });
    expect(await desk.addWay(own, { ...passkey, id: 'added' })).toEqual({ ok: false, reason: 'sign_in' });
    expect(accounts.ways(id)).toHaveLength(2);
  });

  test('leaves no session behind of a browser that waits with a link for the account', async () => {
    const { desk, enter, accounts, id, store } = await open();
    const own = await enter('passkey');
    const link = { email: 'new@mail.example', emailHash: 'hash-of-new', returnTo: '/account/ways', isForAccount: true };
    expect(await desk.askEmailLink({ session: own, caller: '192.0.2.1' }, 'token', link)).toMatchObject({ ok: true });
    const remover = await enter('wallet');
    store.advance(1);
    await desk.removeWay(remover, passkey);
    const used = await desk.useEmailLink({ session: own, renewed: 'renewed', caller: '192.0.2.1' }, 'token');
    expect(used).toEqual({ ok: false, reason: 'sign_in' });
    expect(accounts.ways(id).map(({ kind }) => kind)).toEqual(['wallet', 'email']);
  });

  test('and comes back opens new sessions, and none of before', async () => {
    const { desk, enter, isOpen, store } = await open();
    const before = await enter('passkey');
    const remover = await enter('wallet');
    await desk.removeWay(remover, passkey);
    expect(await desk.addWay(remover, passkey)).toEqual({ ok: true });
    store.advance(1);
    const after = await enter('passkey');
    expect([before, after].map(isOpen)).toEqual([false, true]);
  });

  test('ends the sessions of versions that did not record the way, of this account alone', async () => {
    const { accounts, desk, enter, id, isOpen, sessions, store } = await open();
    const other = accounts.enter({ ...passkey, id: 'other' });
    for (const [hash, account] of [['old', id] as const, ['other', other.id] as const])
      sessions.open({ id: account, kind: 'payer', createdAtMs: 0 }, hash);
    expect(sessions.find('old')).not.toHaveProperty('way');
    const remover = await enter('wallet');
    store.advance(1);
    expect(await desk.removeWay(remover, passkey)).toEqual({ ok: true, isSignedOut: false });
    expect(['old', 'other', remover].map(isOpen)).toEqual([false, true, true]);
  });

  test('that is the last one, or none of the account, ends nothing', async () => {
    const { desk, enter, isOpen, store } = await open();
    const own = await enter('wallet');
    expect(await desk.removeWay(own, { kind: 'passkey', id: 'none' })).toMatchObject({ reason: 'way_not_found' });
    for (const way of [EMAIL, passkey]) expect(await desk.removeWay(own, way)).toMatchObject({ ok: true });
    expect(await desk.removeWay(own, WALLET)).toEqual({ ok: false, reason: 'last_way' });
    expect(isOpen(own)).toBe(true);
    expect(store.rows.count('own:way-sessions-ended:')).toBe(3);
    store.advance(12 * HOUR_MS);
    expect(store.rows.count('own:way-sessions-ended:')).toBe(0);
  });
});
