import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import type { Host } from '../../../src/fixes/files/fix.ts';
import {
  formatConfigure,
  type ServerSetting,
  setHeaders,
  setHeadersOnPaths,
} from '../../../src/fixes/core/host-headers.ts';
import { formatApache } from '../../../src/fixes/core/apache-config.ts';
import { formatNginx } from '../../../src/fixes/core/nginx-config.ts';
import { EVERYWHERE, isPlainPath, joinServerParts, listSettledParts } from '../../../src/fixes/core/server-plan.ts';
import {
  compression,
  htmlCaching,
  markdownNegotiation,
  notFoundStatus,
  redirectPath,
  redirectToHttps,
} from '../../../src/fixes/core/host-settings.ts';

const settings: readonly (readonly [string, ServerSetting])[] = [
  ['headers of one path', setHeaders('/llms.txt', { 'Content-Type': 'text/markdown; charset=utf-8', Vary: 'Accept' })],
  ['headers of every page', setHeaders(EVERYWHERE, { 'Content-Security-Policy': "default-src 'self'" })],
  ['headers of two paths', setHeadersOnPaths(['/a', '/b'], { 'Cache-Control': 'public, max-age=3600' })],
  ['https', redirectToHttps],
  ['compression', compression],
  ['404', notFoundStatus],
  ['a redirect', redirectPath('/.well-known/agent.json', '/.well-known/agent-card.json')],
  ['caching', htmlCaching],
  ['Markdown', markdownNegotiation],
];
const of = (host: Host): readonly (readonly [string, string])[] =>
  settings.flatMap(([name, each]) => {
    const text = formatConfigure(each)[host];
    return text === undefined ? [] : [[name, text] as const];
  });
/** Comments, and what stands in quotation marks, are not syntax. */
const bare = (text: string): string => text.replaceAll(/^\s*#.*$/gmu, '').replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""');

describe('a setting is written in the syntax of its host', () => {
  test.each(of('nginx'))('nginx, %s: blocks are closed and directives end', (_name, text) => {
    const lines = bare(text)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    expect(lines.filter((line) => !/[;{}]$/u.test(line))).toEqual([]);
    expect(bare(text).split('{').length).toBe(bare(text).split('}').length);
  });

  test.each(of('apache'))(
    'Apache, %s: sections are closed, and rules fit .htaccess and the server alike',
    (_name, text) => {
      const opened = [...text.matchAll(/^<(\w+)/gmu)].map(([, name]) => name);
      expect([...text.matchAll(/^<\/(\w+)>/gmu)].map(([, name]) => name)).toEqual(opened);
      const patterns = [...text.matchAll(/^\s*RewriteRule (\S+)/gmu)].map(([, pattern]) => pattern);
      expect(patterns.filter((pattern) => pattern !== '^' && !pattern?.startsWith('^/?'))).toEqual([]);
    },
  );

  test.each(of('nextjs').filter(([, text]) => !text.includes('// ...')))('Next.js, %s: it parses', (_name, text) => {
    expect(parseSync('next.config.js', text).errors).toEqual([]);
  });

  test.each(of('vercel'))('Vercel, %s: JSON, a module or a note', (_name, text) => {
    if (text.startsWith('{')) expect(() => JSON.parse(text) as unknown).not.toThrow();
    else expect(parseSync('middleware.js', text).errors).toEqual([]);
  });
});

describe('Markdown for who asks for it', () => {
  test('is decided before the pages in Next.js and Vercel, whose plain rewrites come after them', () => {
    expect(markdownNegotiation.texts.nextjs).toContain('"beforeFiles"');
    expect(markdownNegotiation.texts.vercel).toContain('export default function middleware');
  });

  test('falls back to the page in the Worker where there is no copy', async () => {
    const source = /const quality[^]*$/u.exec(markdownNegotiation.texts.cloudflare ?? '')?.[0] ?? '';
    const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
      default: { fetch: (request: Request, env: unknown) => Promise<Response> };
    };
    const files = new Map([
      ['/', 'page'],
      ['/index.md', '# page'],
      ['/only', 'html only'],
    ]);
    const fetchAsset = (request: Request): Response => {
      const found = files.get(new URL(request.url).pathname);
      return new Response(found ?? 'no', { status: found === undefined ? 404 : 200 });
    };
    const asked = async (path: string, accept: string): Promise<string> => {
      const request = new Request(`https://acme.example${path}`, { headers: { accept } });
      const answer = await module.default.fetch(request, { ASSETS: { fetch: fetchAsset } });
      return `${answer.status} ${answer.headers.get('vary') ?? ''} ${await answer.text()}`;
    };
    expect(await asked('/', 'text/markdown')).toBe('200 Accept # page');
    expect(await asked('/', 'text/html, text/markdown;q=0.1')).toBe('200 Accept page');
    expect(await asked('/only', 'text/markdown')).toBe('200 Accept html only');
    expect(await asked('/none', 'text/markdown')).toBe('404 Accept no');
  });
});

describe('settings of several fixes', () => {
  const plan = joinServerParts([
    ...setHeaders('/llms.txt', { 'Content-Type': 'text/markdown; charset=utf-8' }).parts,
    ...setHeadersOnPaths(['/llms.txt', '/robots.txt'], { 'Cache-Control': 'public, max-age=3600' }).parts,
    ...setHeaders('/', { Link: '</llms.txt>; rel="describedby"' }).parts,
    ...setHeaders('/', { Link: '</openapi.json>; rel="service-desc", </llms.txt>; rel="describedby"' }).parts,
    ...setHeaders(EVERYWHERE, { Vary: 'Accept' }).parts,
    ...notFoundStatus.parts,
    ...markdownNegotiation.parts,
  ]);

  test('have one block for each address and one line for each header in nginx', () => {
    const { http, server } = formatNginx(plan);
    const locations = server.match(/^location .*\{$/gmu) ?? [];
    expect(new Set(locations).size).toBe(locations.length);
    expect(locations).toContain('location = /llms.txt {');
    expect(server.match(/^add_header (?:Cache-Control|Link|Vary) /gmu)).toHaveLength(3);
    expect(http).toContain('"</llms.txt>; rel=\\"describedby\\", </openapi.json>; rel=\\"service-desc\\""');
  });

  test('have one section for each address in Apache, and a Link for the start page only', () => {
    const { inside } = formatApache(plan);
    const sections = inside.match(/^<LocationMatch .*>$/gmu) ?? [];
    expect(new Set(sections).size).toBe(sections.length);
    expect(sections).toContain(String.raw`<LocationMatch "^/(?:index\.[a-z0-9]+)?$">`);
    expect(inside.match(/^RewriteEngine On$/gmu)).toHaveLength(1);
  });

  test('decide nothing for the owner', () => {
    const parts = setHeaders(EVERYWHERE, { 'Content-Usage': 'train-ai=n', 'X-Content-Type-Options': 'nosniff' }).parts;
    expect(listSettledParts(parts)).toMatchObject([{ name: 'X-Content-Type-Options' }]);
  });

  test.each(['/a b', '/a"b', '/a$b', '/a;b', '/a{b', '/ä', 'a', '/a\nb'])('name no path such as %j', (path) => {
    expect(isPlainPath(path)).toBe(false);
  });
});
