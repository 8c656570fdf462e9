import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { account, world } from '../world.ts';
import { settleOnChain } from '../sales/settling-chain.ts';
import { field, flat, locationOf, type Person, person, signInOperator, signInPayer } from './person.ts';

let logs: string[] = [];
beforeEach(() => {
  const seen = world();
  settleOnChain(seen);
  logs = seen.logs;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const HOME = '/account/monitors';

async function signedIn(): Promise<Person> {
  const browser = person();
  await signInPayer(browser, account);
  return browser;
}

const open = async (browser: Person, path: string): Promise<string> => flat(await (await browser.get(path)).text());

type Fields = Record<string, string>;
const SITE: Fields = {
  kind: 'site',
  url: 'shop.example',
  every: 'weekly',
  improvements: 'yes',
  time_zone: 'Europe/Berlin',
};

/** Sends the form of a new monitor as a browser does. */
async function create(browser: Person, fields: Fields = {}, key?: string): Promise<Response> {
  const page = await (await browser.get(`${HOME}/new`)).text();
  const hidden = { csrf: field(page, 'csrf'), key: key ?? field(page, 'key') };
  return browser.form(HOME, { ...SITE, ...hidden, ...fields });
}

/** A monitor of a person, and its page. */
async function made(fields: Fields = {}): Promise<{ browser: Person; path: string }> {
  const browser = await signedIn();
  const answer = await create(browser, fields);
  expect(answer.status).toBe(303);
  return { browser, path: locationOf(answer).pathname };
}

const act = async ({ browser, path }: { browser: Person; path: string }, name: string): Promise<Response> =>
  browser.form(`${path}/${name}`, { csrf: await browser.csrf() });

describe('the list', () => {
  test('is for those who are signed in, and leads to the first monitor', async () => {
    const answer = await person().get(`${HOME}?x=1`);
    expect(locationOf(answer).searchParams.get('return_to')).toBe(`${HOME}?x=1`);
    const browser = await signedIn();
    const page = await open(browser, HOME);
    expect(page).toContain(`href="${HOME}/new"`);
    expect(page).toContain('You watch nothing yet');
    expect(await open(browser, '/account')).toContain('You watch nothing yet');
  });

  test('has each monitor with what it costs, and is Markdown and JSON too', async () => {
    const { browser, path } = await made({ monitor_name: 'My shop' });
    const page = await open(browser, HOME);
    for (const text of ['My shop', 'https://shop.example/', '$0.35', 'on Monday', 'about $1.52 a month', path])
      expect(page).toContain(text);
    const json = await browser.get(`${HOME}.json`);
    expect(json.headers.get('cache-control')).toBe('no-store');
    expect(json.headers.get('x-robots-tag')).toBe('noindex');
    expect(await json.json()).toMatchObject({ monitors: [{ name: 'My shop', price_usd: '0.350000' }] });
    const text = await browser.get(HOME, { headers: { accept: 'text/markdown' } });
    expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await text.text()).toContain('`My shop`');
    expect((await browser.get(`${path}.pdf`)).status).toBe(404);
  });
});

describe('the form', () => {
  test('is filled in by its address, for each kind', async () => {
    const browser = await signedIn();
    expect(await open(browser, `${HOME}/new?url=https%3A%2F%2Fshop.example%2F`)).toContain(
      'value="https://shop.example/"',
    );
    const brand = await open(browser, `${HOME}/new?kind=visibility_panel_2&brand=Acme&niche=help+desk`);
    expect(brand).toContain('value="Acme"');
    expect(brand).not.toContain('name="compare_sites"');
  });

  test('says what is wrong beside each field, and makes nothing', async () => {
    const browser = await signedIn();
    const answer = await create(browser, {
      url: 'shop.example',
      every: 'cron',
      cron: '0 6 30 2 *',
      'receiver_kind.0': 'webhook',
      'receiver_to.0': 'http://hooks.example/x',
    });
    expect(answer.status).toBe(422);
    const page = flat(await answer.text());
    expect(page).toMatch(/id="order-cron-fault" class="fault"> ?No day has this date\./);
    expect(page).toMatch(/id="order-receiver_to-0-fault" class="fault"> ?Enter an address that begins with https/);
    expect(page).toContain('value="http://hooks.example/x"');
    expect(await open(browser, HOME)).toContain('You watch nothing yet');
    const empty = await create(browser, { url: '' });
    expect(flat(await empty.text())).toContain('Fill in “Address of the site”.');
  });

  test('sent twice makes one monitor, and shows secrets once', async () => {
    const browser = await signedIn();
    const hook = {
      'receiver_kind.0': 'webhook',
      'receiver_to.0': 'https://hooks.example/secret',
      'receiver_kind.1': 'feed',
    };
    const first = await create(browser, hook, 'one');
    expect(first.status).toBe(200);
    const shown = await first.text();
    expect(shown).toMatch(/whsec_[A-Za-z0-9+/=]+/);
    expect(shown).toMatch(/https:\/\/sightline\.test\/monitors\/mon_[0-9a-f]{24}\/feed\//);
    expect(shown).not.toContain('hooks.example/secret');
    const again = await create(browser, hook, 'one');
    expect(again.status).toBe(303);
    const page = await open(browser, locationOf(again).pathname);
    expect(page).toContain('https://hooks.example/…');
    expect(page).not.toContain('whsec_');
    expect((await (await browser.get(`${HOME}.json`)).json()) as { monitors: unknown[] }).toMatchObject({
      monitors: [{ name: 'shop.example' }],
    });
    expect(logs.join('\n')).not.toMatch(/whsec_|hooks\.example\/secret/);
  });

  test('needs the token of the session', async () => {
    const browser = await signedIn();
    expect((await browser.form(HOME, { ...SITE, key: 'k' })).status).toBe(403);
    expect(await open(browser, HOME)).toContain('You watch nothing yet');
  });

  test('of an operator runs without charge, on hosts that the deployment names only', async () => {
    const browser = person();
    await signInOperator(browser);
    const answer = await create(browser);
    expect(answer.status).toBe(422);
    expect(flat(await answer.text())).toContain('runs without charge are for operators');
  });
});

describe('a monitor', () => {
  test('is changed; a form of before says so, and is right the next time', async () => {
    const { browser, path } = await made();
    const form = await (await browser.get(`${path}/edit`)).text();
    expect(form).toContain('value="https://shop.example/"');
    const fields = { ...SITE, csrf: field(form, 'csrf'), revision: field(form, 'revision') };
    const saved = await browser.form(`${path}/edit`, {
      ...fields,
      monitor_name: 'Second',
      every: 'daily',
      at: '07:00',
    });
    expect(locationOf(saved).searchParams.get('done')).toBe('monitor_saved');
    const page = await open(browser, path);
    for (const text of ['Second', 'Every day at 07:00 (Europe/Berlin)']) expect(page).toContain(text);
    const stale = await browser.form(`${path}/edit`, { ...fields, monitor_name: 'Third' });
    expect(stale.status).toBe(412);
    const shown = await stale.text();
    expect(flat(shown)).toContain('was changed elsewhere');
    expect(shown).toContain('value="Third"');
    expect(await open(browser, path)).not.toContain('Third');
    const right = await browser.form(`${path}/edit`, {
      ...fields,
      monitor_name: 'Third',
      revision: field(shown, 'revision'),
    });
    expect(right.status).toBe(303);
    expect(await open(browser, path)).toContain('Third');
    const other = await browser.form(`${path}/edit`, { ...fields, url: 'other.example', revision: '3' });
    expect(flat(await other.text())).toContain('This is another site or brand.');
  });

  test('keeps the receivers that are ticked, and drops the others', async () => {
    const { browser, path } = await made({
      'receiver_kind.0': 'slack',
      'receiver_to.0': 'https://hooks.slack.example/a',
    });
    const form = await (await browser.get(`${path}/edit`)).text();
    const [, keep = ''] = /name="keep" value="(rcv_[0-9a-f]{16})"/.exec(form) ?? [];
    const fields = { ...SITE, csrf: field(form, 'csrf'), revision: '1', 'receiver_kind.0': 'teams' };
    await browser.form(`${path}/edit`, { ...fields, keep, 'receiver_to.0': 'https://teams.example/b' });
    const both = await open(browser, path);
    for (const host of ['hooks.slack.example', 'teams.example']) expect(both).toContain(`https://${host}/…`);
    await browser.form(`${path}/edit`, { ...SITE, csrf: field(form, 'csrf'), revision: '2' });
    expect(await open(browser, path)).toContain('Alerts are on this page only');
  });

  test('pauses, resumes, runs once, gives a token, and is deleted after a question', async () => {
    const one = await made();
    const { browser, path } = one;
    expect(locationOf(await act(one, 'pause')).searchParams.get('done')).toBe('monitor_paused');
    expect(await open(browser, path)).toContain('none while it is paused');
    await act(one, 'resume');
    expect(await open(browser, path)).not.toContain('none while it is paused');
    expect((await act(one, 'run')).status).toBe(429);
    const page = await open(browser, path);
    expect(page).toContain('First run');
    const token = await act(one, 'token');
    expect(await token.text()).toMatch(/smt_[A-Za-z0-9_-]{43}/);
    const [, run = ''] = /href="(\/account\/monitors\/mon_[^"]+\/runs\/[^"]+)"/.exec(page) ?? [];
    expect(await open(browser, run)).toContain('This run has no report.');
    expect(await (await browser.get(`${run}.json`)).json()).toMatchObject({ cause: 'first' });
    expect(await open(browser, `${path}/compare?from=a&to=b`)).toContain('cannot be compared');
    expect((await browser.get(`${path}/compare.json`)).status).toBe(404);
    const id = run.split('/').at(-1) ?? '';
    const same = await browser.get(`${path}/compare.json?from=${id}&to=${id}`);
    expect(await same.json()).toMatchObject({ code: 'not_comparable', detail: 'Name two runs, as from and to' });
    const csv = await browser.get(`${path}/history.csv`);
    expect((await csv.text()).split('\r\n')[0]).toMatch(/^at,run,report,of,series/);
    expect(await open(browser, `${path}/delete`)).toContain('Delete the monitor');
    expect(locationOf(await act(one, 'delete')).pathname).toBe(HOME);
    expect((await browser.get(path)).status).toBe(404);
  });

  test('has receivers that are tested and get a new secret', async () => {
    const browser = await signedIn();
    await create(browser, { 'receiver_kind.0': 'webhook', 'receiver_to.0': 'https://hooks.example/x' });
    const list = (await (await browser.get(`${HOME}.json`)).json()) as {
      monitors: { id: string; receivers: { id: string }[] }[];
    };
    const [{ id, receivers } = { id: '', receivers: [] }] = list.monitors;
    const one = { browser, path: `${HOME}/${id}` };
    const receiver = `receivers/${receivers[0]?.id}`;
    expect(locationOf(await act(one, `${receiver}/test`)).searchParams.get('done')).toBe('receiver_tested');
    expect(await open(browser, one.path)).toContain('Test, Signed webhook');
    expect(await (await act(one, `${receiver}/rotate`)).text()).toContain('whsec_');
  });

  test('has pages of alerts', async () => {
    const { browser, path } = await made();
    const id = path.split('/').at(-1) ?? '';
    const shard = env.MONITOR_SHARD.getByName(`monitors-${id.charAt(4)}`);
    for (let at = 0; at < 26; at += 1)
      await shard.raise(id, {
        kind: 'verdict_changed',
        severity: 'warning',
        key: `k${at}`,
        title: `Alert ${at}`,
        changes: [{ id: `check.n${at}-`, title: 'T', before: null, after: null }],
        since: null,
      });
    const page = await open(browser, path);
    expect(page).not.toContain('check.n0-');
    const [, older = ''] = /href="([^"]+\?alerts=[^"]+)#alerts"/.exec(page) ?? [];
    const rest = await open(browser, older);
    expect(rest).toContain('check.n0-');
    expect(rest).not.toContain('check.n25-');
    expect((await browser.get(`${path}?alerts=x`)).status).toBe(400);
  });

  test('of another account is not there, in any form', async () => {
    const { path } = await made();
    const other = person();
    await signInPayer(other);
    for (const below of ['', '.json', '.md', '/edit', '/delete', '/history.csv', '/compare'])
      expect([below, (await other.get(`${path}${below}`)).status]).toEqual([below, 404]);
    expect((await act({ browser: other, path }, 'delete')).status).toBe(404);
    expect((await act({ browser: other, path }, 'pause')).status).toBe(404);
  });

  test('ends with its account, which says so before', async () => {
    const { browser, path } = await made();
    const page = await open(browser, '/account/delete');
    expect(page).toContain('Your monitor, with its runs');
    const gone = await browser.form('/account/delete', { csrf: await browser.csrf(), confirm: 'delete' });
    expect(gone.status).toBe(200);
    const id = path.split('/').at(-1) ?? '';
    const shard = env.MONITOR_SHARD.getByName(`monitors-${id.charAt(4)}`);
    await expect.poll(async () => (await shard.droppedReports()).length).toBe(0);
    const back = await signedIn();
    expect((await back.get(path)).status).toBe(404);
  });
});
