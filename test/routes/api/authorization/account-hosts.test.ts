import { exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '../../../../src/lib/time.ts';
import { account, world } from '../world.ts';
import { BASE, field, flat, type Person, person, signInPayer } from './person.ts';

/** What the resolver answers. */
let records: Map<string, string>;

beforeEach(() => {
  records = new Map();
  world().site = (url) => {
    const text = records.get(url.searchParams.get('name') ?? '');
    if (!url.searchParams.has('name')) return new Response('not found', { status: 404 });
    return Response.json({
      Status: text === undefined ? 3 : 0,
      Answer: text === undefined ? [] : [{ type: 16, data: `"${text}"` }],
    });
  };
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function signedIn(): Promise<Person> {
  const browser = person();
  await signInPayer(browser, account);
  return browser;
}

const read = async (browser: Person, path: string): Promise<string> => flat(await (await browser.get(path)).text());
const post = async (browser: Person, action: string, host: string): Promise<Response> =>
  browser.form(`/account/hosts${action}`, { csrf: await browser.csrf(), host });

let turn = 0;
async function provenHost(browser: Person): Promise<string> {
  turn += 1;
  const host = `page-${turn}.example`;
  expect((await post(browser, '', host)).status).toBe(303);
  const page = await read(browser, `/account/hosts?host=${host}`);
  const [, value = ''] = /(sightline-site-verification=[0-9a-f]{32})/.exec(page) ?? [];
  records.set(`_sightline.${host}`, value);
  expect(flat(await (await post(browser, '/look', host)).text())).toContain('Found: the host is proven to be yours.');
  return host;
}

const tokenOf = async (answer: Response): Promise<string> => /sht_[\w-]{48}/.exec(await answer.text())?.[0] ?? '';

const send = (host: string, token: string, rows: readonly object[]): Promise<Response> =>
  exports.default.fetch(
    new Request(`${BASE}/api/hosts/${host}/counts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        batch_id: crypto.randomUUID(),
        minute: new Date(Date.now() - MINUTE_MS).toISOString(),
        rows,
      }),
    }),
  );

describe('a host of the account', () => {
  test('is claimed by a form, proven, and shows its token once', async () => {
    const browser = await signedIn();
    expect(await read(browser, '/account/hosts')).toContain('Name a host below');
    const refused = await post(browser, '', 'localhost');
    expect([refused.status, flat(await refused.text())]).toEqual([
      422,
      expect.stringContaining('This is not a host name'),
    ]);
    const host = await provenHost(browser);
    const made = await post(browser, '/token', host);
    expect(made.headers.get('cache-control')).toContain('no-store');
    expect(await tokenOf(made)).not.toBe('');
    const page = await read(browser, `/account/hosts?host=${host}`);
    expect(page).not.toContain('sht_');
    expect(page).toContain('Replace the token');
    expect(await read(browser, '/account')).toContain('One host.');
  });

  test('shows who came as a page, as Markdown and as JSON, with paths that are text', async () => {
    const browser = await signedIn();
    const host = await provenHost(browser);
    const token = await tokenOf(await post(browser, '/token', host));
    const sent = await send(host, token, [
      { agent: 'GPTBot', verification: 'verified', status: 200, path: '/<script>alert(1)</script>`|', n: 7 },
      { agent: 'ClaudeBot', status: 403, path: '/docs', n: 2 },
      { agent: 'person', status: 200, path: '/only-people', n: 6, referral: 'ChatGPT' },
      { agent: 'person', status: 200, path: '/too-few', n: 4 },
    ]);
    expect(sent.status).toBe(202);
    const page = await read(browser, `/account/hosts?host=${host}`);
    for (const text of [
      'GPTBot (OpenAI), verified',
      'ClaudeBot (Anthropic), by its own word',
      '/only-people',
      'class="day-chart"',
    ])
      expect(page).toContain(text);
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('/too-few');
    const markdown = await browser.get(`/account/hosts.md?host=${host}`);
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const text = await markdown.text();
    expect(text).toContain('| GPTBot, verified | 7 |');
    expect(text.split('\n').filter((line) => line.includes('alert'))).toHaveLength(1);
    expect(await (await browser.get(`/account/hosts.json?host=${host}`)).json()).toMatchObject({
      host,
      referrals: [{ assistant: 'ChatGPT', requests: 6 }],
      unread_by_agents: { count: 1 },
    });
    const days = await read(browser, `/account/hosts?host=${host}&from=2020-01-01&to=2026-01-01`);
    expect(days).toContain('choose at most 92');
    const german = flat(
      await (await browser.get(`/account/hosts?host=${host}`, { headers: { 'accept-language': 'de' } })).text(),
    );
    expect(german).toContain('nach eigener Angabe');
  });

  test('gives out the Worker that counts, with its own address', async () => {
    const browser = await signedIn();
    const host = await provenHost(browser);
    const file = await browser.get(`/account/hosts/crawler-counts.js?host=${host}`);
    expect(file.headers.get('content-disposition')).toContain('attachment');
    const text = await file.text();
    expect(text).toContain(`const SEND_TO = '${BASE}/api/hosts/${host}/counts';`);
    expect(text).not.toContain('sightline.example');
  });

  test('is gone with its counts when it is removed, and when the account is deleted', async () => {
    const browser = await signedIn();
    const [first, second] = [await provenHost(browser), await provenHost(browser)];
    const tokens = [
      await tokenOf(await post(browser, '/token', first)),
      await tokenOf(await post(browser, '/token', second)),
    ];
    expect((await post(browser, '/drop', first)).status).toBe(303);
    expect((await send(first, tokens[0] ?? '', [])).status).toBe(401);
    expect((await send(second, tokens[1] ?? '', [])).status).toBe(202);
    const csrf = field(await (await browser.get('/account/delete')).text(), 'csrf');
    expect((await browser.form('/account/delete', { csrf, confirm: 'delete' })).status).toBe(200);
    expect((await send(second, tokens[1] ?? '', [])).status).toBe(401);
  });

  test('of another account is not there', async () => {
    const browser = await signedIn();
    for (const path of ['', '.md', '.json', '/crawler-counts.js'])
      expect((await browser.get(`/account/hosts${path}?host=someone-else.example`)).status).toBe(404);
    for (const action of ['/look', '/token', '/drop'])
      expect((await post(browser, action, 'someone-else.example')).status).toBe(404);
  });
});
