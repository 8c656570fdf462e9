import { findCapability, catalog } from '../../../src/capabilities/catalog.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../../local/http-server.ts';
import { describeToolPlace, type ServiceSide, createStdioHost } from '../../../src/cli/mcp/command.ts';
import { type LocalReach, createOriginPolicy, canRunHere, listLocalTools } from '../../../src/cli/mcp/local.ts';
import { createKeptReports } from '../../../src/cli/mcp/kept-reports.ts';
import { createNodeFetch } from '../../../src/cli/core/node-fetch.ts';
import { buildToolTable } from '../../../src/mcp/tools.ts';
import type { ToolCall, ToolHost } from '../../../src/mcp/tool-host.ts';
import { failureWords } from '../../../src/net/failure-words-data.ts';
import type { FetchFunction } from '../../../src/net/guarded-fetch.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

const started: HttpServer[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

/** A site on loopback that counts what it is asked; its sitemap and links point at `pointsTo`. */
async function site(pointsTo = ''): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = await startHttpServer((request, response) => {
    const path = request.url ?? '/';
    paths.push(path);
    if (path === '/robots.txt') return void response.end(`User-agent: *\nAllow: /\nSitemap: ${pointsTo}/sitemap.xml\n`);
    if (path === '/hop') return void response.writeHead(302, { location: `${pointsTo}/hopped` }).end();
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>A</title><h1>A</h1><a href="${pointsTo}/linked">a</a><a href="/hop">b</a>`);
  });
  started.push(server);
  return { url: server.url, paths };
}

function host(allowed: readonly string[], dial: LocalReach['dial'] = createNodeFetch): ToolHost {
  return createStdioHost({ reach: { allowed: new Set(allowed), dial }, isLocal: true, service: undefined });
}

const call = (name: string, given: Record<string, unknown>, more: Partial<ToolCall> = {}): ToolCall => ({
  name,
  arguments: given,
  meta: {},
  ...more,
});

describe('F2: only public addresses and the origins that were opened are read', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://localhost:8080/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0/',
    'http://[::ffff:127.0.0.1]/',
    'http://printer.local/',
    'http://10.0.0.1/',
  ])('%s is refused in our words, without a request', async (url) => {
    const asked: string[] = [];
    const dial = (): FetchFunction => async (target) => {
      asked.push(target);
      return new Response('secret-marker');
    };
    const result = await host([], dial).callTool(call('check_health', { url }));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'private_target',
        status: 422,
        title: buildProblem('target_refused').title,
        detail: failureWords.private_target.means,
        next: expect.stringContaining('--allow-private <origin>'),
        errors: [{ pointer: '/url' }],
      },
    });
    expect(asked).toEqual([]);
    const compared = await host([], dial).callTool(call('compare', { url: 'https://a.example/', competitor: url }));
    expect(compared).toMatchObject({ isError: true, structuredContent: { code: 'private_target' } });
    expect(asked).toEqual([]);
  });

  test('a port that no website has is refused as such', async () => {
    const result = await host([]).callTool(call('check_health', { url: 'https://example.com:22/' }));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code: 'port_refused', detail: failureWords.port_refused.means },
    });
  });

  test('an origin that was opened is audited; its neighbour port is not', async () => {
    const [open, neighbour] = [await site(), await site()];
    const at = host([open.url]);
    expect((await at.callTool(call('check_health', { url: `${open.url}/` }))).isError).toBeUndefined();
    expect(await at.callTool(call('check_health', { url: `${neighbour.url}/` }))).toMatchObject({ isError: true });
    const renamed = open.url.replace('127.0.0.1', 'localhost');
    expect(await at.callTool(call('check_health', { url: `${renamed}/` }))).toMatchObject({ isError: true });
    expect(open.paths.length).toBeGreaterThan(0);
    expect(neighbour.paths).toEqual([]);
  });

  test.each(['allow_private', 'allowed', 'allow-private'])('no argument or _meta opens one: %s', async (name) => {
    const inner = await site();
    const given = { url: `${inner.url}/`, [name]: [inner.url] };
    const outcome = await host([])
      .callTool(call('check_health', given, { meta: given }))
      .catch((error: unknown) => ({ isError: true, error }));
    expect(outcome.isError).toBe(true);
    expect(inner.paths).toEqual([]);
  });

  test('an opened site whose sitemap, links and redirects point elsewhere inside gets nothing there', async () => {
    const inner = await site();
    const open = await site(inner.url);
    await host([open.url]).callTool(call('full_audit', { url: `${open.url}/` }));
    expect(open.paths).toContain('/robots.txt');
    expect(inner.paths).toEqual([]);
  });

  test('a public page whose sitemap, links and redirects point at an opened origin gets nothing there', async () => {
    const asked: string[] = [];
    const dial = (): FetchFunction => async (target) => {
      asked.push(target);
      const { pathname } = new URL(target);
      if (pathname === '/robots.txt') return new Response('Sitemap: http://127.0.0.1:3000/sitemap.xml\n');
      if (pathname === '/hop')
        return new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:3000/' } });
      const html = '<title>A</title><h1>A</h1><a href="http://127.0.0.1:3000/x">a</a><a href="/hop">b</a>';
      return new Response(html, { headers: { 'content-type': 'text/html' } });
    };
    const result = await host(['http://127.0.0.1:3000'], dial).callTool(
      call('full_audit', { url: 'https://a.example/' }),
    );
    expect(result.isError).toBeUndefined();
    expect(asked).toContain('https://a.example/robots.txt');
    expect(asked.filter((url) => new URL(url).hostname !== 'a.example')).toEqual([]);
  });

  test('a fetcher opens its own origin and no other that was opened', () => {
    const allowed = new Set(['http://127.0.0.1:3000', 'http://127.0.0.1:4000']);
    const policy = createOriginPolicy('http://127.0.0.1:3000/page', allowed);
    expect(policy.checkUrl(new URL('http://127.0.0.1:3000/'))).toBeUndefined();
    expect(policy.checkUrl(new URL('http://127.0.0.1:4000/'))).toMatchObject({ reason: 'private_target' });
  });
});

test('a site that cannot be reached is an error result in our words', async () => {
  const gone = await site();
  for (const one of started.splice(0)) await one.stop();
  const result = await host([gone.url]).callTool(call('check_health', { url: `${gone.url}/` }));
  const { title, status } = buildProblem('target_unreachable');
  const { means, next } = failureWords.connection_failed;
  expect(result).toEqual({
    isError: true,
    content: [{ type: 'text', text: `${title} (target_unreachable). ${means} ${next}` }],
    structuredContent: { code: 'target_unreachable', title, status, detail: means, next },
  });
});

test('X4: what the site says stands under evidence alone', async () => {
  const dial = (): FetchFunction => async () =>
    new Response('<title>hostile-marker</title><h1>hostile-marker</h1>', { headers: { 'content-type': 'text/html' } });
  const result = await host([], dial).callTool(
    call('full_audit', { url: 'https://a.example/' }, { meta: { 'sightline/view': 'full' } }),
  );
  expect(JSON.stringify(result.content)).not.toContain('hostile-marker');
  const { evidence, ...ours } = Object(result.structuredContent);
  expect(JSON.stringify(evidence)).toContain('hostile-marker');
  expect(evidence.untrusted).toBe(true);
  expect(JSON.stringify(ours)).not.toContain('hostile-marker');
});

test('a result of this process is read in pieces by its id, until 20 later ones', async () => {
  const dial = (): FetchFunction => async () =>
    new Response('<title>A</title><h1>A</h1>', { headers: { 'content-type': 'text/html' } });
  const own = host([], dial);
  const result = await own.callTool(call('full_audit', { url: 'https://a.example/' }));
  const { report_id: id, do_first: first, report_url: url } = Object(result.structuredContent);
  expect(url).toBeUndefined();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  const section = await own.callTool(call('read_report', { report_id: id, section: 'checks', status: 'fail' }));
  expect(section.structuredContent).toMatchObject({ section: 'checks', evidence: { untrusted: true } });
  const fix = await own.callTool(call('get_fix', { report_id: id, fix_id: first[0].id }));
  expect(fix.structuredContent).toMatchObject({ fix_id: first[0].id });
  expect(JSON.stringify(fix)).not.toContain('"report_url"');
  expect(await own.readResource(`sightline://reports/${id}/fixes`)).toMatchObject({
    contents: [{ mimeType: 'text/markdown', text: expect.stringContaining('# Fixes') }],
  });
  const other = await own.callTool(call('read_report', { report_id: '0'.repeat(32) }));
  expect(other).toMatchObject({ isError: true, structuredContent: { code: 'report_not_found' } });

  const kept = createKeptReports(1);
  const [older, newer] = [1, 2].map((n) => JSON.parse(kept.keep({ capability: 'check_health', warnings: [], n })));
  const read = (report_id: string) => kept.call(call('read_report', { report_id }));
  expect(await read(older.report_id)).toBeUndefined();
  expect(await read(newer.report_id)).toMatchObject({ structuredContent: { capability: 'check_health' } });
});

