import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { FilesView } from '../../../../src/web/report/views/files.tsx';
import { FixesView } from '../../../../src/web/report/views/fixes.tsx';
import { VisibilityFixesView } from '../../../../src/web/report/views/visibility-fixes.tsx';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { textOf, treeOf, withText } from '../../../support/pages/view-page.ts';
import { filesExample, fullReportExample, visibilityFixExample } from '../../../support/pages/view-results.ts';

const { fixes, files: reportFiles } = await fullReportExample();
const { files } = await filesExample();
const texts = await visibilityFixExample();

const fixPage = (shown: typeof fixes): string => String(FixesView({ fixes: shown, promised: undefined }));
const filePage = (shown: typeof files): string => String(FilesView({ files: shown }));
const textPage = (shown: typeof texts): string => String(VisibilityFixesView({ result: shown }));
const line = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** What the copy buttons of a page copy. */
const copied = (html: string): readonly string[] =>
  [...html.matchAll(/<pre tabindex="0"><code>([^<]*)<\/code>/g)].map(([, code = '']) => textOf(code));

describe('the page of a fix pack', () => {
  const html = fixPage(fixes);
  const rows = html.split('<details class="fix-card"').slice(1);

  test('has every fix in its order: what to do, to which file, what it gains and how to see it', () => {
    expect(fixes.length).toBeGreaterThan(20);
    expect(rows).toHaveLength(fixes.length);
    for (const [at, fix] of fixes.entries()) {
      const text = textOf(rows[at] ?? '');
      expect(text).toContain(`${at + 1}. ${fix.title}`);
      expect(text).toContain(`${fix.file} ${line(fix.instructions)}`);
      expect(text).toContain(line(fix.verify.expect));
      expect(text).toContain(`Check ${fix.id} , weight ${fix.weight}`);
      for (const fact of fix.facts_needed) expect(text).toContain(fact);
      for (const [name, gain] of Object.entries(fix.gains))
        expect(text).toContain(`+${gain} ${{ aeo: 'AEO', geo: 'GEO', agent: 'Agent', mcp: 'MCP' }[name]}`);
      for (const { url } of fix.evidence) expect(text).toContain(url);
    }
  });

  test('content, patch, configuration per server and command can be copied', () => {
    for (const [at, { content, diff, configure, verify }] of fixes.entries()) {
      const blocks = copied(rows[at] ?? '');
      const wanted = [content, diff, ...Object.values(configure ?? {}), verify.command];
      expect(blocks).toEqual(wanted.flatMap((text) => (text === undefined ? [] : [line(text)])));
    }
    expect(fixes.some(({ configure }) => configure?.nginx !== undefined)).toBe(true);
    expect(html).toContain('<summary>For nginx</summary>');
  });

  test('opens the most valuable ones, and says how much work there is', () => {
    expect(rows.map((row) => row.startsWith(' open'))).toEqual(fixes.map((_fix, at) => at < 3));
    const minutes = fixes.filter(({ effort }) => effort === 'minutes').length;
    expect(textOf(html)).toContain(`${fixes.length} fixes, the most valuable first: ${minutes} take minutes`);
  });

  test('a fix that gains nothing by itself does not show points', () => {
    const none = fixes.find(({ points, gains }) => points === 0 && Object.keys(gains).length === 0);
    if (!none) throw new Error('the example has a fix without points');
    expect(textOf(fixPage([none]))).toContain('No points by itself');
  });

  test('an empty pack says so', () => {
    expect(textOf(fixPage([]))).toContain('Nothing to fix');
  });

  test.each(attacks.map((attack) => [attack.slice(0, 40), attack] as const))('X6: %j stays text', (_name, attack) => {
    // An id is an anchor where it has the shape of ours: left as it is.
    const hostile = withText(fixes, attack).map((fix, at) => ({ ...fix, id: fixes[at]?.id ?? '' }));
    const plain = withText(fixes, 'plain').map((fix, at) => ({ ...fix, id: fixes[at]?.id ?? '' }));
    expect(treeOf(fixPage(hostile))).toEqual(treeOf(fixPage(plain)));
  });
});

describe('the page of generated files', () => {
  test('shows each file with its path, type, size and hash, to be copied whole', () => {
    for (const shown of [files, reportFiles]) {
      expect(shown.length).toBeGreaterThan(0);
      const page = filePage(shown);
      for (const { path, media_type: type, content, sha256 } of shown) {
        expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
        const size = Buffer.byteLength(content);
        expect(textOf(page)).toContain(`${path} ${type}, ${size} bytes, SHA-256 ${sha256}`);
      }
      expect(copied(page)).toEqual(shown.map(({ content }) => line(content)));
    }
  });

  test('none is said as none', () => {
    expect(textOf(filePage([]))).toContain('There was nothing to make a file from.');
  });

  test.each(attacks.map((attack) => [attack.slice(0, 40), attack] as const))('X6: %j stays text', (_name, attack) => {
    expect(treeOf(filePage(withText(files, attack)))).toEqual(treeOf(filePage(withText(files, 'plain'))));
  });
});

describe('the page of texts against weak spots', () => {
  test('has the three texts of each topic, where they go, what to fill in and how to see it', () => {
    const text = textOf(textPage(texts));
    expect(texts.fixes.length).toBeGreaterThan(1);
    for (const [at, fix] of texts.fixes.entries()) {
      expect(text).toContain(`${at + 1}. ${fix.topic}`);
      expect(text).toContain(`${fix.place.passage} Copy the passage ${line(fix.passage)}`);
      expect(text).toContain(line(fix.faq_html));
      expect(text).toContain(`Copy the JSON-LD ${line(fix.faq_json_ld)}`);
      expect(text).toContain(`${fix.place.llms_txt_section} Copy the section ${line(fix.llms_txt_section)}`);
      expect(text).toContain(fix.place.faq_json_ld);
      expect(text).toContain(fix.verify);
      expect(text).toContain(fix.evidence);
      for (const fact of fix.facts_needed) expect(text).toContain(fact);
    }
  });

  test.each(attacks.map((attack) => [attack.slice(0, 40), attack] as const))('X6: %j stays text', (_name, attack) => {
    expect(treeOf(textPage(withText(texts, attack)))).toEqual(treeOf(textPage(withText(texts, 'plain'))));
  });
});
