import { describe, expect, test } from 'vitest';
import { createAccounts } from '../../../src/authorization/people/accounts.ts';
import { isSameText } from '../../../src/lib/digest.ts';
import {
  computeSecretEpoch,
  createEpochStore,
  isOperatorSecret,
  isUsableSecret,
} from '../../../src/authorization/operators/secret.ts';
import {
  deriveCsrfToken,
  isFresh,
  isSessionValue,
  hashSessionValue,
  createSessions,
} from '../../../src/authorization/people/sessions.ts';
import { createSignIn } from '../../../src/authorization/people/sign-in.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ADDRESS = '0xAbCdEf0123456789abcdef0123456789ABCDEF01';
const EPOCH = 'ab'.repeat(16);
/** What the Worker says of the secret of this deployment, and of any other. */
const RIGHT = { hash: '11'.repeat(32), provenEpoch: EPOCH };
const WRONG = { hash: '22'.repeat(32) };
const browser = { session: 'hash-one', caller: '192.0.2.1' };

const desk = () => {
  const store = memoryStore();
  store.rows.put('own:operator-epoch', { secret: EPOCH, id: 'one' });
  return { store, desk: createSignIn(store, createAccounts(store)), sessions: createSessions(store) };
};

describe('a nonce', () => {
  const NONCE = '00'.repeat(29);

  test('A3: is taken once', () => {
    const made = desk();
    expect(made.desk.takeNonce(NONCE, browser.caller)).toEqual({ ok: true });
    expect(made.desk.takeNonce(NONCE, browser.caller)).toEqual({ ok: false, reason: 'used' });
  });

  test('B6: that was used is a row that outlives it, and is then forgotten', () => {
    const made = desk();
    made.desk.takeNonce(NONCE, browser.caller);
    made.store.advance(5 * MINUTE);
    expect(made.store.rows.count('own:siwe-used:')).toBe(1);
    made.store.advance(MINUTE);
    expect(made.store.rows.count('own:siwe-used:')).toBe(0);
  });

  const nonce = (n: number) => n.toString(16).padStart(58, '0');

  test('a caller tries 300 sign-ins in five minutes, another caller its own', () => {
    const made = desk();
    for (let count = 0; count < 300; count += 1)
      expect(made.desk.takeNonce(nonce(count), browser.caller).ok).toBe(true);
    const waits = { ok: false, reason: 'too_many_attempts', retryAfterS: 300 };
    expect(made.desk.takeNonce(nonce(300), browser.caller)).toEqual(waits);
    expect(made.desk.takeNonce(nonce(300), '192.0.2.2')).toEqual({ ok: true });
    made.store.advance(5 * MINUTE);
    expect(made.desk.takeNonce(nonce(301), browser.caller).ok).toBe(true);
  });

  test('B6: callers of one /48 try 1,200 together, and 30,000 tries of strangers close nothing for others', () => {
    const made = desk();
    const from = (network: number, host: number) => `2001:db8:${network.toString(16)}:${host.toString(16)}::/64`;
    for (let count = 0; count < 1_200; count += 1)
      expect(made.desk.takeNonce(nonce(count), from(7, count % 10)).ok).toBe(true);
    expect(made.desk.takeNonce(nonce(1_200), from(7, 99)).ok).toBe(false);
    for (let count = 2_000; count < 32_000; count += 1) made.desk.takeNonce(nonce(count), `192.0.2.${count % 100}`);
    expect(made.desk.takeNonce(nonce(40_000), '198.51.100.1')).toEqual({ ok: true });
  });
});

test('B6: contract wallets are asked for an honest caller after 1,000 questions of strangers', () => {
  const made = desk();
  for (let count = 0; count < 1_000; count += 1) made.desk.mayAskContract(`192.0.2.${count % 100}`);
  expect(made.desk.mayAskContract('198.51.100.1')).toEqual({ ok: true });
});

