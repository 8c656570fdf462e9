import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { world, type World } from '../world.ts';
import { BASE, field, flat, type Person, person, signInPayer } from './person.ts';

type Mail = { from: unknown; to: string; subject: string; text: string; headers: Record<string, string> };
const MINUTE_MS = 60_000;
const FROM = 'sign-in@sightline.test';

let mails: Mail[] = [];
let seen: World;
beforeEach(() => {
  mails = [];
  seen = world();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const app = createApp({
  policy: () => allowPublicOnly({ alternatePorts: true }),
  local: false,
  engines: { ...localAnswers, isLocal: false },
});

/** A Worker that has set up mail. What it sends is there once it has answered. */
async function serve(request: Request): Promise<Response> {
  const EMAIL = { send: async (mail: Mail) => void mails.push(mail) };
  const context = createExecutionContext();
  const more: Record<string, unknown> = { EMAIL, SIGN_IN_MAIL_FROM: FROM };
  const answer = await app.fetch(request, Object.assign({}, env as unknown as Env, more), context);
  await waitOnExecutionContext(context);
  return answer;
}

let visitors = 0;
/** A person with mail, at an address of their own. */
function mailPerson(address?: string): Person {
  visitors += 1;
  return person(address ?? `198.18.${Math.floor(visitors / 250)}.${visitors % 250}`, serve);
}

let names = 0;
const freshEmail = (): string => {
  names += 1;
  return `person-${names}-${Date.now()}@mail.example`;
};

async function ask(browser: Person, email: string, returnTo = '/account'): Promise<Response> {
  return browser.form('/signin/email', { csrf: await browser.csrf(), email, return_to: returnTo });
}

/** Path and query of the link in the newest mail. */
function linkOf(mail = mails.at(-1)): string {
  const [url] = /https:\/\/sightline\.test\/signin\/email\?token=[0-9a-f]{32}/.exec(mail?.text ?? '') ?? [];
  if (url === undefined) throw new Error('no link');
  return url.slice(BASE.length);
}
const tokenOf = (link: string): string => link.slice(-32);

const reasonOf = async (answer: Response): Promise<[number, string]> => {
  const { detail = '', code = '' } = (await answer.json()) as { detail?: string; code?: string };
  return [answer.status, detail.includes(':') ? (detail.split(':')[0] ?? '') : code];
};
const confirm = async (browser: Person, link: string) =>
  browser.json('/signin/email/confirm', { token: tokenOf(link), csrf: await browser.csrf() });

async function signInByMail(browser: Person, email: string): Promise<{ account: string; kind: string }> {
  await ask(browser, email);
  const answer = await confirm(browser, linkOf());
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as { account: string; kind: string };
}

test('without a sender the way is not offered', async () => {
  const browser = person();
  expect(await (await browser.get('/signin')).text()).not.toContain('action="/signin/email"');
  const answer = await browser.json('/signin/email', { email: freshEmail() });
  expect(answer.status).toBe(404);
});

describe('a link by e-mail', () => {
  test('is one plain mail; the link shows a button and changes nothing, the button signs in and leads on', async () => {
    const browser = mailPerson();
    const email = freshEmail();
    const sent = await ask(browser, email.toUpperCase(), '/account/credits');
    expect(sent.status).toBe(200);
    expect(flat(await sent.text())).toContain(`A mail with a link goes to ${email}.`);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: email, from: { email: FROM, name: 'Sightline' } });
    expect(Object.keys(mails[0] ?? {})).not.toContain('html');
    expect(mails[0]?.text.match(/https?:/g)).toHaveLength(2); // The site's name and the link.
    const link = linkOf();
    for (const _look of [1, 2]) {
      const shown = await browser.get(link);
      expect([shown.status, shown.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
      const page = await shown.text();
      expect(flat(page)).toContain(`You sign in as ${email}.`);
      expect(field(page, 'token')).toBe(tokenOf(link));
    }
    expect((await browser.get('/account')).status).toBe(303);
    const csrf = field(await (await browser.get(link)).text(), 'csrf');
    const pressed = await browser.form('/signin/email/confirm', { csrf, token: tokenOf(link) });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/account/credits']);
    expect(await (await browser.get('/account')).text()).toContain(email);
  });

  test('makes an account the first time and opens the same one later, a payer’s', async () => {
    const email = freshEmail();
    const first = await signInByMail(mailPerson(), email);
    expect(first).toMatchObject({ kind: 'payer', account: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect((await signInByMail(mailPerson(), email)).account).toBe(first.account);
    expect((await signInByMail(mailPerson(), freshEmail())).account).not.toBe(first.account);
  });

  test('works once', async () => {
    const browser = mailPerson();
    await signInByMail(browser, freshEmail());
    expect(await reasonOf(await confirm(browser, linkOf()))).toEqual([403, 'link_gone']);
    expect((await browser.get(linkOf())).status).toBe(410);
  });

  test('of another browser is not used up, and says what to do', async () => {
    const browser = mailPerson();
    await ask(browser, freshEmail());
    const link = linkOf();
    const thief = mailPerson();
    const page = await thief.get(link);
    expect(page.status).toBe(403);
    const text = flat(await page.text());
    expect(text).toContain('only in the browser in which it was asked for');
    expect(text).not.toContain('@mail.example');
    expect(await reasonOf(await confirm(thief, link))).toEqual([403, 'link_elsewhere']);
    expect((await thief.get('/account')).status).toBe(303);
    expect((await confirm(browser, link)).status).toBe(200);
  });

  test('is over after ten minutes', async () => {
    const browser = mailPerson();
    await ask(browser, freshEmail());
    const link = linkOf();
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs + 10 * MINUTE_MS - 1_000 });
    expect((await browser.get(link)).status).toBe(200);
    vi.setSystemTime(startMs + 10 * MINUTE_MS);
    expect((await browser.get(link)).status).toBe(410);
    expect(await reasonOf(await confirm(browser, link))).toEqual([403, 'link_gone']);
  });

  test('of no one, or of a form that is not ours, is refused', async () => {
    const browser = mailPerson();
    for (const token of ['', 'x', '0'.repeat(32), `${'0'.repeat(32)}'--`])
      expect(await reasonOf(await browser.json('/signin/email/confirm', { token }))).toEqual([403, 'link_gone']);
    await ask(browser, freshEmail());
    const withoutToken = await browser.form('/signin/email/confirm', { token: tokenOf(linkOf()) });
    expect(withoutToken.status).toBe(403);
    expect((await browser.get('/account')).status).toBe(303);
  });

  test('is stored as a hash', async () => {
    const browser = mailPerson();
    await ask(browser, freshEmail());
    const rows = await runInDurableObject(env.AUTHORIZATION_STORE.getByName('authorization'), (_object, state) =>
      state.storage.sql.exec('SELECT key, value FROM rows').toArray(),
    );
    expect(JSON.stringify(rows)).toContain('own:email-link:');
    expect(JSON.stringify(rows)).not.toContain(tokenOf(linkOf()));
    expect(seen.logs.join('\n')).not.toContain(tokenOf(linkOf()));
  });

  test('goes to one address three times an hour, and who asks is not told: known, new and full addresses answer alike', async () => {
    const [known, full] = [freshEmail(), freshEmail()];
    await signInByMail(mailPerson(), known);
    for (const _turn of [1, 2, 3]) await ask(mailPerson(), full);
    mails = [];
    const answers = await Promise.all(
      [known, freshEmail(), full].map(async (email) => {
        const answer = await ask(mailPerson(), email);
        const page = (await answer.text()).replaceAll(email, 'someone');
        return { status: answer.status, page: page.replaceAll(/value="[0-9a-f]{64}"/g, '') };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(mails.map(({ to }) => to)).not.toContain(full);
    expect(mails).toHaveLength(2);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * MINUTE_MS });
    await ask(mailPerson(), full);
    expect(mails.at(-1)?.to).toBe(full);
  });

  test('is asked for at most 20 times an hour by one caller', async () => {
    const browser = mailPerson('198.19.0.7');
    const csrf = await browser.csrf();
    const statuses: number[] = [];
    for (let turn = 0; turn < 21; turn += 1)
      statuses.push((await browser.json('/signin/email', { csrf, email: freshEmail() })).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 202), 429]);
    expect(mails).toHaveLength(20);
  });

  test.each([
    'a@mail.example\r\nBcc: victim@other.example',
    'a@mail.example\nSubject: x',
    'a@mail.example,b@mail.example',
    'a@mail.example b@mail.example',
    '"a\r\nBcc: x@y.example"@mail.example',
    'A <a@mail.example>',
    'a@mail.example%0d%0aBcc:x@y.example\0',
    'a@localhost',
    'a..b@mail.example',
    '@mail.example',
    `${'a'.repeat(65)}@mail.example`,
    `a@${'b'.repeat(250)}.example`,
    'ä@mail.example',
    '',
  ])('is sent to no address like %j', async (email) => {
    const browser = mailPerson();
    const answer = await browser.json('/signin/email', { email });
    expect(answer.status).toBe(422);
    expect(mails).toEqual([]);
  });

  test('a mail that the platform refuses is logged without the address, and the answer is the same', async () => {
    const EMAIL = {
      send: async () => {
        throw Object.assign(new Error('bounced: someone@mail.example'), { code: 'E_RECIPIENT_SUPPRESSED' });
      },
    };
    const refusing = person('198.19.1.1', async (request) => {
      const context = createExecutionContext();
      const bindings: Record<string, unknown> = { EMAIL, SIGN_IN_MAIL_FROM: FROM };
      const answer = await app.fetch(request, Object.assign({}, env as unknown as Env, bindings), context);
      await waitOnExecutionContext(context);
      return answer;
    });
    const answer = await refusing.json('/signin/email', { email: 'someone@mail.example' });
    expect([answer.status, await answer.json()]).toEqual([202, { ok: true }]);
    const logged = seen.logs.join('\n');
    expect(logged).toContain('sign_in_mail_failed');
    expect(logged).not.toContain('someone@');
  });
});

describe('an e-mail address of an account', () => {
  async function askForAccount(browser: Person, email: string): Promise<Response> {
    return browser.form('/account/ways/email', { csrf: await browser.csrf(), email });
  }

  test('is added by the link, opens that account, and is removed', async () => {
    const browser = mailPerson();
    const { account } = await signInPayer(browser);
    const email = freshEmail();
    expect((await askForAccount(browser, email)).status).toBe(200);
    expect(mails.at(-1)?.subject).toBe('Confirm this address for Sightline');
    const link = linkOf();
    const page = await (await browser.get(link)).text();
    expect(flat(page)).toContain(`you can sign in to your account with ${email}`);
    const pressed = await browser.form('/signin/email/confirm', { csrf: field(page, 'csrf'), token: tokenOf(link) });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/account/ways?done=way_added']);
    const byMail = mailPerson();
    expect((await signInByMail(byMail, email)).account).toBe(account);
    expect((await byMail.get('/account')).status).toBe(200);
    const ways = await (await browser.get('/account/ways')).text();
    const [, id = ''] = /name="kind" value="email"[^]*?name="id" value="([0-9a-f]{64})"/.exec(ways) ?? [];
    const removed = await browser.form('/account/ways/remove', { csrf: await browser.csrf(), kind: 'email', id });
    expect(removed.headers.get('location')).toBe('/account/ways?done=way_removed');
    expect((await byMail.get('/account')).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
    expect((await signInByMail(mailPerson(), email)).account).not.toBe(account);
  });

  test('that opens another account stays with it: accounts are not merged', async () => {
    const email = freshEmail();
    const { account } = await signInByMail(mailPerson(), email);
    const other = mailPerson();
    await signInByMail(other, freshEmail());
    await askForAccount(other, email);
    expect(await reasonOf(await confirm(other, linkOf()))).toEqual([409, 'way_in_use']);
    expect((await signInByMail(mailPerson(), email)).account).toBe(account);
  });

  test('is added by a link that was opened too late, once the same browser has signed in again', async () => {
    const [known, email] = [freshEmail(), freshEmail()];
    const browser = mailPerson();
    const { account } = await signInByMail(browser, known);
    await askForAccount(browser, email);
    const link = linkOf();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * MINUTE_MS });
    expect(await reasonOf(await confirm(browser, link))).toEqual([403, 'sign_in_too_old']);
    await signInByMail(browser, known);
    expect((await browser.get(link)).status).toBe(200);
    expect(await reasonOf(await confirm(mailPerson(), link))).toEqual([403, 'link_elsewhere']);
    expect((await confirm(browser, link)).status).toBe(200);
    expect(await reasonOf(await confirm(browser, link))).toEqual([403, 'link_gone']);
    expect((await signInByMail(mailPerson(), email)).account).toBe(account);
  });

  test('is not added to the account that the same browser signed in to meanwhile', async () => {
    const email = freshEmail();
    const browser = mailPerson();
    await signInByMail(browser, freshEmail());
    await askForAccount(browser, email);
    const link = linkOf();
    const { account: other } = await signInByMail(browser, freshEmail());
    expect((await confirm(browser, link)).status).toBe(401);
    expect((await signInByMail(mailPerson(), email)).account).not.toBe(other);
  });

  test('is not added by another browser of the same account, nor after five minutes, nor when signed out', async () => {
    const email = freshEmail();
    const browser = mailPerson();
    await signInByMail(browser, freshEmail());
    await askForAccount(browser, email);
    const link = linkOf();
    expect(await reasonOf(await confirm(mailPerson(), link))).toEqual([403, 'link_elsewhere']);
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs + 6 * MINUTE_MS });
    expect(await reasonOf(await confirm(browser, link))).toEqual([403, 'sign_in_too_old']);
    vi.setSystemTime(startMs);
    await browser.json('/signout', { csrf: await browser.csrf() });
    expect((await confirm(browser, link)).status).toBe(403);
  });
});

test('P16: a deleted account leaves neither the e-mail address nor the passkeys of its owner', async () => {
  const browser = mailPerson();
  const email = freshEmail();
  const { account } = await signInByMail(browser, email);
  const csrf = await browser.csrf();
  const file = (await (await browser.get('/account/export.json')).json()) as Record<string, unknown>;
  expect(file).toMatchObject({ account: { id: account, email }, ways: [{ kind: 'email', name: email }] });
  const deleted = await browser.json('/account/delete', { csrf, confirm: 'delete' });
  expect(deleted.status).toBe(200);
  const rows = await runInDurableObject(env.AUTHORIZATION_STORE.getByName('authorization'), (_object, state) =>
    state.storage.sql.exec('SELECT key, value FROM rows').toArray(),
  );
  expect(JSON.stringify(rows)).not.toContain(email);
  expect((await signInByMail(mailPerson(), email)).account).not.toBe(account);
});
