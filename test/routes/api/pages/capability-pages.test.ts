import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { exampleBodies } from '../../../../src/capabilities/bodies.ts';
import { catalog } from '../../../../src/capabilities/catalog.ts';
import { formatCapabilityLink, formatCapabilityPath } from '../../../../src/web/capability/address.ts';
import { listOrderFields, listLeaves } from '../../../../src/web/capability/fields.ts';
import { get, type World, world } from '../world.ts';
import { env, exports } from 'cloudflare:workers';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Rows with a page of their own; the audit has the live audit. */
const rows = catalog.filter(({ name }) => name !== 'full_audit');
const query = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const ACME = { brand: 'Acme', niche: 'CRM for dentists' };

/** Requests by many callers: the free limit is not what is tested here. */
let caller = 0;
async function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; html: string }> {
  caller = (caller + 1) % 250;
  const answer = await get(path, { 'cf-connecting-ip': `198.51.102.${caller}`, ...headers });
  return { status: answer.status, html: await answer.text() };
}

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(
    new Request(`${env.BASE_URL}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: query(fields),
    }),
  );

describe.each(rows)('the page of $name', (row) => {
  const path = formatCapabilityPath(row.name);

  test('F3: no page elsewhere may read it', async () => {
    const { status, headers } = await get(path, { origin: 'https://evil.example' });
    expect(status).toBe(200);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const preflight = await exports.default.fetch(
      new Request(`${env.BASE_URL}${path}`, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } }),
    );
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('may be found as it is, and not with anything filled in', async () => {
    const bare = await ask(path);
    expect(bare.html).toContain(`<link rel="canonical" href="${env.BASE_URL}${path}"`);
    expect(bare.html).not.toContain('noindex');
    const filled = await ask(formatCapabilityLink(row.name, exampleBodies[row.name]));
    expect(filled.status).toBe(200);
    expect(filled.html).toContain('<meta name="robots" content="noindex"/>');
  });

  test('F6: shows what is wrong with 422 or what is good with 200, and asks no one', async () => {
    const empty = Object.fromEntries(listLeaves(listOrderFields(row)).map(({ name }) => [name, '']));
    const wrong = await ask(`${path}?${query(empty)}`);
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('aria-invalid="true"');
    expect((await ask(formatCapabilityLink(row.name, exampleBodies[row.name]))).status).toBe(200);
    expect(seen.calls).toEqual({ verify: [], settle: [], rpc: [], site: [] });
  });

  test('answers hostile text in every field with a page', async () => {
    const leaves = listLeaves(listOrderFields(row));
    for (const text of [
      '"><script>alert(1)</script>',
      '\u202Eabc مرحبا',
      '👩‍👩‍👧 🏳️‍🌈',
      `https://example.com/${'a'.repeat(2_028)}`,
      '\u0000\u001b[31m',
      '%',
    ]) {
      const fields = Object.fromEntries(leaves.map(({ name }) => [name, text]));
      // Fields of several rows of text together are longer than an address may be: such a form is posted.
      const answer = await post(path, fields, { 'cf-connecting-ip': `198.51.103.${(caller = (caller + 1) % 250)}` });
      expect([200, 422]).toContain(answer.status);
      expect(await answer.text()).not.toContain('<script>alert');
    }
  });
});

