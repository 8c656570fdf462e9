import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OperationsRegister } from '../../../../durable-objects/operations-register.ts';
import { account, PAYER, world } from '../world.ts';
import { buy, historyOf } from '../pages/publish-world.ts';
import { accountOf, call, postPack, signedPack } from '../sales/credit-world.ts';
import { settleOnChain } from '../sales/settling-chain.ts';
import {
  authorizePath,
  consentForm,
  field,
  flat,
  locationOf,
  type Person,
  person,
  registered,
  signInOperator,
  signInPayer,
} from './person.ts';

let logs: string[] = [];
beforeEach(() => {
  const seen = world();
  settleOnChain(seen);
  logs = seen.logs;
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function signedIn(): Promise<Person> {
  const browser = person();
  await signInPayer(browser, account);
  return browser;
}

/** After the end of all sessions of the account, which counts for those of the same millisecond too. */
async function signedInAfter(): Promise<Person> {
  let browser = await signedIn();
  await expect
    .poll(async () => {
      browser = await signedIn();
      return (await browser.get('/account')).status;
    })
    .toBe(200);
  return browser;
}

const open = async (browser: Person, path: string): Promise<string> => flat(await (await browser.get(path)).text());

const topUp = async (dollars = 5): Promise<void> => {
  expect((await postPack(dollars, { credential: await signedPack(dollars) })).status).toBe(200);
};

async function consentedApp(browser: Person, name = 'Desk Agent'): Promise<void> {
  const clientId = await registered({ client_name: name });
  const page = await (await browser.get(authorizePath(clientId))).text();
  expect(
    locationOf(await browser.form('/authorize', consentForm(page, 'allow'))).searchParams.get('code'),
  ).toBeTruthy();
}

const ageSessions = (byMs: number): Promise<void> =>
  runInDurableObject(env.AUTHORIZATION_STORE.getByName('authorization'), (_object, { storage: { sql } }) => {
    sql.exec(
      "UPDATE rows SET value = json_set(value, '$.signedInAtMs', value ->> '$.signedInAtMs' - ?) WHERE key LIKE 'own:session:%'",
      byMs,
    );
  });

describe('a visitor who is not signed in', () => {
  test.each([
    'credits',
    'reports',
    'imports',
    'hosts',
    'hosts.md',
    'hosts.json',
    'imports.csv',
    'published',
    'access',
    'delete',
    'credits.csv',
  ])('A6: reads nothing at /account/%s, and comes back to it after the sign-in', async (page) => {
    const answer = await person().get(`/account/${page}`);
    expect(answer.status).toBe(303);
    expect(locationOf(answer).searchParams.get('return_to')).toBe(`/account/${page}`);
    expect(field(await (await person().get(answer.headers.get('location') ?? '')).text(), 'return_to')).toBe(
      `/account/${page}`,
    );
  });

  test.each([
    'revoke',
    'revoke-all',
    'unpublish',
    'imports/delete',
    'hosts',
    'hosts/look',
    'hosts/token',
    'hosts/drop',
    'signout-everywhere',
    'delete',
  ])('N1: does nothing at /account/%s, and neither does a person without the token of the form', async (action) => {
    const stranger = person();
    const csrf = await stranger.csrf();
    expect((await stranger.json(`/account/${action}`, { csrf })).status).toBe(401);
    const browser = await signedIn();
    expect((await browser.json(`/account/${action}`, { confirm: 'delete' })).status).toBe(403);
    const foreign = { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } };
    expect((await browser.form(`/account/${action}`, { csrf: await browser.csrf() }, foreign)).status).toBe(403);
    expect((await browser.get('/account')).status).toBe(200);
  });
});

describe('credits', () => {
  test('show the balance, each movement with what was left, and the same as a file', async () => {
    const browser = await signedIn();
    expect(await open(browser, '/account/credits')).toContain('No credits were bought or used yet');
    await topUp();
    const sold = await call({ idempotencyKey: 'one' });
    if (sold.kind !== 'sold') throw new Error('the call was not sold');
    expect(await open(browser, '/account')).toContain('<strong>$4.94</strong>');
    const page = await open(browser, '/account/credits');
    for (const text of ['−$0.06', '+$5.00', '$4.94', `/reports/${sold.reportId}`]) expect(page).toContain(text);
    const file = await browser.get('/account/credits.csv');
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('cache-control')).toBe('no-store');
    const [head, ...lines] = (await file.text()).trimEnd().split('\r\n');
    expect(head).toBe('time,kind,capability,amount_usd,balance_after_usd,report_id');
    expect(lines.map((line) => line.split(',').slice(1))).toEqual(
      expect.arrayContaining([
        ['debit', 'check_health', '0.060000', '4.940000', sold.reportId],
        ['credit', 'credits_5', '5.000000', '5.000000', ''],
      ]),
    );
  });

  test('are filtered by a month, and another text is no filter', async () => {
    const browser = await signedIn();
    await topUp();
    expect((await (await browser.get('/account/credits.csv?month=2001-01')).text()).trim().split('\r\n')).toHaveLength(
      1,
    );
    const month = new Date().toISOString().slice(0, 7);
    for (const query of [month, "x' OR 1=1"]) {
      const file = await browser.get(`/account/credits.csv?month=${encodeURIComponent(query)}`);
      expect((await file.text()).trim().split('\r\n')).toHaveLength(2);
    }
    expect(await open(browser, '/account/credits?after=junk')).toContain('+$5.00');
  });

  test('go on after a top-up, whose name has a space', async () => {
    const browser = await signedIn();
    await topUp();
    const { object } = await accountOf(PAYER);
    // The top-up is the last of a page, after 49 calls; one more is on the next.
    await runInDurableObject(object, (_, { storage }) => {
      const [{ at_ms: boughtAtMs }] = storage.sql.exec('SELECT at_ms FROM credit_lines').toArray() as [
        { at_ms: number },
      ];
      const line = JSON.stringify({ capability: 'check_health', amountMicroUsdc: 60_000, balanceMicroUsdc: 0 });
      for (let index = 0; index < 50; index += 1)
        storage.sql.exec(
          'INSERT INTO credit_lines VALUES (?, ?, ?, ?)',
          boughtAtMs + (index === 0 ? -1 : index),
          `call-${index}`,
          'call',
          line,
        );
    });
    const first = await (await browser.get('/account/credits')).text();
    const older = /href="(\/account\/credits\?after=[^"#]+)/.exec(first)?.[1]?.replaceAll('&amp;', '&');
    if (older === undefined) throw new Error('the page leads to no older movements');
    const second = await open(browser, older);
    expect(second).not.toContain('+$5.00');
    expect(second).toContain('−$0.06');
  });

  test('P6: are offered in packs that say which address must pay', async () => {
    const browser = await signedIn();
    const page = await open(browser, '/account/credits?pack=20');
    expect(page).toContain('data-capability="credits_20"');
    expect(page).toContain(`Pay with ${PAYER}`);
    expect(await open(browser, '/account/credits?pack=7')).toContain('data-capability="credits_5"');
  });

  test('A6: of one person are not those of another', async () => {
    await topUp();
    const other = person();
    await signInPayer(other);
    expect(await open(other, '/account')).toContain('<strong>$0.00</strong>');
    expect(await open(other, '/account/credits')).not.toContain('+$5.00');
  });
});

