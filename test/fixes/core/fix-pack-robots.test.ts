import { describe, expect, test } from 'vitest';
import { listAgentsByClass, listSearchCrawlers } from '../../../src/audit/crawlers/facts/ai-agents.ts';
import { patchRobots } from '../../../src/fixes/core/patched-files.ts';
import { auditedOf, fixFor, outcomeIn, tools } from '../../support/audit/fixes.ts';
import { SITE, type SiteMap, html, text, xml } from '../../support/audit/site-fetch.ts';
import { goodPage } from '../../sites/good.ts';

const SITEMAP = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${SITE}/</loc></url></urlset>`;
const TRAINING = listAgentsByClass('training').map(({ token }) => token);
const SEARCH = listSearchCrawlers().map(({ token }) => token);
const agents = (names: readonly string[]): string => names.map((name) => `User-agent: ${name}\n`).join('');

type Row = { id: string; name: string; before: string; after: string; more?: SiteMap; asks?: true };

const rows: readonly Row[] = [
  {
    id: 'aeo.robots.blanket-block',
    name: 'the rule is turned, the rest kept',
    before: '# Ours\r\nUser-agent: *\r\nDisallow: /\r\nDisallow: /cart # basket\r\n',
    after: '# Ours\r\nUser-agent: *\r\nAllow: /\r\nDisallow: /cart # basket\r\n',
  },
  {
    id: 'aeo.robots.ai-search-bots',
    name: 'agents under * get a group that repeats its other rules',
    before: 'User-agent: *\nDisallow: /\nDisallow: /cart\n',
    after: `User-agent: *\nDisallow: /\nDisallow: /cart\n\n${agents(SEARCH)}Disallow: /cart\nAllow: /\n`,
  },
  {
    id: 'aeo.robots.ai-search-bots',
    name: 'a group of its own is opened',
    before: 'User-agent: PerplexityBot\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /\n',
    after: 'User-agent: PerplexityBot\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n',
  },
  {
    id: 'aeo.robots.ai-search-bots',
    name: 'an agent leaves a group that keeps training out',
    before: 'User-agent: GPTBot\nUser-agent: OAI-SearchBot\nDisallow: /\n',
    after: 'User-agent: GPTBot\nDisallow: /\n\nUser-agent: OAI-SearchBot\nAllow: /\n',
  },
  {
    id: 'aeo.robots.user-fetchers',
    name: 'Claude-User gets a group',
    before: 'User-agent: Claude-User\nDisallow: /\n',
    after: 'User-agent: Claude-User\nAllow: /\n',
  },
  {
    id: 'aeo.robots.training-choice',
    name: 'what holds today is written down',
    before: 'User-agent: *\nDisallow: /cart',
    after: `User-agent: *\nDisallow: /cart\n\n${agents(TRAINING)}Disallow: /cart\n`,
  },
  {
    id: 'aeo.robots.group-shadowing',
    name: 'the group gets the rules of *',
    before: 'User-agent: *\nDisallow: /cart\nDisallow: /me\n\nUser-agent: GPTBot\nDisallow: /me\n# end\n',
    after:
      'User-agent: *\nDisallow: /cart\nDisallow: /me\n\nUser-agent: GPTBot\nDisallow: /me\nDisallow: /cart\n# end\n',
  },
  {
    id: 'aeo.robots.crawl-delay',
    name: 'a delay of minutes',
    before: 'User-agent: *\nCrawl-delay: 120\nDisallow: /cart\n',
    after: 'User-agent: *\nCrawl-delay: 10\nDisallow: /cart\n',
  },
  {
    id: 'aeo.robots.syntax',
    name: 'slips of the pen',
    before:
      'Disallow: /early\nUseragent: GPTBot\nDisalow: /a\nAllow b\nDisallow: cart\nNoindex: /x\nWhatever\nSitemap: /sitemap.xml\n',
    after:
      'User-agent: *\nDisallow: /early\nUser-agent: GPTBot\nDisallow: /a\nAllow: /b\nDisallow: /cart\n# Noindex: /x\n# Whatever\n# Sitemap: /sitemap.xml\n',
  },
  {
    id: 'aeo.robots.syntax',
    name: 'what only looks like a space',
    before: 'User-agent: GPTBot\u00A0\n\u00A0Disallow:\u2002/a\u00A0# why\n',
    after: 'User-agent: GPTBot\nDisallow: /a # why\n',
  },
  {
    id: 'aeo.robots.syntax',
    name: 'a misspelt name keeps its rules for itself',
    before: 'Useragent: GPTBot\nDisallow: /\n',
    after: 'User-agent: GPTBot\nDisallow: /\n',
  },
  {
    id: 'aeo.robots.blocks-render-assets',
    name: 'the folder of a style sheet',
    before: 'User-agent: *\nDisallow: /assets\n',
    after: 'User-agent: *\nDisallow: /assets\nAllow: /assets/css/\n',
    more: { '/': html(goodPage('/', '<link rel="stylesheet" href="/assets/css/a.css">')) },
  },
  {
    id: 'aeo.robots.discovery-files-allowed',
    name: 'a sitemap under a forbidden path',
    before: `User-agent: *\nDisallow: /sitemap\n\nSitemap: ${SITE}/sitemap.xml\n`,
    after: `User-agent: *\nDisallow: /sitemap\nAllow: /sitemap.xml\n\nSitemap: ${SITE}/sitemap.xml\n`,
    more: { '/sitemap.xml': xml(SITEMAP) },
  },
  {
    id: 'aeo.sitemap.robots-ref',
    name: 'no Sitemap line',
    before: 'User-agent: *\nDisallow: /cart\n',
    after: `User-agent: *\nDisallow: /cart\n\nSitemap: ${SITE}/sitemap.xml\n`,
    more: { '/sitemap.xml': xml(SITEMAP) },
  },
  {
    id: 'agent.prefs.content-signal',
    name: 'words that the vocabulary does not have',
    before: 'User-agent: *\nContent-Signal: search=true, ai_train=no, colour=red\nDisallow: /cart\n',
    after: 'User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /cart\n',
  },
  {
    id: 'agent.prefs.coherent',
    name: 'a signal that the rules deny',
    before: `User-agent: *\nContent-Signal: search=yes, ai-train=yes\nDisallow: /cart\n\n${agents(TRAINING)}Disallow: /\n`,
    after: `User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /cart\n\n${agents(TRAINING)}Disallow: /\n`,
  },
];

const siteOf = (robots: string, more: SiteMap = {}): SiteMap => ({
  '/': html(goodPage('/')),
  ...more,
  '/robots.txt': text(robots),
});

describe('a fix of robots.txt', () => {
  test.each(rows.map((row) => [`${row.id}, ${row.name}`, row] as const))(
    '%s: changes that and nothing else, and the check passes',
    async (_name, { id, before, after, more }) => {
      const audited = await auditedOf(siteOf(before, more));
      const fix = await fixFor(id, audited);
      expect(fix.content).toBe(after);
      expect(fix).toMatchObject({ file: 'robots.txt', action: 'replace', facts_needed: [] });
      expect(fix.diff).toMatch(/^--- a\/robots\.txt\n\+\+\+ b\/robots\.txt\n/);
      const again = await auditedOf(siteOf(after, more));
      expect(outcomeIn(again, id)).toMatchObject({ status: 'pass' });
    },
  );

  test('for a site without one is a new file', async () => {
    const map = { '/': html(goodPage('/')), '/sitemap.xml': xml(SITEMAP) };
    const fix = await fixFor('aeo.sitemap.robots-ref', await auditedOf(map));
    expect(fix).toMatchObject({ action: 'create', content: `Sitemap: ${SITE}/sitemap.xml\n` });
    expect(fix.diff).toMatch(/^--- \/dev\/null\n\+\+\+ b\/robots\.txt\n@@ -0,0 \+1,1 @@\n/);
  });

  test('made with all the others opens the site and keeps what is private closed', async () => {
    const before =
      'User-agent: *\nDisallow: /\nDisallow: /cart\nCrawl-delay: 60\n\nUser-agent: GPTBot\nUser-agent: PerplexityBot\nDisallow: /\n';
    const audited = await auditedOf(siteOf(before));
    const { text: after, applied } = patchRobots(audited, tools);
    const again = await auditedOf(siteOf(after));
    for (const id of applied) expect(`${id} ${outcomeIn(again, id).status}`).toBe(`${id} pass`);
    expect(applied).toEqual(expect.arrayContaining(['aeo.robots.blanket-block', 'aeo.robots.ai-search-bots']));
    expect(after).toContain('User-agent: GPTBot\nDisallow: /\n');
    expect(after.match(/Disallow: \/cart/g)?.length).toBeGreaterThan(0);
  });
});
