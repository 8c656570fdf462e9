import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_ROWS } from '../../../../routes/api/account/imports.ts';
import { createImportStore, MAX_KEPT_IMPORTS } from '../../../../src/sales/import-store.ts';
import { buy, type EngineWorld, engineWorld, saying } from '../sales/engine-world.ts';
import { settleOnChain } from '../sales/settling-chain.ts';
import { account, world } from '../world.ts';
import { flat, locationOf, type Person, person, signInPayer } from './person.ts';

let engine: EngineWorld;
beforeEach(() => {
  engine = engineWorld();
  settleOnChain(world());
});
afterEach(() => {
  vi.restoreAllMocks();
});

const DAY_MS = 86_400_000;
const PATHS = ['pricing', 'guide/setup', 'blog/metrics', 'compare/deskly', 'docs/api', 'integrations', ''];
const PAGES = `Page,Citations\n${PATHS.map((path, at) => `https://acme.example/${path},${70 - 10 * at}\n`).join('')}`;

async function signedIn(wallet = account): Promise<Person> {
  const browser = person();
  await signInPayer(browser, wallet);
  return browser;
}

type Sent = { csrf?: string; fields?: Record<string, string>; headers?: Record<string, string> };

async function upload(browser: Person, files: Readonly<Record<string, string>>, sent: Sent = {}): Promise<Response> {
  const form = new FormData();
  form.set('csrf', sent.csrf ?? (await browser.csrf()));
  for (const [name, value] of Object.entries(sent.fields ?? {})) form.set(name, value);
  for (const [name, text] of Object.entries(files)) form.append('files', new File([text], name, { type: 'text/csv' }));
  return browser.upload('/account/imports', form, { headers: sent.headers ?? {} });
}

const open = async (browser: Person, path: string): Promise<string> => flat(await (await browser.get(path)).text());

/** Uploads what can be read. @returns where it is shown */
async function imported(browser: Person, files: Readonly<Record<string, string>>, sent: Sent = {}): Promise<string> {
  const answer = await upload(browser, files, sent);
  expect(answer.status).toBe(303);
  const { pathname, search } = locationOf(answer);
  return `${pathname}${search}`;
}

/** Why an upload was refused, as the page says it. */
async function refused(answer: Response): Promise<string> {
  expect(answer.status).toBe(422);
  const page = flat(await answer.text());
  expect(page).toContain('Nothing was imported.');
  return page;
}

const stored = async (): Promise<number> => (await env.REPORTS.list({ prefix: 'imports/' })).objects.length;

