import { describe, expect, test } from 'vitest';
import { createAccounts } from '../../../src/authorization/people/accounts.ts';
import { createOperatorAccess } from '../../../src/authorization/operators/named-operators.ts';
import { createOperatorAccounts } from '../../../src/authorization/operators/accounts.ts';
import { hashOperatorSecret } from '../../../src/authorization/operators/secret.ts';
import { createSessions } from '../../../src/authorization/people/sessions.ts';
import { createSignIn } from '../../../src/authorization/people/sign-in.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';

const EPOCH = 'ab'.repeat(16);
const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;

/** Operators over memory; with `root` somebody also knows the operator secret of the deployment. */
function world({ root = true } = {}) {
  const store = memoryStore(NOW);
  if (root) store.rows.put('own:operator-epoch', { secret: EPOCH, id: 'root-epoch' });
  const accounts = createAccounts(store);
  accounts.operator();
  const revoked: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const state = { revoke: async (_accountId: string): Promise<void> => undefined };
  const operators = createOperatorAccounts({
    tools: store,
    accounts,
    revokeAll: async (accountId) => {
      revoked.push(accountId);
      await state.revoke(accountId);
    },
    log: (line) => void lines.push(line),
  });
  const desk = createSignIn(store, accounts);
  let sessions = 0;
  const signIn = async (secret: string, caller = `192.0.2.${(sessions += 1)}`) =>
    desk.signInOperator(
      { session: 'none', renewed: `session-${caller}`, caller },
      { hash: await hashOperatorSecret(secret) },
    );
  const made = async (name: string, directoryUserId?: string) => {
    const answer = await operators.create({ name, directoryUserId });
    if (!answer.ok) throw new Error(answer.reason);
    return { id: answer.operator.id, secret: answer.secret };
  };
  return { store, accounts, revoked, lines, state, operators, desk, signIn, made, sessions: createSessions(store) };
}

const rowsOf = ({ store }: ReturnType<typeof world>): string => JSON.stringify(store.rows.list('', 1000));

