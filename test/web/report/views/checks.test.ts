import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { reportOn } from '../../../../src/audit/core/report.ts';
import { checksResult } from '../../../../src/capabilities/results.ts';
import { goodSite } from '../../../sites/good.ts';
import { snapshotOf } from '../../../support/audit/audit.ts';
import { SITE, type SiteMap, text as served } from '../../../support/audit/site-fetch.ts';
import { storedExamples } from '../../../support/management/stored-examples.ts';
import { pageOf, storedText } from '../../../support/pages/report-view.ts';
import { textOf } from '../../../support/pages/view-page.ts';

const url = 'https://acme.example/';
const stored = await storedExamples();

/** `check_health` of a site, by the same code as a sale. */
async function checkHealth(map: SiteMap): Promise<z.infer<typeof checksResult>> {
  const report = await reportOn(await snapshotOf(map), { capability: 'check_health' });
  return checksResult.parse(report);
}

describe('the page of a health check', () => {
  const example = JSON.parse(stored.get('check_health') ?? '') as Record<string, unknown>;
  const withCrawlers = async (crawlers: object): Promise<string> => {
    const facts = { ...(example['facts'] as object), ai_crawlers: crawlers };
    return textOf(await pageOf(storedText('check_health', { ...example, facts }, url)));
  };

  test('names the crawlers that robots.txt blocks, and the line that does it', async () => {
    const text = await withCrawlers({
      GPTBot: { access: 'blocked', named: true, line: 4 },
      ClaudeBot: { access: 'allowed', named: false },
      PerplexityBot: { access: 'unknown' },
    });
    expect(text).toContain('robots.txt blocks GPTBot, which collects pages for training. That is your choice');
    expect(text).not.toContain('If you want to be found');
    expect(text).toContain('GPTBot Training of models Blocked by robots.txt line 4, in its own group');
    expect(text).toContain(
      'ClaudeBot Training of models May read the page no rule for this page in the rules for all crawlers',
    );
    expect(text).toContain('PerplexityBot AI search Could not be read answered 200 Could not check');
  });

  test.each([
    ['GPTBot', 'That is your choice: no check asks for a fix', false],
    ['GPTBot and Google-Extended', 'That is your choice: no check asks for a fix', false],
    ['PerplexityBot', 'If you want to be found by AI search, allow it there: a check below asks for it', true],
  ])('of a site that blocks %s says what is judged', async (names, said, asked) => {
    const groups = names.split(' and ').map((name) => `User-agent: ${name}\nDisallow: /\n`);
    const robots = `User-agent: *\nAllow: /\n\n${groups.join('\n')}\nSitemap: ${SITE}/sitemap.xml\n`;
    const result = await checkHealth({ ...goodSite, '/robots.txt': served(robots) });
    const shown = textOf(await pageOf(storedText('check_health', result, url)));
    for (const name of names.split(' and '))
      expect(shown).toMatch(new RegExp(`${name} [A-Za-z ]+ Blocked by robots.txt`));
    expect(shown).toContain(said);
    const open = result.checks.filter(({ status }) => status === 'fail' || status === 'partial').map(({ id }) => id);
    expect(open).toEqual(asked ? ['aeo.robots.ai-search-bots'] : []);
  });

  test('says where none is blocked, and has no table for facts of another shape', async () => {
    expect(await withCrawlers({ GPTBot: { access: 'allowed', named: false } })).toContain('blocks none of these');
    expect(await withCrawlers({ GPTBot: 'yes' })).not.toContain('What each crawler meets');
  });
});

describe('the page of generated files', () => {
  const defineFile = (path: string, more: object = {}) => ({
    path,
    media_type: 'text/markdown',
    content: '# Fix',
    sha256: 'a'.repeat(64),
    ...more,
  });
  const pageWith = async (capability: 'generate_skill' | 'generate_llms_txt', files: readonly object[]) => {
    const page = await pageOf(storedText(capability, { files }, url));
    return { page, text: textOf(page) };
  };

  test('of a skill says that it is for an agent, where it belongs, and that it is not to be published', async () => {
    const { text, page } = await pageWith('generate_skill', [defineFile('repair-it/SKILL.md')]);
    expect(text).toContain('Do not publish them');
    expect(text).toContain('The agent then finds .claude/skills/repair-it/SKILL.md');
    expect(text).not.toContain('root of the site');
    expect(page).toMatch(/<a href="\/reports\/[0-9a-f]{32}\.zip">Download all files \(ZIP\)<\/a>/);
  });

  test('of files for the site says where they are served from, and what waits for facts', async () => {
    const draft = { draft: true, facts_needed: ['price'] };
    const { text, page } = await pageWith('generate_llms_txt', [defineFile('llms.txt', draft)]);
    expect(text).toContain('Put what is in its folder site/ at the root of the site.');
    expect(text).toContain('Drafts, in the folder drafts/, wait for facts');
    expect(text).not.toContain('skills folder');
    expect(page).toMatch(/href="\/reports\/[0-9a-f]{32}\.zip"/);
    expect((await pageWith('generate_llms_txt', [defineFile('llms.txt')])).text).not.toContain('drafts/');
  });
});
