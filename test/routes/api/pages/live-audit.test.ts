import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { checks } from '../../../../src/audit/core/catalogue.ts';
import { MAX_FIRST_STEPS } from '../../../../src/audit/core/preview.ts';
import { TARGET_LIMITS } from '../../../../src/rate-limits/target-gate.ts';
import type { ShownPreview } from '../../../../src/web/audit/page-state.ts';
import { checkTitles } from '../../../../src/web/language/check-titles.ts';
import { gateOf } from '../gates.ts';
import { PREVIEW_QUOTA } from '../../../../routes/api/pages/preview.ts';
import { askPreview, eventsIn, fromOurPage, type Told } from './preview-world.ts';
import { get, problemOf, type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const SITE = 'https://shop.example/';

/** The result that ends a stream, as the page shows it. */
const shownIn = (told: readonly Told[]): ShownPreview => {
  expect(told.at(-1)?.event).toBe('result');
  return told.at(-1)?.data as ShownPreview;
};

describe('GET /audit', () => {
  test.each(['/audit', `/audit?url=${encodeURIComponent(SITE)}`, '/audit?url=https://a.example/&run=1&autostart=true'])(
    'F6: %s shows the form and reads nothing of any site',
    async (path) => {
      const answer = await get(path, { 'sec-fetch-site': 'same-origin' });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('<form id="audit-form"');
      expect(seen.calls.site).toEqual([]);
    },
  );

  test('fills in the kind of site that a report was made for, where there is such a kind', async () => {
    const [docs, none] = await Promise.all(
      ['docs', '%22%3E'].map(async (kind) => (await get(`/audit?url=https://a.example/&profile=${kind}`)).text()),
    );
    expect(docs).toMatch(/<details open[^>]*><summary>Options/);
    expect(docs).toContain('<option value="docs" selected');
    expect(none).toMatch(/<details><summary>Options/);
  });

  test('an address stands in the field, and such a page is not for search engines', async () => {
    const [plain, filled] = await Promise.all([get('/audit'), get('/audit?url=https://a.example/?x=%22%3E%3Cb%3E')]);
    expect(await plain.text()).not.toContain('noindex');
    const html = await filled.text();
    expect(html).toContain('value="https://a.example/?x=&quot;&gt;&lt;b&gt;"');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  test('the page loads and asks nothing but our own origin, and no page elsewhere may read it', async () => {
    const { headers } = await get('/audit', { origin: 'https://evil.example' });
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('an address longer than any that could be audited is left out', async () => {
    const html = await (await get(`/audit?url=https://a.example/${'a'.repeat(3000)}`)).text();
    expect(html).not.toContain('aaaaaaaa');
  });
});

describe('who may start a preview', () => {
  test.each([
    ['another site says so', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a sibling origin says so', { 'sec-fetch-site': 'same-site' }],
    ['nobody says from where', {}],
    ['only the origin says so', { origin: env.BASE_URL }],
    ['an address bar says so', { 'sec-fetch-site': 'none' }],
    ['a page elsewhere claims to be ours', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
  ])('F6: nothing starts when %s', async (_name, headers: Record<string, string>) => {
    for (const [path, type] of [
      ['/audit/stream', 'application/json'],
      ['/audit', 'application/x-www-form-urlencoded'],
    ] as const) {
      const answer = await askPreview(SITE, { path, headers: { 'content-type': type, ...headers } });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(seen.calls.site).toEqual([]);
  });

  test('F6: no page elsewhere gets leave to ask by a preflight', async () => {
    const preflight = new Request(`${env.BASE_URL}/audit/stream`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    const { headers } = await exports.default.fetch(preflight);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(['/audit/stream', '/audit'])(
    'F7: an audit of ours that asks %s for an audit is answered 508',
    async (path) => {
      const answer = await askPreview(SITE, { path, headers: fromOurPage({ via: '1.1 sightline' }) });
      expect(answer.status).toBe(508);
      expect(seen.calls.site).toEqual([]);
    },
  );
});

describe('a preview', () => {
  test('tells of every request and every check, then of the scores, and ends with the result', async () => {
    const answer = await askPreview(SITE);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const told = await eventsIn(answer);
    const order = told.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1]);
    expect(order).toEqual(['start', 'fetch', 'check', 'scores', 'result']);
    expect(told[0]?.data).toEqual({
      url: SITE,
      limits: { requests: 60, seconds: 45, checks: checks.length },
      reused: false,
    });
    const ids = told.flatMap(({ event, data }) => (event === 'check' ? [data['id']] : []));
    expect(ids).toEqual(checks.map(({ id }) => id));
    const done = told.flatMap(({ event, data }) => (event === 'fetch' ? [Number(data['done'])] : []));
    expect(done.length).toBeGreaterThan(10);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBeLessThanOrEqual(60);
    const { summary, details, spoken } = shownIn(told);
    expect(summary.match(/<figure class="gauge/g)).toHaveLength(3);
    expect(details.match(/ data-check=/g)).toHaveLength(checks.length);
    expect(spoken).toMatch(/^Done\. AI search visibility \(AEO\) \d+ of 100, .* of 100$/);
  });

  test('what a check that is not open came to stands in no event, by no name and no order', async () => {
    const text = await (await askPreview(SITE)).text();
    const told = await eventsIn(new Response(text));
    const locked = told.filter(({ event, data }) => event === 'check' && data['open'] === false);
    expect(locked.length).toBe(checks.filter(({ capabilities = [] }) => capabilities.length === 0).length);
    for (const { data } of locked)
      expect(Object.keys(data).toSorted()).toEqual(['id', 'open', 'scores', 'title', 'weight']);
    const { summary, details } = shownIn(told);
    expect(summary.match(/<ol class="first-steps">.*<\/ol>/s)?.[0].match(/<li>/g)?.length).toBeLessThanOrEqual(
      MAX_FIRST_STEPS,
    );
    // Such a check is named in its own event, and by a row like that of all others: no gate, no fix and no link names it but
    // the first steps, which link to their rows.
    const [steps = ''] = /<ol class="first-steps">.*<\/ol>/s.exec(summary) ?? [];
    const count = (html: string, part: string): number => html.split(part).length - 1;
    for (const { data } of locked) {
      const id = String(data['id']);
      expect(count(text, JSON.stringify(id))).toBe(1);
      expect([id, count(details, ` id="check-${id}"`), count(details, `${id}"`)]).toEqual([id, 1, 1]);
      expect([id, count(summary, `${id}"`)]).toEqual([id, count(steps, `href="#check-${id}"`)]);
    }
  });

  test('a site that cannot be read is a problem, not a score', async () => {
    seen.site = () => {
      throw new TypeError('connection refused');
    };
    const told = await eventsIn(await askPreview(SITE));
    expect(told.at(-1)).toMatchObject({ event: 'problem', data: { status: 422, code: 'target_unreachable' } });
    expect(told.some(({ event }) => event === 'scores' || event === 'result')).toBe(false);
    expect((await gateOf('shop.example').enter('next')).admitted).toBe(true);
  });

  test('X6: whatever a site writes, each event is one line of JSON', async () => {
    const hostile = '</script>\r\n\r\nevent: result\ndata: {"preview":1}\n\n\u2028';
    seen.site = () =>
      new Response(`<html><head><title>${hostile}</title></head><body><h1>${hostile}</h1></body></html>`, {
        headers: { 'content-type': 'text/html', 'x-robots-tag': 'noindex, event: result' },
      });
    const told = await eventsIn(await askPreview(SITE));
    expect(told.filter(({ event }) => event === 'result')).toHaveLength(1);
    expect(shownIn(told).summary.match(/<figure class="gauge/g)?.length).toBeGreaterThan(1);
    expect(shownIn(told).details).not.toContain('</script>');
  });
});

describe('limits', () => {
  test('F6: the thirteenth free preview of a host within an hour is refused, whoever asks', async () => {
    for (let run = 0; run < TARGET_LIMITS.unpaidPerHour; run += 1)
      expect((await eventsIn(await askPreview(`${SITE}${run}`))).at(-1)?.event).toBe('result');
    const before = seen.calls.site.length;
    const refused = await askPreview(`${SITE}more`);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(await problemOf(refused)).toEqual({ status: 429, code: 'target_busy' });
    expect(seen.calls.site.length).toBe(before);
    expect((await eventsIn(await askPreview('https://other.example/'))).at(-1)?.event).toBe('result');
  });

  test('F6: a third audit of a host at once is refused, paid ones counted', async () => {
    const gate = gateOf('shop.example');
    await gate.enter('paid one');
    await gate.enter('paid two');
    const refused = await askPreview(SITE);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(seen.calls.site).toEqual([]);
    await gate.leave('paid one');
    expect((await eventsIn(await askPreview(SITE))).at(-1)?.event).toBe('result');
  });

  test('F6: a result younger than ten minutes is told again, without a request and without counting', async () => {
    const first = shownIn(await eventsIn(await askPreview(SITE)));
    const before = seen.calls.site.length;
    for (let again = 0; again < TARGET_LIMITS.unpaidPerHour + 1; again += 1) {
      const told = await eventsIn(await askPreview(SITE));
      expect(told[0]?.data).toMatchObject({ reused: true, made_at: expect.any(String) as string });
      expect(told.at(-1)?.event).toBe('result');
      expect(shownIn(told)).toMatchObject({ details: first.details, spoken: first.spoken });
      expect(shownIn(told).summary).toContain('so this is their result');
      expect(told.map(({ event }) => event)).toEqual(expect.arrayContaining(['fetch', 'check', 'scores']));
    }
    expect(seen.calls.site.length).toBe(before);
  });

  test('F6: another profile of the same site is another preview', async () => {
    await eventsIn(await askPreview(SITE));
    const before = seen.calls.site.length;
    const body = JSON.stringify({ url: SITE, profile: 'docs' });
    const told = await eventsIn(await askPreview(SITE, { body }));
    expect(told[0]?.data).toMatchObject({ reused: false });
    expect(shownIn(told).summary).not.toContain('so this is their result');
    expect(seen.calls.site.length).toBeGreaterThan(before);
  });

  test('F6: a result is not told again after ten minutes', async () => {
    await eventsIn(await askPreview(SITE));
    const before = seen.calls.site.length;
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 600_000);
    const told = await eventsIn(await askPreview(SITE));
    expect(told[0]?.data).toMatchObject({ reused: false });
    expect(seen.calls.site.length).toBeGreaterThan(before);
  });

  test('one caller has a few previews a minute, of whatever hosts', async () => {
    const caller = { 'cf-connecting-ip': '203.0.113.77' };
    const ask = (run: number) => askPreview(`https://host-${run}.example/`, { headers: fromOurPage(caller) });
    const statuses: number[] = [];
    // Twice the limit of ten minutes: a minute may turn over on the way.
    for (let run = 0; run < PREVIEW_QUOTA.perWindow * 2 && !statuses.includes(429); run += 1) {
      const answer = await ask(run);
      statuses.push(answer.status);
      const { headers } = answer;
      const wait = headers.get('retry-after');
      // The minute may turn over on the way, so that what is left is known for the first preview and for a refusal.
      if (run === 0 || answer.status === 429)
        expect(headers.get('ratelimit')).toMatch(
          answer.status === 429 ? new RegExp(`"preview";r=0;t=${wait}$`) : /"preview";r=4;t=\d+$/,
        );
      expect(headers.get('ratelimit-policy')).toBe('"free";q=300;w=60, "preview";q=5;w=60');
      if (answer.status === 200) await answer.text();
      else expect(Number(wait)).toBeGreaterThan(0);
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(PREVIEW_QUOTA.perMinute);
    expect(statuses.at(-1)).toBe(429);
    expect((await eventsIn(await askPreview('https://host-0.example/'))).at(-1)?.event).toBe('result');
  });

  test('a reader that goes away ends the requests and gives its place back', async () => {
    let open = 0;
    const aborted = Promise.withResolvers<void>();
    vi.mocked(fetch).mockImplementation(
      (_input, init) =>
        new Promise((_resolve, reject) => {
          open += 1;
          init?.signal?.addEventListener('abort', () => {
            aborted.resolve();
            reject(new DOMException('aborted', 'AbortError'));
          });
        }),
    );
    // In this isolate, so that the reader of the answer is the one who leaves; over HTTP: test/e2e/pages/live-audit.test.ts.
    const app = createApp({
      policy: () => allowPublicOnly({ alternatePorts: true }),
      local: false,
      engines: { isLocal: false, factories: {} },
    });
    const context = createExecutionContext();
    const request = new Request(`${env.BASE_URL}/audit/stream`, {
      method: 'POST',
      headers: fromOurPage(),
      body: JSON.stringify({ url: SITE }),
    });
    const answer = await app.fetch(request, env, context);
    const reader = answer.body?.getReader();
    await reader?.read();
    await vi.waitFor(() => expect(open).toBe(1));
    const gate = gateOf('shop.example');
    expect((await gate.enter('beside')).admitted).toBe(true);
    expect((await gate.enter('third')).admitted).toBe(false);
    await reader?.cancel();
    await aborted.promise;
    await vi.waitFor(async () => expect((await gate.enter('third')).admitted).toBe(true));
    await waitOnExecutionContext(context);
    expect(open).toBe(1);
  });
});

describe('bad input', () => {
  const json = (body: string, type = 'application/json') =>
    askPreview(SITE, { body, headers: fromOurPage({ 'content-type': type }) });

  test.each([
    ['no JSON', '{', 400, 'invalid_json'],
    ['no object', '"https://a.example/"', 422, 'invalid_body'],
    ['null', 'null', 422, 'invalid_body'],
    ['no url', '{}', 422, 'invalid_body'],
    ['a url that is no text', '{"url":["https://a.example/"]}', 422, 'invalid_body'],
    ['a scheme of scripts', '{"url":"javascript:alert(1)"}', 422, 'invalid_body'],
    ['a file', '{"url":"file:///etc/passwd"}', 422, 'invalid_body'],
    ['credentials', '{"url":"https://a:b@a.example/"}', 422, 'invalid_body'],
    ['an unknown profile', '{"url":"https://a.example/","profile":"__proto__"}', 422, 'invalid_body'],
    ['a field more', '{"url":"https://a.example/","max_pages":25}', 422, 'invalid_body'],
    ['a long url', JSON.stringify({ url: `https://a.example/${'a'.repeat(2048)}` }), 422, 'invalid_body'],
    ['loopback', '{"url":"http://127.0.0.1/"}', 422, 'target_refused'],
    ['metadata', '{"url":"http://169.254.169.254/latest/"}', 422, 'target_refused'],
    ['a private name', '{"url":"http://router.local/"}', 422, 'target_refused'],
    ['loopback in decimal', '{"url":"http://2130706433/"}', 422, 'target_refused'],
  ])('%s is refused, and nothing is fetched', async (_name, body, status, code) => {
    expect(await problemOf(await json(body))).toEqual({ status, code });
    expect(seen.calls.site).toEqual([]);
  });

  test('a body of another type, and one that is too large', async () => {
    expect((await json('url=https://a.example/', 'text/plain')).status).toBe(415);
    expect((await json(JSON.stringify({ url: SITE, profile: 'x'.repeat(20_000) }))).status).toBe(413);
    expect(seen.calls.site).toEqual([]);
  });

  test('no log names the address that was asked for', async () => {
    await (await askPreview('https://shop.example/secret-path?token=abc')).text();
    expect(seen.logs.join('\n')).not.toMatch(/secret-path|token=abc/);
  });
});

/** Sends the form as a browser does. */
const submit = (fields: readonly (readonly [string, string])[], headers: Record<string, string> = {}) =>
  askPreview('', {
    path: '/audit',
    headers: fromOurPage({ 'content-type': 'application/x-www-form-urlencoded', origin: 'null', ...headers }),
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
  });

describe('where scripts run', () => {
  const starting = (html: string): boolean => /<div id="audit-page" data-state="running" data-start="now">/.test(html);

  test('F6: a form of our own page is answered at once with a page that begins by itself, and nothing is read yet', async () => {
    const answer = await submit([
      ['url', 'shop.example'],
      ['live', 'yes'],
    ]);
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(starting(html)).toBe(true);
    expect(html).toContain('value="shop.example"');
    expect(seen.calls.site).toEqual([]);
  });

  test('F6: no page elsewhere gets such a page, and no address by itself makes one', async () => {
    const fields = [
      ['url', SITE],
      ['live', 'yes'],
    ] as const;
    const others = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of others) {
      const refused = await submit(fields, headers);
      expect([refused.status, starting(await refused.text())]).toEqual([403, false]);
    }
    const opened = await get(`/audit?url=${encodeURIComponent(SITE)}&live=yes`, { 'sec-fetch-site': 'same-origin' });
    expect(starting(await opened.text())).toBe(false);
  });

  test.each([
    ['javascript:alert(1)', 'This is not an address that can be audited'],
    ['http://127.0.0.1/', 'This address is not read'],
  ])('%s begins nothing: the page says what to do', async (url, said) => {
    const answer = await submit([
      ['url', url],
      ['live', 'yes'],
    ]);
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(starting(html)).toBe(false);
    expect(html).toContain(said);
  });

  test('checks, the result and what is said aloud are in the language of the page', async () => {
    const headers = fromOurPage({ 'accept-language': 'de' });
    const told = await eventsIn(await askPreview(SITE, { headers }));
    const [first] = told.flatMap(({ event, data }) => (event === 'check' ? [data] : []));
    const [holds, task] = checkTitles.de[String(first?.['id'])] ?? [];
    expect([holds, task]).toContain(first?.['title']);
    const { summary, details, spoken } = shownIn(told);
    expect(summary).toContain('Ergebnis für');
    expect(details).toContain(`von ${checks.length} Prüfungen`);
    expect(spoken).toMatch(/^Fertig\. .* von 100/);
  });

  test('the words of a failure are in the language of the page', async () => {
    seen.site = () => {
      throw new TypeError('connection refused');
    };
    const headers = fromOurPage({ 'accept-language': 'de' });
    const told = await eventsIn(await askPreview(SITE, { headers }));
    expect(told.at(-1)?.data).toMatchObject({
      code: 'target_unreachable',
      said: { happened: 'Die Website konnte nicht gelesen werden', ways: { retry: true, edit: true } },
    });
    const refused = await askPreview(SITE, {
      headers: fromOurPage({ 'accept-language': 'de' }),
      body: '{"url":"http://127.0.0.1/"}',
    });
    expect(await refused.json()).toMatchObject({ said: { happened: 'Diese Adresse wird nicht gelesen' } });
  });
});

describe('without scripts', () => {
  test('the form answers with the same preview as a page', async () => {
    const answer = await submit([
      ['live', 'no'],
      ['live', 'yes'],
      ['url', 'shop.example'],
      ['profile', ''],
    ]);
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html.match(/<figure class="gauge/g)).toHaveLength(3);
    expect(html.match(/ data-check=/g)).toHaveLength(checks.length);
    expect(html).toContain('noindex');
  });

  test('F6: the form has the same limits', async () => {
    const gate = gateOf('shop.example');
    await gate.enter('one');
    await gate.enter('two');
    const answer = await submit([['url', SITE]]);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '10']);
    const html = await answer.text();
    expect(html).toContain('This host is audited too often at the moment');
    expect(html).toContain(`value="${SITE}"`);
    expect(seen.calls.site).toEqual([]);
  });

  test.each([
    ['', 422],
    ['javascript:alert(1)', 422],
    ['http://127.0.0.1/', 422],
    ['"><script>alert(1)</script>', 422],
  ])('the form refuses %j with a page that can be sent again', async (url, status) => {
    const answer = await submit([['url', url]]);
    expect(answer.status).toBe(status);
    const html = await answer.text();
    expect(html).toContain('role="alert"');
    expect(html).not.toContain('<script>');
    expect(seen.calls.site).toEqual([]);
  });
});