describe('reports', () => {
  test('A6: are those that the wallet or the credits of this account paid for, and no one else’s', async () => {
    const browser = await signedIn();
    const bought = await buy();
    await topUp();
    const sold = await call({});
    const page = await open(browser, '/account/reports');
    const ids = [...page.matchAll(/href="\/reports\/([0-9a-f]{32})"/g)].map(([, id]) => id);
    expect(new Set(ids)).toEqual(new Set([bought.report_id, sold.kind === 'sold' ? sold.reportId : '']));
    expect(page).toContain('<bdi class="url">shop.example</bdi>');
    expect(page).toContain('Which reports are not listed');
    expect(page).not.toContain('credits_5');
    const other = person();
    await signInPayer(other);
    expect(await open(other, '/account/reports')).toContain('No report of the last 30 days');
  });

  test('that are gone are named without a link', async () => {
    const browser = await signedIn();
    const { report_id: id } = await buy();
    await env.REPORTS.delete(`reports/${id}.json`);
    const page = await open(browser, '/account/reports');
    expect(page).toContain('not any more');
    expect(page).not.toContain(`/reports/${id}`);
  });

  test('X5: what is published is listed, and its buyer takes it back without a token', async () => {
    const browser = await signedIn();
    const { report_id: id } = await buy({ publish: true });
    expect(await open(browser, '/account')).toContain('1 published report');
    const page = await (await browser.get('/account/published')).text();
    const fields = { csrf: field(page, 'csrf'), report_id: field(page, 'report_id') };
    expect(fields.report_id).toBe(id);
    const other = person();
    const { csrf } = await signInPayer(other);
    expect((await other.form('/account/unpublish', { csrf, report_id: id })).status).toBe(404);
    expect((await historyOf('shop.example'))?.entries).toHaveLength(1);
    const done = await browser.form('/account/unpublish', fields);
    expect(done.headers.get('location')).toBe('/account/published?done=unpublished');
    expect(await historyOf('shop.example')).toBeUndefined();
    expect(await open(browser, '/account/published?done=unpublished')).toContain(
      'no longer in the history of its site',
    );
  });

  test.each(['', 'x', '../'.repeat(11), '0'.repeat(32)])('N1: no report %j is taken back', async (reportId) => {
    const browser = await signedIn();
    const csrf = await browser.csrf();
    expect((await browser.form('/account/unpublish', { csrf, report_id: reportId })).status).toBe(404);
  });

  test('of which the ledger cannot say anything are not shown as none (rule P31)', async () => {
    const browser = await signedIn();
    vi.spyOn(env.PAYMENT_LEDGER, 'getByName').mockImplementation(() => {
      throw new Error('the ledger is away');
    });
    const page = await open(browser, '/account/reports');
    expect(page).toContain('This cannot be read now');
    expect(page).not.toContain('No report of the last 30 days');
    const csrf = await browser.csrf();
    expect((await browser.form('/account/unpublish', { csrf, report_id: '0'.repeat(32) })).status).toBe(503);
  });
});