test('A3: contract wallets are asked ten times in five minutes for one caller', () => {
  const made = desk();
  for (let count = 0; count < 10; count += 1) expect(made.desk.mayAskContract('192.0.2.1')).toEqual({ ok: true });
  expect(made.desk.mayAskContract('192.0.2.1')).toEqual({ ok: false, reason: 'too_many_attempts', retryAfterS: 300 });
  expect(made.desk.mayAskContract('192.0.2.2')).toEqual({ ok: true });
});

describe('a session', () => {
  test('A3: gets a new id at sign-in, and the old id is nobody', () => {
    const { desk: signIn, sessions } = desk();
    signIn.signInPayer({ ...browser, renewed: 'hash-two' }, ADDRESS);
    expect(sessions.find('hash-one')).toBeUndefined();
    const again = signIn.signInPayer({ session: 'hash-two', caller: browser.caller, renewed: 'hash-three' }, ADDRESS);
    expect(sessions.find('hash-two')).toBeUndefined();
    expect(sessions.find('hash-three')).toEqual(again);
  });

  test('A3: is of one account for all spellings of an address, named by 128 random bits', () => {
    const { desk: signIn } = desk();
    const one = signIn.signInPayer({ ...browser, renewed: 'a' }, ADDRESS);
    const two = signIn.signInPayer({ ...browser, renewed: 'b' }, ADDRESS.toLowerCase());
    expect(one.accountId).toBe(two.accountId);
    expect(one.accountId).toMatch(/^[0-9a-f]{32}$/);
    expect(one).toMatchObject({ kind: 'payer', address: ADDRESS.toLowerCase() });
  });

  test.each([
    ['payer', 12],
    ['operator', 8],
  ])('of a %s lasts %i hours', (kind, hours) => {
    const { desk: signIn, sessions, store } = desk();
    const renewal = { ...browser, renewed: 'new' };
    if (kind === 'payer') signIn.signInPayer(renewal, ADDRESS);
    else signIn.signInOperator(renewal, RIGHT);
    store.advance(hours * HOUR - 1);
    expect(sessions.find('new')).toMatchObject({ kind });
    store.advance(1);
    expect(sessions.find('new')).toBeUndefined();
  });

  test('ends with the sign-out', () => {
    const { desk: signIn, sessions } = desk();
    signIn.signInPayer({ ...browser, renewed: 'new' }, ADDRESS);
    sessions.close('new');
    expect(sessions.find('new')).toBeUndefined();
  });

  test('A1: is fresh for less than five minutes after the sign-in', () => {
    const { desk: signIn, store } = desk();
    const session = signIn.signInPayer({ ...browser, renewed: 'new' }, ADDRESS);
    expect(isFresh(session, store.now() + 5 * MINUTE - 1)).toBe(true);
    expect(isFresh(session, store.now() + 5 * MINUTE)).toBe(false);
  });

  test('N1: what a store or a form holds does not give the value of the cookie away', async () => {
    const value = 'ab'.repeat(32);
    const [hash, csrf] = [await hashSessionValue(value), await deriveCsrfToken(value)];
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(csrf).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([value, hash, csrf]).size).toBe(3);
    expect(await deriveCsrfToken(hash)).not.toBe(csrf);
  });

  test.each(['', 'ab', 'AB'.repeat(32), `${'ab'.repeat(32)}0`, `${'ab'.repeat(31)}xy`])(
    'has no value like %j',
    (value) => {
      expect(isSessionValue(value)).toBe(false);
    },
  );
});