describe('a named operator', () => {
  test('has an account of its own, of the kind of operators, and signs in by its own secret', async () => {
    const made = world();
    const ada = await made.made('Ada');
    expect(made.accounts.byId(ada.id)).toEqual({ id: ada.id, kind: 'operator', createdAtMs: NOW });
    expect(ada.id).not.toBe(made.accounts.operator().id);
    expect(await made.signIn(ada.secret, 'caller')).toMatchObject({
      ok: true,
      session: { accountId: ada.id, kind: 'operator', signedInAtMs: NOW, expiresAtMs: NOW + 8 * HOUR },
    });
    expect(made.sessions.find('session-caller')).toMatchObject({ accountId: ada.id, kind: 'operator' });
  });

  test('A4: has a secret of 256 random bits, of which the store keeps the SHA-256', async () => {
    const made = world();
    const [ada, bob] = [await made.made('Ada'), await made.made('Bob')];
    for (const { secret } of [ada, bob]) {
      expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(rowsOf(made)).not.toContain(secret);
      expect(rowsOf(made)).toContain(await hashOperatorSecret(secret));
    }
    expect(ada.secret).not.toBe(bob.secret);
  });

  test('is listed without anything of its secret', async () => {
    const made = world();
    const ada = await made.made('Ada', '1001');
    const view = { id: ada.id, name: 'Ada', directoryUserId: '1001', createdAtMs: NOW, state: 'enabled' };
    expect(made.operators.list()).toEqual([view]);
  });

  test.each([
    ['nothing', () => ''],
    ['the id of the account', ({ id }: { id: string }) => id],
    ['the hash of the secret', async ({ secret }: { secret: string }) => hashOperatorSecret(secret)],
    ['a part of the secret', ({ secret }: { secret: string }) => secret.slice(0, -1)],
    ['more than the secret', ({ secret }: { secret: string }) => `${secret}x`],
  ])('A4: does not sign in by %s', async (_what, given) => {
    const made = world();
    expect(await made.signIn(await given(await made.made('Ada')))).toEqual({ ok: false, reason: 'wrong_secret' });
  });

  test('A4: five failures of a caller lock it out for 15 minutes, with the right secret too', async () => {
    const made = world();
    const ada = await made.made('Ada');
    for (let count = 0; count < 5; count += 1)
      expect(await made.signIn('wrong', 'guesser')).toEqual({ ok: false, reason: 'wrong_secret' });
    const waits = { ok: false, reason: 'too_many_attempts', retryAfterS: 900 };
    expect(await made.signIn(ada.secret, 'guesser')).toEqual(waits);
    expect(await made.signIn(ada.secret, 'elsewhere')).toMatchObject({ ok: true });
    made.store.advance(15 * 60_000);
    expect(await made.signIn(ada.secret, 'guesser')).toMatchObject({ ok: true });
  });

  test('A4: the secret of one who ended counts as a failure', async () => {
    const made = world();
    const ada = await made.made('Ada', '1001');
    await made.operators.directoryUserGone('1001');
    for (let count = 0; count < 5; count += 1) await made.signIn(ada.secret, 'ada');
    expect(await made.signIn(ada.secret, 'ada')).toMatchObject({ reason: 'too_many_attempts' });
  });

  test('signs in while the deployment has no operator secret, and a proof of an old one signs nobody in', async () => {
    const made = world({ root: false });
    const ada = await made.made('Ada');
    expect(await made.signIn(ada.secret)).toMatchObject({ ok: true, session: { accountId: ada.id } });
    const renewal = { session: 'none', renewed: 'root', caller: '198.51.100.1' };
    const proof = { hash: '11'.repeat(32), provenEpoch: EPOCH };
    expect(made.desk.signInOperator(renewal, proof)).toEqual({ ok: false, reason: 'wrong_secret' });
  });

  test('there are fifty at most, ended ones among them; a deleted one makes room', async () => {
    const made = world();
    for (let index = 0; index < 50; index += 1) await made.made(`operator ${index}`, `${index}`);
    await made.operators.directoryUserGone('7');
    expect(await made.operators.create({ name: 'one more' })).toEqual({ ok: false, reason: 'too_many' });
    const seventh = made.operators.list().find(({ directoryUserId }) => directoryUserId === '7');
    await made.operators.remove(seventh?.id ?? '');
    expect(await made.operators.create({ name: 'one more' })).toMatchObject({ ok: true });
  });

  test('W6: no two are the same directory user, while the first has ended too; names may be the same', async () => {
    const made = world();
    const ada = await made.made('Ada', '1001');
    const taken = { ok: false, reason: 'directory_user_taken' };
    expect(await made.operators.create({ name: 'Bob', directoryUserId: '1001' })).toEqual(taken);
    await made.operators.directoryUserGone('1001');
    expect(await made.operators.create({ name: 'Bob', directoryUserId: '1001' })).toEqual(taken);
    await made.operators.remove(ada.id);
    expect(await made.operators.create({ name: 'Bob', directoryUserId: '1001' })).toMatchObject({ ok: true });
    expect(await made.operators.create({ name: 'Bob' })).toMatchObject({ ok: true });
    expect(await made.operators.create({ name: 'Bob' })).toMatchObject({ ok: true });
  });
});

