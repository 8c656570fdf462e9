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
  const files = [{ path: 'SKILL.md', media_type: 'text/markdown', content: '# Fix', sha256: 'a'.repeat(64) }];

  test.each([
    ['generate_skill', 'do not publish them', 'Serve each from the root of the site'],
    ['generate_llms_txt', 'Serve each from the root of the site', 'do not publish them'],
  ] as const)('of %s says where they belong', async (capability, said, unsaid) => {
    const text = textOf(await pageOf(storedText(capability, { files }, url)));
    expect(text).toContain(said);
    expect(text).not.toContain(unsaid);
  });
});
