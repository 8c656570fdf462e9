import { words } from '../../../report/markdown.ts';
import { codeCell, codeSpan } from '../../../lib/safe-text.ts';
import type { Versus } from '../parts/words.ts';
import { chanceText, visibleText } from '../visibility/verdict.ts';
import { brandSections, bullets, cautions, joined, measured, rateText, section, table } from './parts.ts';

/** Two brands on the same answers as Markdown: foreign text makes no link, image or mention (rule X7). */
export function versusMarkdown(result: Versus): string {
  const { brand, competitor } = result.brands;
  return joined([
    '# AI visibility of two brands',
    `${codeSpan(brand.name)} against ${codeSpan(competitor.name)}, when people ask for ${codeSpan(result.niche)} without naming anybody. Figures in brackets are 95 % intervals.`,
    cautions(result),
    section('## Who is named more often', verdict(result)),
    section('## Side by side', sideBySide(result)),
    ...[brand, competitor].flatMap((side) => [`## ${codeSpan(side.name)}`, ...brandSections(side.name, side, '###')]),
    measured(result, brand),
  ]);
}

function verdict(result: Versus): string {
  const { brand, competitor } = result.brands;
  const { brand_only: ahead, competitor_only: behind, both, neither } = result.discordant;
  const leads = {
    brand: `**${codeSpan(brand.name)} is named more often.**`,
    competitor: `**${codeSpan(competitor.name)} is named more often.**`,
    too_close_to_call: '**Too close to call.**',
  };
  return [
    leads[result.verdict],
    table(
      ['The answer names', 'Answers:'],
      [
        [`only ${codeCell(brand.name)}`, `${ahead}`],
        ['both', `${both}`],
        [`only ${codeCell(competitor.name)}`, `${behind}`],
        ['neither', `${neither}`],
      ],
    ),
    `p = ${result.p_value}. ${chanceText(result.p_value)} ${visibleText(result.smallest_visible_difference)}`,
    bullets(result.notes.map((note) => words(note))),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function sideBySide({ brands: { brand, competitor } }: Versus): string {
  const intents = brand.intents.map(({ label, mention_rate: rate }, at) => [
    words(label),
    rateText(rate),
    rateText(competitor.intents[at]?.mention_rate ?? null),
  ]);
  return table(
    ['Figure', `${codeCell(brand.name)}:`, `${codeCell(competitor.name)}:`],
    [
      ['Mention rate', rateText(brand.mention_rate), rateText(competitor.mention_rate)],
      ['Recommendation rate', rateText(brand.recommendation_rate), rateText(competitor.recommendation_rate)],
      ['Share of voice', rateText(brand.share_of_voice), rateText(competitor.share_of_voice)],
      ...intents,
    ],
  );
}