describe('access and sign-ins', () => {
  test('A5: all apps lose their access at once', async () => {
    const browser = await signedIn();
    for (const name of ['One', 'Two', 'Three']) await consentedApp(browser, name);
    expect(await open(browser, '/account')).toContain('3 apps have access');
    const page = await open(browser, '/account/access');
    const done = await browser.form('/account/revoke-all', { csrf: field(page, 'csrf') });
    expect(done.headers.get('location')).toBe('/account/access?done=revoked_all');
    expect(await open(browser, '/account/access')).toContain('No app has access');
  });

  test('A3: a person signs out in every browser at once, and signs in again', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const other = person();
    await signInPayer(other);
    const answer = await one.form('/account/signout-everywhere', { csrf: await one.csrf() });
    expect(answer.headers.get('location')).toBe('/signin?why=signed_out');
    for (const browser of [one, two]) expect((await browser.get('/account')).status).toBe(303);
    expect((await other.get('/account')).status).toBe(200);
    expect((await (await signedInAfter()).get('/account')).status).toBe(200);
  });

  test('an operator has no credits and no reports here, and the way to the operators’ page', async () => {
    const browser = person();
    await signInOperator(browser);
    const page = await open(browser, '/account');
    expect(page).toContain('href="/console/"');
    for (const path of ['credits', 'reports', 'delete']) {
      expect(page).not.toContain(`/account/${path}`);
      expect((await browser.get(`/account/${path}`)).headers.get('location')).toBe('/account');
    }
  });
});