describe('the pages of measurements', () => {
  test('show the questions about the market, without the brand, when the fields are good', async () => {
    const { status, html } = await ask(`/visibility?${query(ACME)}`);
    expect(status).toBe(200);
    expect(html).toContain('The 30 questions');
    const [, questions = ''] = html.split('questions-title">');
    expect(questions.split('</ol>')[0]).not.toContain('Acme');
  });

  test.each([
    ['/visibility', { brand: '', niche: 'CRM' }, 'Fill in “Your brand”'],
    ['/visibility', { brand: 'Acme', niche: 'Acme CRM' }, 'names a measured brand'],
    ['/visibility/compare', { ...ACME, competitor_brand: 'ACME' }, 'is the same brand as'],
    ['/visibility/compare', { ...ACME, competitor_brand: '' }, 'Fill in “Brand to compare with”'],
  ])('%s with %j says what is wrong, and shows no questions', async (path, fields, fault) => {
    const { status, html } = await ask(`${path}?${query(fields)}`);
    expect(status).toBe(422);
    expect(html).toContain(fault);
    expect(html).not.toContain('id="questions-title"');
  });

  test.each(['/visibility', '/visibility/compare', '/visibility/panel-2', '/visibility/panel-4'])(
    '%s shows the questions of the chosen set, in its language',
    async (path) => {
      const fields = {
        ...ACME,
        competitor_brand: 'Beta',
        niche: 'Zahnarzt in Köln',
        language: 'de',
        kind: 'service',
        local: 'true',
      };
      const { status, html } = await ask(`${path}?${query(fields)}`);
      expect(status).toBe(200);
      expect(html).toContain('<ol lang="de">');
      expect(html).toContain('Zahnarzt in Köln');
    },
  );

  test('show own questions as they will be asked, without a script', async () => {
    const own = Array.from({ length: 6 }, (_each, at) => `Which help desk has ${at + 10} agents or more?`);
    const answer = await post('/visibility', { ...ACME, prompts: own.join('\r\n') });
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toContain('The 6 questions');
    for (const text of own) expect(html).toContain(`<li>${text}</li>`);
  });

  test('of a panel say so where too few engines are configured, and still show the questions', async () => {
    const { html } = await ask(`/visibility/panel-4?${query(ACME)}`);
    expect(html).toContain('it asks 4 assistants');
    expect(html).not.toContain('data-buy="panel"');
    expect(html).toContain('The 30 questions');
  });

  test('lead to panels with what was filled in', async () => {
    const { html } = await ask(`/visibility?${query(ACME)}`);
    expect(html).toContain(`href="/visibility/panel-4?${query(ACME).replaceAll('&', '&amp;')}"`);
  });

  test('lead from a measurement to a comparison with what was filled in', async () => {
    const { html } = await ask(`/visibility?${query(ACME)}`);
    expect(html).toContain(`href="/visibility/compare?${query(ACME).replaceAll('&', '&amp;')}"`);
    expect((await ask('/visibility')).html).toContain('href="/visibility/compare"');
    const led = await ask(`/visibility/compare?${query(ACME)}`);
    expect(led.status).toBe(200);
    expect(led.html).toContain('value="Acme"');
    expect(led.html).not.toContain('data-faults');
  });

  test('have moved for good, with what was filled in', async () => {
    for (const [from, to] of [
      ['/measure', '/visibility'],
      ['/measure/compare', '/visibility/compare'],
    ]) {
      const moved = new Request(`${env.BASE_URL}${from}?${query(ACME)}`, { redirect: 'manual' });
      const answer = await exports.default.fetch(moved);
      expect([answer.status, answer.headers.get('location')]).toEqual([308, `${to}?${query(ACME)}`]);
    }
  });
});

describe('a form that is judged for the script of its page', () => {
  const JSON_ONLY = { accept: 'application/json' };

  test('is good without a word, or names its fields', async () => {
    const good = await post('/compare', { url: 'example.com', competitor: 'example.org' }, JSON_ONLY);
    expect([good.status, await good.text()]).toEqual([204, '']);
    const wrong = await post('/visibility/fix', { ...ACME, 'weak_spots.1.evidence': 'x' }, JSON_ONLY);
    expect(wrong.status).toBe(422);
    expect(wrong.headers.get('access-control-allow-origin')).toBeNull();
    const { code, errors } = z
      .object({ code: z.string(), errors: z.array(z.object({ pointer: z.string(), message: z.string() })) })
      .parse(await wrong.json());
    expect(code).toBe('invalid_body');
    expect(errors).toEqual([{ pointer: '/weak_spots/1/topic', message: 'Fill in “Topic”.' }]);
  });

  test('is judged in the language of the page', async () => {
    const wrong = await post('/check/health', { url: '' }, { ...JSON_ONLY, 'accept-language': 'de' });
    expect(await wrong.text()).toContain('Füllen Sie „Adresse der Website“ aus.');
  });

  test('is refused where it is no form, or too long for one', async () => {
    const other = await post('/fix', {}, { ...JSON_ONLY, 'content-type': 'text/plain' });
    expect(other.status).toBe(415);
    const long = await post('/fix', { url: 'a'.repeat(131_072) }, JSON_ONLY);
    expect(long.status).toBe(413);
  });
});

test('a page is in the language that the browser prefers', async () => {
  const { html } = await ask('/fix', { 'accept-language': 'de-AT,de;q=0.9' });
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('<h1>Alle Korrekturen für eine Website</h1>');
});