describe('the operator', () => {
  const SECRET = 'k3y-'.repeat(11);

  test.each([
    ['unset', undefined, false],
    ['empty', '', false],
    ['42 characters', 'a'.repeat(42), false],
    ['43 characters', 'a'.repeat(43), true],
    ['with a space', `${'a'.repeat(43)} `, false],
    ['standard base64', `${'a'.repeat(43)}+/`, false],
  ])('A4: a secret that is %s: usable %s', (_name, secret, usable) => {
    expect(isUsableSecret(secret)).toBe(usable);
  });

  test.each([
    ['the secret', SECRET, true],
    ['nothing', '', false],
    ['a part of it', SECRET.slice(0, -1), false],
    ['more than it', `${SECRET}x`, false],
    ['it in capitals', SECRET.toUpperCase(), false],
    ['a megabyte', 'k'.repeat(1_000_000), false],
  ])('A4: %s matches: %s', async (_name, given, matches) => {
    expect(await isOperatorSecret(given, SECRET)).toBe(matches);
  });

  test('A4: five failures of a caller lock it out for 15 minutes, with the right secret too', () => {
    const { desk: signIn, store } = desk();
    const renewal = { ...browser, renewed: 'new' };
    for (let count = 0; count < 5; count += 1)
      expect(signIn.signInOperator(renewal, WRONG)).toEqual({ ok: false, reason: 'wrong_secret' });
    expect(signIn.signInOperator(renewal, RIGHT)).toEqual({ ok: false, reason: 'too_many_attempts', retryAfterS: 900 });
    expect(signIn.signInOperator({ ...renewal, caller: '192.0.2.9' }, RIGHT).ok).toBe(true);
    store.advance(15 * MINUTE);
    expect(signIn.signInOperator(renewal, RIGHT).ok).toBe(true);
  });

  describe('after twenty failures of strangers', () => {
    const from = (caller: number) => ({ ...browser, caller: `192.0.2.${caller}`, renewed: `new-${caller}` });
    const attacked = () => {
      const made = desk();
      for (let caller = 0; caller < 20; caller += 1) made.desk.signInOperator(from(caller), WRONG);
      return made;
    };

    test('A4: wrong secrets have to wait 15 minutes, whoever sends them', () => {
      const { desk: signIn, store } = attacked();
      const waits = { ok: false, reason: 'too_many_attempts', retryAfterS: 900 };
      expect(signIn.signInOperator(from(99), WRONG)).toEqual(waits);
      store.advance(15 * MINUTE);
      expect(signIn.signInOperator(from(99), WRONG)).toEqual({ ok: false, reason: 'wrong_secret' });
    });

    test('A4: the right secret signs in: strangers cannot keep the operator out', () => {
      const { desk: signIn } = attacked();
      expect(signIn.signInOperator(from(99), RIGHT)).toMatchObject({ ok: true, session: { kind: 'operator' } });
    });

    test('A4: guesses that are delayed count too: after five of its own a caller waits with the right secret', () => {
      const { desk: signIn } = attacked();
      for (let count = 0; count < 5; count += 1) signIn.signInOperator(from(99), WRONG);
      expect(signIn.signInOperator(from(99), RIGHT)).toMatchObject({ ok: false, reason: 'too_many_attempts' });
      expect(signIn.signInOperator(from(98), RIGHT)).toMatchObject({ ok: true });
    });
  });

  test('A4: the right secret of an earlier deployment is a wrong one', () => {
    const { desk: signIn } = desk();
    const renewal = { ...browser, renewed: 'new' };
    expect(signIn.signInOperator(renewal, { ...RIGHT, provenEpoch: 'cd'.repeat(16) })).toEqual({
      ok: false,
      reason: 'wrong_secret',
    });
  });

  test('A4: successes do not count as failures', () => {
    const { desk: signIn } = desk();
    for (let count = 0; count < 30; count += 1)
      expect(signIn.signInOperator({ ...browser, renewed: `new-${count}` }, RIGHT).ok).toBe(true);
  });
});

