import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSqlRows, type Rows } from '../../../../src/authorization/oauth/rows.ts';
import { TOKEN_SHARDS } from '../../../../src/authorization/shards/sealed-token.ts';
import type { AdoptedGrant } from '../../../../src/authorization/shards/shard.ts';
import { AuthorizationStore } from '../../../support/workers/worker.ts';
import {
  authorizePath,
  consentForm,
  flat,
  locationOf,
  type Person,
  person,
  registered,
  RESOURCE,
  signInPayer,
  VERIFIER,
} from './person.ts';
import { world } from '../world.ts';

beforeEach(() => void world());
afterEach(() => {
  vi.restoreAllMocks();
});

const store = () => env.AUTHORIZATION_STORE.getByName('authorization');
const inRoot = <T>(task: (rows: Rows) => T): Promise<T> =>
  runInDurableObject(store(), (_, { storage }) => task(createSqlRows(storage.sql, Date.now)));

async function consent(browser: Person, clientId: string, capUsd: string) {
  const page = flat(await (await browser.get(authorizePath(clientId))).text());
  return browser.form('/authorize', consentForm(page, 'allow', { cap_usd: capUsd }));
}

const codeOf = (answer: Response): string => locationOf(answer).searchParams.get('code') ?? '';

async function redeem(code: string, clientId: string): Promise<{ access_token: string; refresh_token: string }> {
  const form = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: VERIFIER };
  const body = String(
    new URLSearchParams({ ...form, redirect_uri: 'https://app.example/callback', resource: RESOURCE }),
  );
  const contentType = 'application/x-www-form-urlencoded';
  const outcome = await store().token({ contentType, authorization: null, body });
  if (outcome.kind !== 'answer' || outcome.status !== 200) throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.body) as { access_token: string; refresh_token: string };
}

const capOf = async (token: string): Promise<number | undefined> =>
  (await store().validate(token, RESOURCE))?.props.capMicroUsdc;
/** The limits that an object has. */
const caps = (object: ReturnType<typeof store>): Promise<number[]> =>
  runInDurableObject(object, (_, { storage }) =>
    createSqlRows(storage.sql, Date.now)
      .list<number>('own:credit-cap:', 9)
      .map(({ value }) => value),
  );
const access = async (browser: Person): Promise<number> =>
  (await (await browser.get('/account/access')).text()).match(/name="grant_id"/g)?.length ?? 0;

/**
 * A person whose app has access twice, in two stores, and may spend 5 USD a day: whichever store takes the next grant, at
 * least one other has to hear of its limit.
 */
async function withAccess() {
  const browser = person();
  await signInPayer(browser);
  const clientId = await registered();
  const code = codeOf(await consent(browser, clientId, '5'));
  const tokens = await redeem(code, clientId);
  await inRoot((rows) => {
    const [first] = rows.list<{ value: string }>('kv:grant:', 1);
    if (first === undefined) throw new Error('no grant');
    const grant = JSON.parse(first.value.value) as { id: string; shard: number };
    const other = { ...grant, id: 'other', shard: (grant.shard + 1) % TOKEN_SHARDS };
    rows.put(
      first.key.replace(grant.id, 'other'),
      { ...first.value, value: JSON.stringify(other) },
      Date.now() + 600_000,
    );
  });
  return { browser, clientId, ...tokens };
}

describe('a consent while a store of tokens does not answer', () => {
  test('is kept when the store that does not answer has to hear of another decision only', async () => {
    const { browser, clientId } = await withAccess();
    let isDone = false;
    vi.spyOn(AuthorizationStore.prototype, 'heed').mockImplementation(async (some) => {
      if (some.some((one) => one.is === 'holder_ended')) throw new Error('the shard is down');
      if (isDone) return;
      isDone = true; // Another decision comes while this one is said to the shards.
      await inRoot((rows) => {
        const number = (rows.get<number>('own:notice-number') ?? 0) + 1;
        rows.put('own:notice-number', number);
        rows.put(`own:notice:63:${String(number).padStart(12, '0')}`, { is: 'holder_ended', id: 'slc_other' });
      });
    });
    const answer = await consent(browser, clientId, '2');
    expect([answer.status, isDone]).toEqual([302, true]);
    expect(await inRoot((rows) => rows.count('own:notice:'))).toBe(1);
    vi.restoreAllMocks();
    await runDurableObjectAlarm(store());
    expect(await inRoot((rows) => rows.count('own:notice:'))).toBe(0);
  });

  test('A5: says nothing to the store that has just taken the grant: it knows the limit already', async () => {
    const heed = vi.spyOn(AuthorizationStore.prototype, 'heed').mockRejectedValue(new Error('the shard is down'));
    const { access_token } = await withAccess();
    expect(heed).not.toHaveBeenCalled();
    expect(await capOf(access_token)).toBe(5_000_000);
  });

  test.each(['never', 'before the end', 'after it'])(
    'A5: changes no limit when its own store does not take the grant, which hears of it %s',
    async (when) => {
      const { browser, clientId, access_token } = await withAccess();
      const heard: string[] = [];
      vi.spyOn(AuthorizationStore.prototype, 'adoptGrant').mockImplementation(async function adopt(
        this: AuthorizationStore,
        grant,
      ) {
        heard.push((this as unknown as { ctx: DurableObjectState }).ctx.id.name ?? '', JSON.stringify(grant));
        throw new Error('the shard is down');
      });
      expect((await consent(browser, clientId, '900')).status).toBe(503);
      vi.restoreAllMocks();
      const [name = '', grant = ''] = heard;
      const shard = env.AUTHORIZATION_STORE.getByName(name);
      const late = () => runInDurableObject(shard, (object) => object.adoptGrant(JSON.parse(grant) as AdoptedGrant));
      if (when === 'before the end') await late();
      await runDurableObjectAlarm(store());
      if (when === 'after it') await late();
      expect([await caps(store()), await caps(shard)]).toEqual([[5_000_000], [5_000_000]]);
      expect([await capOf(access_token), await access(browser)]).toEqual([5_000_000, 2]);
    },
  );

  test('A5: is taken back where another store does not hear of its limit: no access, and the limit of before for all', async () => {
    const { browser, clientId, access_token } = await withAccess();
    const down = vi.spyOn(AuthorizationStore.prototype, 'heed').mockRejectedValue(new Error('the shard is down'));
    const answer = await consent(browser, clientId, '900');
    expect([answer.status, flat(await answer.text()).includes('The app was given no access')]).toEqual([503, true]);
    expect(await access(browser)).toBe(2);
    down.mockRestore();
    await runDurableObjectAlarm(store());
    expect([await capOf(access_token), await inRoot((rows) => rows.count('own:notice:'))]).toEqual([5_000_000, 0]);
    const again = await redeem(codeOf(await consent(browser, clientId, '2')), clientId);
    expect([await capOf(again.access_token), await capOf(access_token)]).toEqual([2_000_000, 2_000_000]);
  });

  test('A5: that is taken back leaves no limit where there was none', async () => {
    const { browser, clientId, access_token } = await withAccess();
    await inRoot((rows) => rows.list('own:credit-cap:', 9).forEach(({ key }) => rows.delete(key))); // It is over.
    const down = vi.spyOn(AuthorizationStore.prototype, 'heed').mockRejectedValue(new Error('the shard is down'));
    expect((await consent(browser, clientId, '900')).status).toBe(503);
    down.mockRestore();
    await runDurableObjectAlarm(store());
    expect(await inRoot((rows) => rows.count('own:credit-cap:'))).toBe(0);
    expect(await capOf(access_token)).toBe(5_000_000);
  });
});
