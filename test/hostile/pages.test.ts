import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cutPage, MAX_TAGS } from '../../src/audit/reach/facts/html-page.ts';
import { PAGE_LIMITS } from '../../src/audit/page/facts/page-facts.ts';
import { parsePage } from '../../src/audit/page/facts/page.ts';
import { HOSTILE_PAGES } from '../support/audit/hostile-pages-data.ts';
import { isFull } from './shape.ts';
import { sampleRows } from '../support/runner/budget.ts';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('../support/audit/hostile-page.ts', import.meta.url));
/** MB of heap: three quarters of what an isolate on Workers has in all. */
const HEAP_MB = 96;

type Seen = { truncated: boolean; capped: string[]; textChars: number; warnings: string[] };

async function audited(name: string): Promise<Seen> {
  const { stdout } = await run(process.execPath, [`--max-old-space-size=${HEAP_MB}`, SCRIPT, name], {
    timeout: 240_000,
  });
  return JSON.parse(stdout) as Seen;
}

const CUT = 'The start page is larger than we read; only its first part was judged.';

/** The five that B4 was found with: every second of them, and all pages under `HOSTILE=full`. */
const FOUND = [
  'less-than signs',
  'less-than signs and digits',
  'less-than signs and spaces',
  'list items without ends',
  'line breaks',
];

describe(`B4: an audit of one page of up to 5 MiB needs at most ${HEAP_MB} MB of heap`, () => {
  test.each(isFull ? Object.keys(HOSTILE_PAGES) : sampleRows(FOUND, 2))(
    '%s',
    async (name) => {
      const { truncated, warnings } = await audited(name);
      expect(warnings.includes(CUT)).toBe(truncated);
    },
    300_000,
  );
});

describe('B4: a page of more tags than we read', () => {
  test('ends before the first tag too many', () => {
    expect(cutPage('<p>a</p><p>b', 2)).toBe('<p>a</p>');
    expect(cutPage('<p>a</p>< 1 <', 2)).toBeUndefined();
    expect(cutPage('<i>'.repeat(MAX_TAGS))).toBeUndefined();
  });

  const facts = (html: string) => parsePage(html, { url: 'https://acme.example/', bodyBytes: html.length });

  test('keeps the first elements, and the report names what was left out', () => {
    const late = facts(`<main>${'<p>x'.repeat(PAGE_LIMITS.elements + 1_000)}</main>`);
    expect(late.contentText.split('x').length - 1).toBe(PAGE_LIMITS.elements + 1_000);
    const page = facts(`${'<br>'.repeat(PAGE_LIMITS.elements)}<main><a href="/x">y</a></main>`);
    expect([page.capped, page.anchors, page.text]).toEqual([['elements'], [], 'y']);
    expect(facts(`${'<br>'.repeat(PAGE_LIMITS.elements - 2)}<main><a href="/x">y</a></main>`).capped).toEqual([]);
  });

  test('keeps the first attributes of an element', () => {
    const many = Array.from({ length: PAGE_LIMITS.attributes }, (_, index) => `a${index}=1`).join(' ');
    const page = facts(`<p ${many} id="late">x</p><p id="next">y</p>`);
    expect([page.capped, page.ids, page.text]).toEqual([['attributes'], ['next'], 'x\ny']);
  });
});

test('B4: a text node is one text, in however many parts the parser gives it', () => {
  const page = parsePage('<p>a &amp; b < c<b> d</b></p>', { url: 'https://acme.example/', bodyBytes: 1 });
  expect(page.text).toBe('a & b < c d');
  expect(page.paragraphs[0]?.text).toBe('a & b < c d');
});
