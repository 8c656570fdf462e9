import { escapeReferences } from '../../../report/markdown.ts';
import { formatCodeCell, formatCodeSpan } from '../../../lib/safe-text.ts';
import type { Versus } from '../parts/words.ts';
import { describeChance, describeVisibleDifference } from '../visibility/verdict.ts';
import {
  formatBrandSections,
  formatBullets,
  formatCautions,
  joinMarkdownSections,
  formatMeasuredRun,
  formatRateText,
  formatMarkdownSection,
  formatMarkdownTable,
} from './parts.ts';

/** Two brands on the same answers as Markdown: foreign text makes no link, image or mention (rule X7). */
export function formatVersusMarkdown(result: Versus): string {
  const { brand, competitor } = result.brands;
  return joinMarkdownSections([
    '# AI visibility of two brands',
    `${formatCodeSpan(brand.name)} against ${formatCodeSpan(competitor.name)}, when people ask for ${formatCodeSpan(result.niche)} without naming anybody. Figures in brackets are 95 % intervals.`,
    formatCautions(result),
    formatMarkdownSection('## Who is named more often', formatVerdict(result)),
    formatMarkdownSection('## Side by side', formatSideBySide(result)),
    ...[brand, competitor].flatMap((side) => [
      `## ${formatCodeSpan(side.name)}`,
      ...formatBrandSections(side.name, side, '###'),
    ]),
    formatMeasuredRun(result, brand),
  ]);
}

function formatVerdict(result: Versus): string {
  const { brand, competitor } = result.brands;
  const { brand_only: ahead, competitor_only: behind, both, neither } = result.discordant;
  const leads = {
    brand: `**${formatCodeSpan(brand.name)} is named more often.**`,
    competitor: `**${formatCodeSpan(competitor.name)} is named more often.**`,
    too_close_to_call: '**Too close to call.**',
  };
  return [
    leads[result.verdict],
    formatMarkdownTable(
      ['The answer names', 'Answers:'],
      [
        [`only ${formatCodeCell(brand.name)}`, `${ahead}`],
        ['both', `${both}`],
        [`only ${formatCodeCell(competitor.name)}`, `${behind}`],
        ['neither', `${neither}`],
      ],
    ),
    `p = ${result.p_value}. ${describeChance(result.p_value)} ${describeVisibleDifference(result.smallest_visible_difference)}`,
    formatBullets(result.notes.map((note) => escapeReferences(note))),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function formatSideBySide({ brands: { brand, competitor } }: Versus): string {
  const intents = brand.intents.map(({ label, mention_rate: rate }, at) => [
    escapeReferences(label),
    formatRateText(rate),
    formatRateText(competitor.intents[at]?.mention_rate ?? null),
  ]);
  return formatMarkdownTable(
    ['Figure', `${formatCodeCell(brand.name)}:`, `${formatCodeCell(competitor.name)}:`],
    [
      ['Mention rate', formatRateText(brand.mention_rate), formatRateText(competitor.mention_rate)],
      [
        'Recommendation rate',
        formatRateText(brand.recommendation_rate),
        formatRateText(competitor.recommendation_rate),
      ],
      ['Share of voice', formatRateText(brand.share_of_voice), formatRateText(competitor.share_of_voice)],
      ...intents,
    ],
  );
}
