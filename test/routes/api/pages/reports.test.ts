import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { reportStore } from '../../../../src/sales/reports/report-store.ts';
import { get, PAYER, post, problemOf, signedCredential, world } from '../world.ts';

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const DAY_MS = 86_400_000;
const UNKNOWN = '0'.repeat(32);

type Sold = { report_id: string; payment: { transaction: string } };

async function buy(capability = 'check_health'): Promise<Sold> {
  const answer = await post({ capability, credential: await signedCredential(capability) });
  expect(answer.status).toBe(200);
  return await answer.json();
}

/** Puts a result under a new id as if it had been stored and paid long ago: no ledger knows it any more. */
async function stored(json: object, ageMs: number, id = 'ab'.repeat(16)): Promise<string> {
  const about = { paymentKey: 'x402:none', shard: '00', capability: 'check_health' };
  await reportStore(env.REPORTS, Date.now).put(id, JSON.stringify(json), about);
  vi.spyOn(Date, 'now').mockReturnValue(new Date().getTime() + ageMs);
  return id;
}

const typeOf = (answer: Response): string => answer.headers.get('content-type')?.split(';')[0] ?? '';

describe('GET /reports/{id}', () => {
  test.each([
    ['a browser', BROWSER, 'text/html'],
    ['curl', '*/*', 'application/json'],
    ['a program', 'application/json', 'application/json'],
    ['an agent that reads', 'text/markdown, text/html;q=0.5', 'text/markdown'],
    ['code scanning', 'application/sarif+json', 'application/sarif+json'],
    ['whoever likes JSON less', 'application/json;q=0.2, text/html', 'text/html'],
  ])('X6: gives %s the form it likes best, and says that it depends on Accept', async (_who, accept, type) => {
    const { report_id: id } = await buy();
    const answer = await get(`/reports/${id}`, { accept });
    expect({ status: answer.status, type: typeOf(answer) }).toEqual({ status: 200, type });
    expect(answer.headers.get('vary')).toBe(
      {
        'application/json': 'Accept, Prefer, Accept-Encoding',
        'text/html': 'Accept, Accept-Language, Cookie, Accept-Encoding',
      }[type] ?? 'Accept, Accept-Encoding',
    );
  });

  test('says what there is to who takes nothing of it', async () => {
    const { report_id: id } = await buy();
    const answer = await get(`/reports/${id}`, { accept: 'image/png' });
    expect(answer.status).toBe(406);
    expect(await answer.json()).toMatchObject({
      code: 'not_acceptable',
      detail: 'It can be read as JSON (.json), HTML (.html), Markdown (.md), SARIF (.sarif)',
    });
  });

  test.each([
    ['.json', 'application/json'],
    ['.html', 'text/html'],
    ['.md', 'text/markdown'],
    ['.sarif', 'application/sarif+json'],
  ])('X5: as %s, whatever Accept says, is for whoever knows its address', async (ending, type) => {
    const { report_id: id } = await buy();
    const answer = await get(`/reports/${id}${ending}`, { accept: 'image/png' });
    expect({ status: answer.status, type: typeOf(answer) }).toEqual({ status: 200, type });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': type === 'text/html' ? 'private, no-cache' : 'private, max-age=300',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    });
    if (type === 'text/html') expect(await answer.text()).toContain('<meta name="robots" content="noindex"/>');
  });

  test('X6: the page runs and loads nothing but files of ours', async () => {
    const { report_id: id } = await buy();
    const answer = await get(`/reports/${id}.html`);
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(await answer.text()).not.toMatch(/ on[a-z]+=| style=|<style|<script(?! type="module" src="\/web\/)/);
  });

  test('P28: no form says who paid, or how', async () => {
    const { report_id: id, payment } = await buy();
    for (const ending of ['.json', '.html', '.md', '.sarif']) {
      const text = (await (await get(`/reports/${id}${ending}`)).text()).toLowerCase();
      expect(text.length).toBeGreaterThan(500);
      for (const secret of [PAYER, payment.transaction, 'publish_token":']) expect(text).not.toContain(secret);
    }
  });

  test('its files are one ZIP file to be saved, the same each time; a report without files says what it can be read as', async () => {
    const { report_id: id } = await buy('generate_skill');
    const answer = await get(`/reports/${id}.zip`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="sightline-${id}.zip"`,
      'cache-control': 'private, max-age=300',
      'x-robots-tag': 'noindex, nofollow',
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes.slice(0, 4)).toEqual(new Uint8Array([0x50, 0x4b, 0x03, 0x04]));
    const again = await get(`/reports/${id}`, { accept: 'application/zip' });
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(bytes);
    expect(await (await get(`/reports/${id}.html`)).text()).toContain(`href="/reports/${id}.zip"`);
    const { report_id: other } = await buy('check_schema');
    expect(await problemOf(await get(`/reports/${other}.zip`))).toEqual({ status: 406, code: 'not_acceptable' });
    expect(await (await get(`/reports/${other}.html`)).text()).not.toContain('.zip');
  });

  test('as a PDF it needs a browser, and says what to do where there is none', async () => {
    const { report_id: id } = await buy();
    const answer = await get(`/reports/${id}.pdf`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(await answer.json()).toMatchObject({
      code: 'pdf_unavailable',
      detail: expect.stringMatching(/print it to a PDF.*sightline replay FILE --format pdf/s) as string,
    });
    expect(await problemOf(await get(`/reports/${UNKNOWN}.pdf`))).toEqual({ status: 404, code: 'report_not_found' });
    expect(await (await get(`/reports/${id}.html`)).text()).not.toContain(`/reports/${id}.pdf`);
  });

  test('is printed in short, and whole where `print=full` asks for it', async () => {
    const { report_id: id } = await buy();
    expect(await (await get(`/reports/${id}.html`)).text()).toContain('<article class="report">');
    for (const path of [`/reports/${id}.html?print=full`, `/reports/${id}?print=full`])
      expect(await (await get(path, { accept: BROWSER })).text()).toContain('<article class="report whole">');
  });

  test('an unknown id is a page for people and a problem for programs', async () => {
    const page = await get(`/reports/${UNKNOWN}`, { accept: BROWSER });
    expect({ status: page.status, type: typeOf(page), vary: page.headers.get('vary') }).toEqual({
      status: 404,
      type: 'text/html',
      vary: 'Accept',
    });
    expect(await page.text()).toContain('There is no report at this address');
    expect(await problemOf(await get(`/reports/${UNKNOWN}`))).toEqual({ status: 404, code: 'report_not_found' });
    expect(typeOf(await get(`/reports/${UNKNOWN}.html`))).toBe('text/html');
    for (const ending of ['json', 'pdf', 'docx'])
      expect(typeOf(await get(`/reports/${UNKNOWN}.${ending}`, { accept: BROWSER }))).toBe('text/html');
  });

  test.each(['nope', `${UNKNOWN}.png`, `${UNKNOWN}0`, UNKNOWN.toUpperCase().replace('0', 'A'), '%3Cscript%3E'])(
    '%j is no report',
    async (path) => {
      expect(await problemOf(await get(`/reports/${path}`))).toEqual({ status: 404, code: 'report_not_found' });
    },
  );

  test('one that is not settled is unknown in every form', async () => {
    const seen = world();
    seen.settle = () => new Response('busy', { status: 503 });
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
      (array as Uint8Array).fill(9);
      return array;
    });
    expect((await problemOf(await post({ credential: await signedCredential() }))).code).toBe('settlement_unknown');
    const id = '09'.repeat(16);
    expect(await reportStore(env.REPORTS, Date.now).find(id)).toBeDefined();
    for (const ending of ['', '.json', '.html', '.md', '.sarif'])
      expect((await get(`/reports/${id}${ending}`)).status).toBe(404);
  });
});

describe('a report that is too old', () => {
  const old = { capability: 'check_health', url: 'https://shop.example/', report_id: 'x', warnings: [] };

  test('says so while the bucket has it still', async () => {
    const id = await stored(old, 30 * DAY_MS + 60_000);
    expect(await problemOf(await get(`/reports/${id}.json`))).toEqual({ status: 410, code: 'report_expired' });
    const page = await get(`/reports/${id}`, { accept: BROWSER });
    expect(page.status).toBe(410);
    expect(await page.text()).toContain('This report has expired');
  });

  test('can be read until then', async () => {
    const id = await stored(old, 30 * DAY_MS - 60_000);
    expect((await get(`/reports/${id}.json`)).status).toBe(200);
  });

  test('and is unknown once the bucket has deleted it', async () => {
    const id = await stored(old, 30 * DAY_MS + 60_000);
    await reportStore(env.REPORTS, Date.now).delete(id);
    expect(await problemOf(await get(`/reports/${id}.json`))).toEqual({ status: 404, code: 'report_not_found' });
  });

  test('one of a shape that is not written any more can be had as JSON', async () => {
    const id = await stored(old, 2 * DAY_MS);
    expect((await get(`/reports/${id}.json`)).status).toBe(200);
    const answer = await get(`/reports/${id}.md`);
    expect(answer.status).toBe(406);
    expect(await answer.json()).toMatchObject({ detail: 'It can be read as JSON (.json)' });
  });
});