describe('a directory user who is gone', () => {
  test.each(['1002', '100', '10011', 'X1001', 'Ada', 'ada@example.com', 'own:operator:', '', '%'])(
    'W6: is matched by the immutable id only: %j is no operator',
    async (id) => {
      const made = world();
      await made.made('Ada', '1001');
      await made.made('ada@example.com', 'x1001');
      await made.made('nobody in the directory');
      const before = rowsOf(made);
      expect(await made.operators.directoryUserGone(id)).toBe('none');
      expect(rowsOf(made)).toBe(before);
      expect([made.revoked, made.lines]).toEqual([[], []]);
    },
  );

  test('W6: loses sign-in, sessions and grants, and stays in the list with the reason', async () => {
    const made = world();
    const ada = await made.made('Ada', '1001');
    const bob = await made.made('Bob', '1002');
    await made.signIn(ada.secret, 'ada');
    await made.signIn(bob.secret, 'bob');
    made.store.advance(HOUR);
    expect(await made.operators.directoryUserGone('1001')).toBe('ended');
    expect(await made.signIn(ada.secret)).toEqual({ ok: false, reason: 'wrong_secret' });
    expect(made.sessions.find('session-ada')).toBeUndefined();
    expect(made.revoked).toEqual([ada.id]);
    expect(createOperatorAccess(made.store).epochOf(ada.id)).toBeUndefined();
    expect(made.operators.list().find(({ id }) => id === ada.id)).toEqual({
      id: ada.id,
      name: 'Ada',
      directoryUserId: '1001',
      createdAtMs: NOW,
      state: 'ended',
      reason: 'directory_user_gone',
      endedAtMs: NOW + HOUR,
    });
    expect(made.sessions.find('session-bob')).toMatchObject({ accountId: bob.id });
    expect(await made.signIn(bob.secret)).toMatchObject({ ok: true });
  });

  test('W6: is logged once, by the id of the account and without name, secret or directory id', async () => {
    const made = world();
    const ada = await made.made('Ada', '1001');
    await made.operators.directoryUserGone('1001');
    await made.operators.directoryUserGone('1001');
    expect(made.lines).toEqual([{ event: 'operator_access_ended', account: ada.id, reason: 'directory_user_gone' }]);
  });

  test('W6: told again, it is ended again, with the time of the first', async () => {
    const made = world();
    await made.made('Ada', '1001');
    await made.operators.directoryUserGone('1001');
    const before = made.operators.list();
    made.store.advance(HOUR);
    expect(await made.operators.directoryUserGone('1001')).toBe('ended');
    expect(made.operators.list()).toEqual(before);
  });

  test('W6: what was interrupted leaves no sign-in, and is done when it is told again', async () => {
    const made = world();
    const ada = await made.made('Ada', '1001');
    await made.signIn(ada.secret, 'ada');
    made.state.revoke = async () => {
      throw new Error('interrupted');
    };
    await expect(made.operators.directoryUserGone('1001')).rejects.toThrow('interrupted');
    expect(made.sessions.find('session-ada')).toBeUndefined();
    expect(await made.signIn(ada.secret)).toEqual({ ok: false, reason: 'wrong_secret' });
    made.state.revoke = async () => undefined;
    expect(await made.operators.directoryUserGone('1001')).toBe('ended');
    expect(made.revoked).toEqual([ada.id, ada.id]);
  });

  test('W6: who is the last operator keeps the access, however often it is told', async () => {
    const made = world({ root: false });
    const ada = await made.made('Ada', '1001');
    await made.made('Bob', '1002');
    expect(await made.operators.directoryUserGone('1002')).toBe('ended');
    await made.signIn(ada.secret, 'ada');
    expect(await made.operators.directoryUserGone('1001')).toBe('last_operator');
    expect(await made.operators.directoryUserGone('1001')).toBe('last_operator');
    expect(made.sessions.find('session-ada')).toMatchObject({ accountId: ada.id });
    expect(await made.signIn(ada.secret)).toMatchObject({ ok: true });
    expect(made.lines.at(-1)).toEqual({ event: 'last_operator_kept', account: ada.id });
    await made.made('Cleo');
    expect(await made.operators.directoryUserGone('1001')).toBe('ended');
  });

  test('W6: is not the last operator while the operator secret of the deployment is usable', async () => {
    const made = world();
    await made.made('Ada', '1001');
    expect(await made.operators.directoryUserGone('1001')).toBe('ended');
  });
});