test('progress is counted, and a call that is called off stops reading', async () => {
  const counts: number[] = [];
  const stop = new AbortController();
  let asked = 0;
  const dial =
    (): FetchFunction =>
    async (_url, { signal }) => {
      signal.throwIfAborted(); // As the fetch of this machine does.
      asked += 1;
      if (asked === 3) stop.abort();
      return new Response('<title>A</title><h1>A</h1>', { headers: { 'content-type': 'text/html' } });
    };
  await host([], dial).callTool(
    call(
      'full_audit',
      { url: 'https://a.example/' },
      { signal: stop.signal, progress: ({ done }) => counts.push(done) },
    ),
  );
  expect(asked).toBeLessThan(8);
  expect(counts.length).toBeGreaterThan(0);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
});

describe('without a service', () => {
  test('everything but what asks an answer engine runs here', () => {
    expect(catalog.filter(({ name }) => !canRunHere(name)).map(({ name }) => name)).toEqual([
      'visibility_check',
      'visibility_vs_competitor',
    ]);
  });

  test.each(['visibility_check', 'visibility_vs_competitor'])('%s says what to set', async (name) => {
    const result = await host([]).callTool(call(name, { brand: 'A', niche: 'b', competitor_brand: 'C' }));
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'no_service' } });
    expect(JSON.stringify(result.content)).toMatch(/SIGHTLINE_BASE_URL.*SIGHTLINE_TOKEN.*SIGHTLINE_WALLET_KEY/);
  });

  test('the index and the catalogue tell what is free', async () => {
    const { structuredContent } = await host([]).callTool(call('index', {}));
    expect(structuredContent).toMatchObject({
      payment: { protocol: 'none' },
      capabilities: {
        full_audit: { price_usd: '0.000000', available: true },
        visibility_check: { price_usd: '1.950000', available: false },
      },
    });
    const read = await host([]).readResource('sightline://catalogue');
    expect(JSON.parse(String(Object(read?.contents[0])['text']))).toEqual(structuredContent);
    expect(await host([]).readResource(`sightline://reports/${'0'.repeat(32)}`)).toBeUndefined();
  });

  test('beside a service, what runs here is told as free, and the rest goes to the service', async () => {
    const asked: string[] = [];
    const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] });
    const service: ServiceSide = {
      call: async ({ name }) => answer(`sold ${name}`),
      free: async ({ name }) => answer(`free ${name}`),
      index: async () => answer('index of the service'),
      resources: {
        listResources: async () => ({ resources: [], isShared: false }),
        readResource: async (uri) => {
          asked.push(uri);
          return undefined;
        },
      },
    };
    const reach = { allowed: new Set<string>(), dial: createNodeFetch };
    const local = createStdioHost({ reach, isLocal: true, service });
    const bought = createStdioHost({ reach, isLocal: false, service });
    const priced = await local.callTool(call('index', {}));
    expect(priced.structuredContent).toMatchObject({ capabilities: { visibility_check: { available: true } } });
    expect(await bought.callTool(call('index', {}))).toEqual(answer('index of the service'));
    const measure = call('visibility_check', { brand: 'A', niche: 'b' });
    expect(await local.callTool(measure)).toEqual(answer('sold visibility_check'));
    const audit = call('check_health', { url: 'http://127.0.0.1/' });
    expect(await local.callTool(audit)).toMatchObject({ structuredContent: { code: 'private_target' } });
    expect(await bought.callTool(audit)).toEqual(answer('sold check_health'));
    const report = call('read_report', { report_id: '0'.repeat(32) });
    expect(await local.callTool(report)).toEqual(answer('free read_report'));
    for (const one of [local, bought]) await one.readResource('sightline://catalogue');
    await local.readResource('sightline://reports/1');
    expect(asked).toEqual(['sightline://catalogue', 'sightline://reports/1']);
  });

  test('tools that run here name no price and promise no stored report', () => {
    const tools = listLocalTools(buildToolTable({ payTo: undefined, door: 'stdio' }), describeToolPlace(true));
    const audit = tools.find(({ name }) => name === 'full_audit');
    expect(audit?.description).toBe(`${findCapability('full_audit')?.summary}. Runs on this machine, free.`);
    expect(audit?.outputSchema?.['required']).toEqual(['capability']);
    expect(audit?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
    expect(tools.find(({ name }) => name === 'visibility_check')?.annotations?.readOnlyHint).toBe(false);
    expect(tools.find(({ name }) => name === 'visibility_check')?.description).toContain('Costs 1.95 USDC');
  });
});