describe('first-party data of an account', () => {
  test('is read, shown to its owner alone, listed, saved as CSV and deleted', async () => {
    const browser = await signedIn();
    expect(await open(browser, '/account/imports')).toContain('Nothing is imported.');
    const path = await imported(browser, { 'pages.csv': PAGES });
    const page = await open(browser, path);
    for (const text of ['Bing Webmaster Tools, AI Performance', 'https://acme.example/pricing', 'It does not see'])
      expect(page).toContain(text);
    expect(await open(browser, '/account/imports')).toContain(path);
    expect(await open(browser, '/account')).toContain(path);
    const csv = await (await browser.get(path.replace('imports?', 'imports.csv?'))).text();
    expect(csv.split('\r\n')).toHaveLength(PATHS.length + 2);
    const { wallet } = await import('./person.ts');
    const other = await signedIn(wallet);
    expect((await other.get(path)).status).toBe(404);
    expect((await person().get(path)).status).toBe(303);
    const id = new URLSearchParams(path.split('?')[1]).get('id') ?? '';
    await other.form('/account/imports/delete', { csrf: await other.csrf(), id });
    expect((await browser.get(path)).status).toBe(200);
    const answer = await browser.form('/account/imports/delete', { csrf: await browser.csrf(), id });
    expect(locationOf(answer).searchParams.get('done')).toBe('import_deleted');
    expect((await browser.get(path)).status).toBe(404);
  });

  test('is set beside a measurement that the account bought, by page', async () => {
    const cited = PATHS.slice(0, 6).map((path) => `https://acme.example/${path}?utm_source=engine`);
    let asked = 0;
    engine.answer = () => {
      asked += 1;
      return { ...saying('Acme is a fine choice.'), citations: cited.slice(0, (asked % 6) + 1) };
    };
    const { report_id: reportId } = (await (await buy()).json()) as { report_id: string };
    const browser = await signedIn();
    expect(await open(browser, '/account/imports')).toContain(`<option value="${reportId}">`);
    const path = await imported(browser, { 'pages.csv': PAGES }, { fields: { report_id: reportId } });
    const page = await open(browser, path);
    for (const text of [
      'Beside your own measurement of',
      'rank correlation',
      'Pages that only the vendor sees',
      '95 %',
    ])
      expect(page).toContain(text);
  });

  test.each(['0'.repeat(32), 'x', '../../reports'])('%j is no measurement of the account', async (reportId) => {
    const browser = await signedIn();
    const answer = await upload(browser, { 'pages.csv': PAGES }, { fields: { report_id: reportId } });
    expect(await refused(answer)).toContain('not a measurement of this account');
    expect(await stored()).toBe(0);
  });

  test('what is no address of a site is refused', async () => {
    const answer = await upload(await signedIn(), { 'pages.csv': PAGES }, { fields: { site: 'not a site' } });
    expect(await refused(answer)).toContain('The site is not an address.');
    expect(await stored()).toBe(0);
  });

  test('a measurement whose answers are too long to be read is refused, not compared without them', async () => {
    const { report_id: reportId } = (await (await buy()).json()) as { report_id: string };
    const long = new Response(' '.repeat(8 * 1_024 * 1_024 + 1)).body;
    if (long === null) throw new Error('no body');
    const zipped = await new Response(long.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
    await env.REPORTS.put(`snapshots/${reportId}.json.gz`, zipped);
    const answer = await upload(await signedIn(), { 'pages.csv': PAGES }, { fields: { report_id: reportId } });
    expect(await refused(answer)).toContain('too long to be compared here');
    expect(await stored()).toBe(0);
  });

  test('a report that someone else bought is none of the account either', async () => {
    const { report_id: reportId } = (await (await buy()).json()) as { report_id: string };
    const { wallet } = await import('./person.ts');
    const other = await signedIn(wallet);
    await refused(await upload(other, { 'pages.csv': PAGES }, { fields: { report_id: reportId } }));
  });

  test('nothing is kept of several files when one of them cannot be read', async () => {
    const browser = await signedIn();
    const page = await refused(await upload(browser, { 'pages.csv': PAGES, '<b>bad.csv': '<html>sign in' }));
    expect(page).toContain('&lt;b&gt;bad.csv cannot be read.');
    await refused(await upload(browser, {}));
    const rows = Array.from({ length: MAX_UPLOAD_ROWS + 1 }, (_, at) => `https://a.example/${at},1`).join('\n');
    await refused(await upload(browser, { 'rows.csv': `Page,Citations\n${rows}` }));
    expect(await stored()).toBe(0);
  });

  test('a German page has German words, and marks what stays English', async () => {
    const browser = await signedIn();
    browser.cookies.set('sightline-language', 'de');
    const headers = { 'accept-language': 'de' };
    const form = flat(await (await browser.get('/account/imports', { headers })).text());
    expect(form).toContain('Daten der Anbieter');
    const answer = await upload(browser, { 'bad.csv': 'Keyword\na\n' }, { headers });
    const refusal = flat(await answer.text());
    expect(refusal).toContain('bad.csv lässt sich nicht lesen. Die Spalten passen zu keinem der Formate');
    expect(refusal).toContain('Es wurde nichts übernommen.');
    expect(refusal).toContain('<ul lang="en"><li>The file fits none of the formats that are read.</li>');
    const path = await imported(browser, { 'pages.csv': 'Page,Citations,Depth\n' }, { headers });
    const page = flat(await (await browser.get(path, { headers })).text());
    expect(page).toContain('pages.csv hat eine Kopfzeile und keine weiteren Zeilen.');
    expect(page).toContain('Nicht gelesen: Seiten: Depth.');
    expect(page).not.toContain('has a header');
  });

  test('hostile cells are text', async () => {
    const browser = await signedIn();
    const hostile = 'Grounding Query,Citations\n"<img src=x onerror=alert(1)>",3\n"=cmd|\' /C calc\'!A0",2\n';
    const path = await imported(browser, { 'queries.csv': hostile });
    const page = await open(browser, path);
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toContain('<img src=x');
    const csv = await (await browser.get(path.replace('imports?', 'imports.csv?'))).text();
    expect(csv).toContain(",'=cmd|");
  });

  test('N1: a form without the token, of another site or without a sign-in is not taken', async () => {
    const browser = await signedIn();
    expect((await upload(browser, { 'pages.csv': PAGES }, { csrf: 'x' })).status).toBe(403);
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await upload(browser, { 'pages.csv': PAGES }, { headers: foreign })).status).toBe(403);
    expect((await upload(person(), { 'pages.csv': PAGES })).status).toBe(303);
    expect((await browser.form('/account/imports', { csrf: await browser.csrf() })).status).toBe(415);
    expect(await stored()).toBe(0);
  });

  test('a form that is too large is refused', async () => {
    const browser = await signedIn();
    expect((await upload(browser, { 'large.csv': 'x'.repeat(MAX_UPLOAD_BYTES) })).status).toBe(413);
  });

  test('an account has so many, and each for 30 days', async () => {
    const browser = await signedIn();
    let path = '';
    for (let count = 0; count < MAX_KEPT_IMPORTS; count += 1) path = await imported(browser, { 'pages.csv': PAGES });
    expect(await refused(await upload(browser, { 'pages.csv': PAGES }))).toContain('Delete one below first.');
    expect((await browser.get(path)).status).toBe(200);
    const id = new URLSearchParams(path.split('?')[1]).get('id') ?? '';
    const [{ key = '' } = {}] = (await env.REPORTS.list({ prefix: 'imports/' })).objects;
    expect(key).not.toContain(account.address.toLowerCase());
    const at = Date.now();
    const store = (days: number) => createImportStore(env.REPORTS, () => at + days * DAY_MS);
    const owner = 'a person';
    const own = await store(0).put(owner, '{}', { sources: ['bing-ai-performance'] });
    expect(own).not.toBe(id);
    expect(await store(29).get(owner, own)).toBe('{}');
    expect(await store(29).list(owner)).toMatchObject([{ id: own, sources: ['bing-ai-performance'] }]);
    expect(await store(31).get(owner, own)).toBeUndefined();
    expect(await store(31).list(owner)).toEqual([]);
  });

  test('deleting the account deletes it', async () => {
    const browser = await signedIn();
    await imported(browser, { 'pages.csv': PAGES });
    expect(await stored()).toBe(1);
    const answer = await browser.form('/account/delete', { csrf: await browser.csrf(), confirm: 'delete' });
    expect(answer.status).toBe(200);
    expect(await stored()).toBe(0);
  });
});