describe('restoring an operator', () => {
  test('W6: enables it by a new secret only, and revives no session', async () => {
    const made = world();
    const ada = await made.made('Ada', '1001');
    await made.signIn(ada.secret, 'before');
    await made.operators.directoryUserGone('1001');
    const restored = await made.operators.restore(ada.id, ada.id);
    if (!restored.ok) throw new Error(restored.reason);
    const view = { id: ada.id, name: 'Ada', directoryUserId: '1001', createdAtMs: NOW, state: 'enabled' };
    expect(restored.operator).toEqual(view);
    expect(restored.secret).not.toBe(ada.secret);
    expect(await made.signIn(ada.secret)).toEqual({ ok: false, reason: 'wrong_secret' });
    expect(made.sessions.find('session-before')).toBeUndefined();
    expect(await made.signIn(restored.secret)).toMatchObject({ ok: true, session: { accountId: ada.id } });
    expect(await made.operators.directoryUserGone('1001')).toBe('ended');
  });

  test('of an enabled one ends what its old secret began and granted', async () => {
    const made = world();
    const ada = await made.made('Ada');
    await made.signIn(ada.secret, 'before');
    const restored = await made.operators.restore(ada.id, ada.id);
    expect(made.revoked).toEqual([ada.id]);
    expect(made.sessions.find('session-before')).toBeUndefined();
    expect(await made.signIn(ada.secret)).toEqual({ ok: false, reason: 'wrong_secret' });
    expect(await made.signIn(restored.ok ? restored.secret : '')).toMatchObject({ ok: true });
    expect(made.lines).toEqual([{ event: 'operator_access_ended', account: ada.id, reason: 'replaced' }]);
  });

  test('of an enabled one is for itself and for the holder of the operator secret: nobody else gets to be it', async () => {
    const made = world();
    const [ada, bob] = [await made.made('Ada'), await made.made('Bob')];
    await made.signIn(bob.secret, 'bob');
    const before = rowsOf(made);
    for (const by of [ada.id, 'x', ''])
      expect(await made.operators.restore(bob.id, by)).toEqual({ ok: false, reason: 'operator_enabled' });
    expect(rowsOf(made)).toBe(before);
    expect(await made.signIn(bob.secret)).toMatchObject({ ok: true });
    for (const by of [bob.id, made.accounts.operator().id])
      expect(await made.operators.restore(bob.id, by)).toMatchObject({ ok: true, operator: { id: bob.id } });
  });

  test('of an ended one is for any operator', async () => {
    const made = world();
    const [ada, bob] = [await made.made('Ada'), await made.made('Bob', '1001')];
    await made.operators.directoryUserGone('1001');
    expect(await made.operators.restore(bob.id, ada.id)).toMatchObject({ ok: true, operator: { state: 'enabled' } });
  });

  test('works for the last one, who gets the new secret', async () => {
    const made = world({ root: false });
    const ada = await made.made('Ada');
    const restored = await made.operators.restore(ada.id, ada.id);
    expect(await made.signIn(restored.ok ? restored.secret : '')).toMatchObject({ ok: true });
  });

  test('of an unknown one, or of the account of the operator secret, finds none', async () => {
    const made = world();
    const none = { ok: false, reason: 'not_found' };
    expect(await made.operators.restore('x', 'x')).toEqual(none);
    expect(await made.operators.restore(made.accounts.operator().id, 'x')).toEqual(none);
  });
});

describe('deleting an operator', () => {
  test('ends its access and forgets it', async () => {
    const made = world();
    const ada = await made.made('Ada', '1001');
    await made.signIn(ada.secret, 'ada');
    expect(await made.operators.remove(ada.id)).toEqual({ ok: true, name: 'Ada' });
    expect(made.sessions.find('session-ada')).toBeUndefined();
    expect(await made.signIn(ada.secret)).toEqual({ ok: false, reason: 'wrong_secret' });
    expect(made.revoked).toEqual([ada.id]);
    expect(made.accounts.byId(ada.id)).toBeUndefined();
    expect(made.operators.list()).toEqual([]);
    expect(await made.operators.remove(ada.id)).toEqual({ ok: false, reason: 'not_found' });
    expect(await made.operators.directoryUserGone('1001')).toBe('none');
  });

  test('W6: leaves the last one who can sign in', async () => {
    const made = world({ root: false });
    const [ada, bob] = [await made.made('Ada', '1001'), await made.made('Bob')];
    await made.operators.directoryUserGone('1001');
    expect(await made.operators.remove(bob.id)).toEqual({ ok: false, reason: 'last_operator' });
    expect(await made.signIn(bob.secret)).toMatchObject({ ok: true });
    expect(await made.operators.remove(ada.id)).toEqual({ ok: true, name: 'Ada' });
  });

  test('finds no account of somebody else', async () => {
    const made = world();
    const payer = made.accounts.payer(`0x${'1'.repeat(40)}`);
    for (const id of [payer.id, made.accounts.operator().id, ''])
      expect(await made.operators.remove(id)).toEqual({ ok: false, reason: 'not_found' });
    expect(made.accounts.byId(payer.id)).toEqual(payer);
  });
});

test('A4: another operator secret of the deployment ends no session of a named operator', async () => {
  const made = world();
  const ada = await made.made('Ada');
  await made.signIn(ada.secret, 'ada');
  made.store.rows.put('own:operator-epoch', { secret: 'cd'.repeat(16), id: 'another' });
  expect(made.sessions.find('session-ada')).toMatchObject({ accountId: ada.id });
  expect(createOperatorAccess(made.store).epochOf(made.accounts.operator().id)).toBe('another');
});
