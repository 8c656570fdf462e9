import { Parser } from 'htmlparser2';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import {
  formatVersusMarkdown,
  formatVisibilityFixesMarkdown,
  formatVisibilityMarkdown,
} from '../../../../src/web/report/markdown/visibility.ts';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { textOf, treeOf, withText } from '../../../support/pages/view-page.ts';
import {
  silentOnPrices,
  versusExample,
  visibilityExample,
  visibilityFixExample,
} from '../../../support/pages/view-results.ts';
import { sampleRows } from '../../../support/runner/budget.ts';

const check = await visibilityExample();
const versus = await versusExample();
const fixes = await visibilityFixExample();

/** As a forge shows it: tables, bare addresses and all, with HTML that the text may hold let through. */
const shown = (markdown: string): string =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });

/** Elements that act: what text of others must never make. */
function acting(html: string): readonly string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (name) => {
      if (['a', 'img', 'script', 'input', 'iframe', 'svg'].includes(name)) found.push(name);
    },
  });
  parser.end(html);
  return found;
}

const forms = [
  ['visibility_check', (text?: string) => formatVisibilityMarkdown(text === undefined ? check : withText(check, text))],
  [
    'visibility_vs_competitor',
    (text?: string) => formatVersusMarkdown(text === undefined ? versus : withText(versus, text)),
  ],
  [
    'visibility_fix_pack',
    (text?: string) => formatVisibilityFixesMarkdown(text === undefined ? fixes : withText(fixes, text)),
  ],
] as const;

describe('Markdown of visibility', () => {
  test('says the figures of a check', () => {
    const text = textOf(shown(formatVisibilityMarkdown(check)));
    expect(text).toContain('Mention rate: 25 % (13 % to 43 %), 7 of 28 answers; 23 % to 30 %');
    expect(text).toContain('Recommendation rate: 14 % (6 % to 31 %), 4 of 28 answers');
    for (const { name, mentioned, mention_rate: rate } of check.rivals) {
      expect(text).toContain(name);
      expect(text).toContain(`${mentioned} of ${rate.n}`);
    }
    for (const { quote } of check.recommended_instead) expect(text).toContain(quote.replaceAll(/\s+/gu, ' '));
    for (const one of check.prompts.asked) expect(text).toContain(one.prompt);
    expect(text).toContain(check.transcripts_sha256);
  });

  test('says what could not be looked at, and not 0', async () => {
    const silent = await visibilityExample(silentOnPrices);
    const row = formatVisibilityMarkdown({ ...silent, share_of_voice: null })
      .split('\n')
      .filter((line) => line.startsWith('| Price and value') || line.startsWith('- Share of voice'));
    expect(row).toEqual([
      '- Share of voice: not measured, because no brand name was found in the answers. This is not 0 %.',
      '| Price and value | could not check | 0 | could not check |  |',
    ]);
  });

  test('warns of a simulated engine before any figure', () => {
    const engine = { ...check.engine, kind: 'simulated' as const, simulated: true };
    const markdown = formatVisibilityMarkdown({ ...check, engine });
    expect(markdown.indexOf('Simulated engine')).toBeGreaterThan(0);
    expect(markdown.indexOf('Simulated engine')).toBeLessThan(markdown.indexOf('Mention rate'));
  });

  test('says the verdict of two brands, its p value and the counts', () => {
    const text = textOf(shown(formatVersusMarkdown(versus)));
    expect(text).toContain('Too close to call.');
    expect(text).toContain('p = 0.1797. ');
    const { brand_only: ahead, competitor_only: behind, both, neither } = versus.discordant;
    expect(text).toContain(`only Example Desk ${ahead} both ${both} only Sample Support ${behind} neither ${neither}`);
    expect(text).toContain('25.7 points');
  });

  test('holds each text against a weak spot whole', () => {
    const html = shown(formatVisibilityFixesMarkdown(fixes));
    for (const { passage, llms_txt_section: section } of fixes.fixes) {
      expect(textOf(html)).toContain(passage.replaceAll(/\s+/gu, ' '));
      expect(textOf(html)).toContain(section.replaceAll(/\s+/gu, ' '));
    }
  });

  describe.each(forms.map(([name, form], turn) => [name, form, turn] as const))('of %s', (_name, form, turn) => {
    test('X7: has no link or image', () => {
      expect(acting(shown(form()))).toEqual([]);
    });

    test.each(sampleRows(attacks, forms.length, turn).map((attack) => [attack.slice(0, 40), attack] as const))(
      'X7: %j makes no link, image, HTML, mention or table cell',
      (_attack, attack) => {
        const html = shown(form(attack));
        expect(acting(html)).toEqual([]);
        expect(treeOf(html).filter((tag) => tag.startsWith('<td') || tag.startsWith('<h'))).toEqual(
          treeOf(shown(form('plain'))).filter((tag) => tag.startsWith('<td') || tag.startsWith('<h')),
        );
        expect(form(attack).replaceAll(/(`+)[^`]*\1/g, '')).not.toMatch(/(?<![\\`])@[\w-]/);
      },
    );
  });
});
