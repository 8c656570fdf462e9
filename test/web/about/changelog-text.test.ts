import { readFileSync } from 'node:fs';
import { micromark } from 'micromark';
import { expect, test } from 'vitest';
import { buildChangelog } from '../../../scripts/web/changelog.js';
import { buildChangelogPage, readChangeBlocks, readInlines } from '../../../src/web/about/changelog-text.ts';
import { formatPageMarkdown, type Inline, type TextBlock } from '../../../src/web/start/document.ts';

const text = readFileSync('CHANGELOG.md', 'utf8');
const changelog = buildChangelog(
  text,
  text.split('\n').map(() => '2026-11-29'),
);

const readWords = (parts: readonly Inline[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : 'code' in part ? part.code : part.text)).join('');

const listLines = (blocks: readonly TextBlock[]): readonly string[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'text') return [readWords(block.parts)];
    return block.kind === 'list' ? block.items.map(readWords) : [`unexpected ${block.kind}`];
  });

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };

/** Words of each paragraph and item, as a parser of Markdown that is not ours sees them. */
const listMicromarkLines = (markdown: string): readonly string[] =>
  [...micromark(markdown).matchAll(/<(p|li)>([\s\S]*?)<\/\1>/g)].map(([, , html = '']) =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&(?:lt|gt|amp|quot);/g, (entity) => ENTITIES[entity] ?? entity)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' '),
  );

test.each(changelog.sections.map(({ id, markdown }) => [id, markdown]))(
  '%s says the same as a parser of Markdown reads',
  (_id, markdown) => {
    expect(listLines(readChangeBlocks(markdown))).toEqual(listMicromarkLines(markdown));
  },
);

test('links lead to pages of the documentation, to other sites, or nowhere', () => {
  expect(
    readInlines(
      'See [the `rubric`](docs/project/rubric.md#a), [us](/prices), [them](https://b.example) and [it](LICENSE).',
    ),
  ).toEqual([
    'See ',
    { text: 'the rubric', href: '/docs/project/rubric#a' },
    ', ',
    { text: 'us', href: '/prices' },
    ', ',
    { text: 'them', href: 'https://b.example' },
    ' and ',
    'it',
    '.',
  ]);
  expect(readInlines('[x](javascript:alert(1)) and [y](javascript:z)').every((part) => typeof part === 'string')).toBe(
    true,
  );
});

test('the page has each section once, in the order of the file', () => {
  const { sections } = buildChangelogPage(changelog);
  expect(sections.map(({ id }) => id)).toEqual(changelog.sections.map(({ id }) => id));
  expect(formatPageMarkdown(buildChangelogPage(changelog), 'https://a.example')).toContain('\n## Breaking\n');
});
