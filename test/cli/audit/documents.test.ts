import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { views } from '../../../src/web/report/openers.tsx';
import { escapeForPage, readStored } from '../../../src/web/report/stored.ts';
import { runCli } from '../../support/runner/run-cli.ts';

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(1)>"\u202e';
const server = createServer(({ url }, answer) => {
  answer.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
  const shown = HOSTILE.replaceAll('<', '&lt;');
  answer.end(
    url === '/'
      ? `<!doctype html><html lang="en"><title>${shown}</title><h1>${shown}</h1><p>An inn with six quiet rooms above the harbour. ${shown}</p>`
      : 'Not found',
  );
});
let site = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const render = async (...args: readonly string[]): Promise<string> => {
  const { status, out, err } = await runCli([...args, '--format', 'html'], { cwd: tmpdir() });
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return out;
};

const simulated = [
  'visibility',
  '--brand',
  'Acme',
  '--niche',
  'tea',
  '--engine',
  'simulated',
  '--simulate',
  'Acme=0.4,Beta=0.7',
];
const kinds: readonly (readonly [string, () => readonly string[]])[] = [
  ['an audit', () => ['audit', site]],
  ['an audit of two scores', () => ['audit', site, '--only', 'aeo,geo']],
  ['one score', () => ['audit', site, '--only', 'mcp', '--profile', 'mcp']],
  ['the checks of one subject', () => ['run', 'check_health', site]],
  ['generated files', () => ['run', 'generate_llms_txt', site]],
  ['a comparison', () => ['compare', site, `${site}?other`]],
  ['a measurement', () => simulated],
];

function showAudit(text: string): unknown {
  const show = views.full_audit(escapeForPage(readStored(text)).json);
  if (show === undefined) throw new Error('the page has no view of it');
  return show();
}

describe('a report as one HTML file', () => {
  test.each(kinds)('%s loads, runs and sends nothing', async (_kind, args) => {
    const text = await render(...args());
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1] ?? '';
    expect(policy).toContain('default-src &#39;none&#39;');
    expect(policy).not.toContain('script');
    expect(text).not.toMatch(/<(?:script|link|iframe|object|embed|img|base)\b/i);
    expect([...text.matchAll(/<form\b[^>]*>/g)].filter(([form]) => !/\bhidden\b/.test(form))).toEqual([]);
    expect(text).not.toMatch(/\s(?:src|srcset|action|on[a-z]+)="/i);
    expect(text).not.toMatch(/@import|url\((?!#)/);
    const links = [...text.matchAll(/\shref="([^"]*)"/g)].map(([, href = '']) => href);
    expect(links.filter((href) => !/^(?:https?:\/\/|#)/.test(href))).toEqual([]);
    const ids = new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
    expect(links.filter((href) => href.startsWith('#') && !ids.has(href.slice(1)))).toEqual([]);
  });

  test('is the view of the page that the service shows', async () => {
    const json = await runCli(['audit', site, '--json'], { cwd: tmpdir() });
    const body = (showAudit(json.out) as { toString: () => string }).toString();
    const withoutTimes = (text: string): string => text.replaceAll(/<td class="number">\d+<\/td>/g, '');
    expect(body.length).toBeGreaterThan(50_000);
    const linkless = body
      .replaceAll(/<a href="\/docs\/reference\/checks\/[^"]*">(<code>[^<]*<\/code>)<\/a>/g, '$1')
      .replaceAll(/<a href="\/[^"]*">[^<]*<\/a>/g, '');
    expect(withoutTimes(await render('audit', site))).toContain(withoutTimes(linkless));
  });

  test('shows hostile words of the site as text', async () => {
    const text = await render('audit', site);
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain('<script>');
  });
});

test('Markdown of a measurement is that of the service', async () => {
  const { out } = await runCli([...simulated, '--format', 'md'], { cwd: tmpdir() });
  expect(out).toMatch(/^# AI visibility of a brand\n\nBrand: /);
  expect(out).toContain('| ');
});