describe('deleting an account', () => {
  const remove = async (browser: Person, fields: Record<string, string>) =>
    browser.form('/account/delete', { csrf: await browser.csrf(), confirm: 'delete', ...fields });

  test('says what goes and what stays, and what of credits is left', async () => {
    const browser = await signedIn();
    await topUp();
    const page = await open(browser, '/account/delete');
    for (const text of [
      'What is deleted, now',
      'The ledger of payments',
      '$5.00 of credits are left',
      'name="forfeit"',
    ])
      expect(page).toContain(text);
  });

  test('needs the word, and the balance to be given up', async () => {
    const browser = await signedIn();
    await topUp();
    const without = await remove(browser, { confirm: 'yes', forfeit: 'yes' });
    expect([without.status, flat(await without.text())]).toEqual([
      422,
      expect.stringContaining('the word to confirm was not typed'),
    ]);
    const kept = await remove(browser, {});
    expect([kept.status, flat(await kept.text())]).toEqual([422, expect.stringContaining('there are credits left')]);
    expect(await open(browser, '/account')).toContain('<strong>$5.00</strong>');
  });

  test('needs a sign-in younger than five minutes (rule A1)', async () => {
    const browser = await signedIn();
    await ageSessions(300_000);
    expect(await open(browser, '/account/delete')).toContain('Sign in again');
    const answer = await remove(browser, {});
    expect(answer.status).toBe(303);
    expect(locationOf(answer).searchParams.get('why')).toBe('fresh');
    const asJson = await browser.json('/account/delete', { csrf: await browser.csrf(), confirm: 'delete' });
    expect(((await asJson.json()) as { code: string }).code).toBe('sign_in_too_old');
  });

  test('ends access, sign-ins, credits and lists, and leaves the ledger and the reports', async () => {
    const browser = await signedIn();
    const second = await signedIn();
    const { report_id: id } = await buy();
    await topUp();
    await consentedApp(browser);
    const { object } = await accountOf(PAYER);
    const forgetting = vi.spyOn(OperationsRegister.prototype, 'forgetCustomer');
    const answer = await remove(browser, { forfeit: 'yes' });
    expect(forgetting).toHaveBeenCalledExactlyOnceWith(PAYER);
    expect([answer.status, flat(await answer.text())]).toEqual([
      200,
      expect.stringContaining('Your account is deleted'),
    ]);
    for (const one of [browser, second]) expect((await one.get('/account')).status).toBe(303);
    expect(await object.view()).toMatchObject({ balanceMicroUsdc: 0 });
    expect(logs.filter((line) => line.includes('account_deleted'))).toHaveLength(1);
    expect((await person().get(`/reports/${id}`)).status).toBe(200);
    const back = await signedInAfter();
    const page = await open(back, '/account');
    for (const text of ['$0.00', 'No app has access', 'No report of the last 30 days']) expect(page).toContain(text);
  });

  test('P6: a payment for credits that is repeated after it is not credited again', async () => {
    const browser = await signedIn();
    const credential = await signedPack(5);
    expect((await postPack(5, { credential })).status).toBe(200);
    expect((await remove(browser, { forfeit: 'yes' })).status).toBe(200);
    expect((await postPack(5, { credential })).status).toBe(200);
    expect(await open(await signedInAfter(), '/account')).toContain('<strong>$0.00</strong>');
  });

  test('works in German, by the German word', async () => {
    const browser = await signedIn();
    const german = { headers: { 'accept-language': 'de' } };
    expect(flat(await (await browser.get('/account/delete', german)).text())).toContain('Was jetzt gelöscht wird');
    const csrf = await browser.csrf();
    const answer = await browser.form('/account/delete', { csrf, confirm: ' LÖSCHEN ' }, german);
    expect([answer.status, flat(await answer.text())]).toEqual([
      200,
      expect.stringContaining('Ihr Konto ist gelöscht'),
    ]);
  });

  test('an operator is ended by operators', async () => {
    const browser = person();
    const { csrf } = await signInOperator(browser);
    const answer = await browser.json('/account/delete', { csrf, confirm: 'delete' });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([422, 'account_not_deleted']);
    expect((await browser.get('/account')).status).toBe(200);
  });
});