describe('the epoch of the operator secret', () => {
  const SECRET = 'k3y-'.repeat(11);

  test('A4: is half of its SHA-256, and there is none without a usable secret', async () => {
    expect(await computeSecretEpoch(SECRET)).toMatch(/^[0-9a-f]{32}$/);
    expect(await computeSecretEpoch(`${SECRET}x`)).not.toBe(await computeSecretEpoch(SECRET));
    expect([
      await computeSecretEpoch(undefined),
      await computeSecretEpoch(''),
      await computeSecretEpoch('short'),
    ]).toEqual([undefined, undefined, undefined]);
  });

  const signedIn = () => {
    const made = desk();
    made.desk.signInOperator({ ...browser, renewed: 'operator' }, RIGHT);
    made.desk.signInPayer({ ...browser, renewed: 'payer' }, ADDRESS);
    let ended = 0;
    const epoch = createEpochStore(made.store);
    const adopt = (next: string | undefined) =>
      epoch.adopt(next, async () => {
        expect(epoch.current()).toBeUndefined();
        ended += 1;
      });
    return { ...made, adopt, ended: () => ended, epoch };
  };

  test.each([
    ['another secret', 'cd'.repeat(16)],
    ['no secret', undefined],
  ])(
    'A4: %s ends the sessions of the operator and what was granted, and no session of a payer',
    async (_name, next) => {
      const { sessions, adopt, ended, epoch } = signedIn();
      expect(sessions.find('operator')).toMatchObject({ kind: 'operator', epoch: 'one' });
      await adopt(next);
      expect(epoch.current()?.secret).toBe(next);
      expect(sessions.find('operator')).toBeUndefined();
      expect(sessions.find('payer')).toMatchObject({ kind: 'payer' });
      expect(ended()).toBe(1);
    },
  );

  test('A4: a secret that comes back revives nothing', async () => {
    const { sessions, adopt, epoch } = signedIn();
    await adopt('cd'.repeat(16));
    await adopt(EPOCH);
    expect(epoch.current()?.secret).toBe(EPOCH);
    expect(sessions.find('operator')).toBeUndefined();
  });

  test('A4: the same secret ends nothing', async () => {
    const { sessions, adopt, ended } = signedIn();
    await adopt(EPOCH);
    expect(sessions.find('operator')).toMatchObject({ kind: 'operator' });
    expect(ended()).toBe(0);
  });

  test('A4: what could not be ended is ended before the next secret counts', async () => {
    const { epoch, adopt, ended } = signedIn();
    const fails = epoch.adopt('cd'.repeat(16), () => Promise.reject(new Error('interrupted')));
    await expect(fails).rejects.toThrow('interrupted');
    expect(epoch.current()).toBeUndefined();
    await adopt('cd'.repeat(16));
    expect(ended()).toBe(1);
  });

  test('A4: a session that was opened while there was no secret is none', () => {
    const { store, sessions } = desk();
    store.rows.delete('own:operator-epoch');
    sessions.open({ ...createAccounts(store).operator(), kind: 'operator' }, 'orphan');
    expect(sessions.find('orphan')).toBeUndefined();
  });
});

test.each([
  ['', '', true],
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'abcd', false],
  ['abcd', 'abc', false],
  ['', 'a', false],
])('%j and %j are the same text: %s', (left, right, same) => {
  expect(isSameText(left, right)).toBe(same);
});

test('A3: sessions that began before all of an account were ended are over, and only those of that account', () => {
  const { store, desk: signIn, sessions } = desk();
  const one = signIn.signInPayer({ ...browser, renewed: 'one' }, ADDRESS);
  signIn.signInPayer({ ...browser, session: 'x', renewed: 'two' }, ADDRESS);
  signIn.signInPayer({ ...browser, session: 'y', renewed: 'other' }, `0x${'22'.repeat(20)}`);
  sessions.endAll(one.accountId);
  expect(['one', 'two', 'other'].map((hash) => sessions.find(hash) !== undefined)).toEqual([false, false, true]);
  store.advance(1);
  signIn.signInPayer({ ...browser, session: 'z', renewed: 'later' }, ADDRESS);
  expect(sessions.find('later')?.accountId).toBe(one.accountId);
  expect(sessions.find('one')).toBeUndefined();
});
