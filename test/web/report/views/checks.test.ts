import { describe, expect, test } from 'vitest';
import { storedExamples } from '../../../support/management/stored-examples.ts';
import { pageOf, storedText } from '../../../support/pages/report-view.ts';
import { textOf } from '../../../support/pages/view-page.ts';

const url = 'https://acme.example/';
const stored = await storedExamples();

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
    expect(text).toContain('robots.txt blocks GPTBot.');
    expect(text).toContain('GPTBot Blocked by robots.txt line 4, in its own group');
    expect(text).toContain('ClaudeBot May read the page no rule for this page in the rules for all crawlers');
    expect(text).toContain('PerplexityBot Could not check robots.txt could not be read');
  });

  test('says where none is blocked, and has no table for facts of another shape', async () => {
    expect(await withCrawlers({ GPTBot: { access: 'allowed', named: false } })).toContain('blocks none of these');
    expect(await withCrawlers({ GPTBot: 'yes' })).not.toContain('What robots.txt says to each crawler');
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
    const { text, page } = await pageWith('generate_skill', [defineFile('mend-it/SKILL.md')]);
    expect(text).toContain('Do not publish them');
    expect(text).toContain('The agent then finds .claude/skills/mend-it/SKILL.md');
    expect(text).not.toContain('root of the site');
    expect(page).toMatch(/<a href="\/reports\/[0-9a-f]{32}\.zip">Download all as a ZIP<\/a>/);
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
