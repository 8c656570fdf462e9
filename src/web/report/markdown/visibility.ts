import { isNeitherNamed } from '../../../visibility/metrics/versus.ts';
import { escapeReferences } from '../../../report/markdown.ts';
import { formatCodeCell, formatCodeSpan, fenceCodeBlock } from '../../../lib/safe-text.ts';
import { formatTemplateNote } from '../views/template-note.tsx';
import type { Versus, Visibility, VisibilityFixes } from '../parts/words.ts';
import type { ShownAnswers } from '../answers/shown-answer.ts';
import { versusWords } from '../visibility/versus-words.ts';
import { formatAnswersMarkdown } from './answers.ts';
import {
  formatBrandSections,
  formatBullets,
  formatCautions,
  joinMarkdownSections,
  formatMeasuredRun,
  formatRateText,
  formatMarkdownSection,
  formatMarkdownTable,
  MAX_MARKDOWN_QUOTE_CHARS,
} from './parts.ts';

/** Two brands on the same answers as Markdown: foreign text makes no link, image or mention (rule X7). */
export function formatVersusMarkdown(result: Versus, answers?: ShownAnswers): string {
  const { brand, competitor } = result.brands;
  return joinMarkdownSections([
    '# AI visibility of two brands',
    `${formatCodeSpan(brand.name)} against ${formatCodeSpan(competitor.name)}, when an assistant is asked for ${formatCodeSpan(result.niche)} without naming any brand. Figures in brackets are 95 % intervals.`,
    formatCautions(result),
    formatMarkdownSection('## Who is named more often', formatVerdict(result)),
    formatMarkdownSection('## Side by side', formatSideBySide(result)),
    ...[brand, competitor].flatMap((side) => [
      `## ${formatCodeSpan(side.name)}`,
      ...formatBrandSections(side.name, side, '###'),
    ]),
    formatAnswersMarkdown(answers),
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
    isNeitherNamed(result.discordant) ? `**${versusWords.en.neitherNamed}.**` : leads[result.verdict],
    formatMarkdownTable(
      ['The answer names', 'Answers:'],
      [
        [`only ${formatCodeCell(brand.name)}`, `${ahead}`],
        ['both', `${both}`],
        [`only ${formatCodeCell(competitor.name)}`, `${behind}`],
        ['neither', `${neither}`],
      ],
    ),
    `p = ${result.p_value}. ${versusWords.en.chance(result.p_value)} ${versusWords.en.visible(result.smallest_visible_difference)}`,
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

/** The measurement of one brand as Markdown: text of answers, names and prompts makes no link, image or mention (rule X7). */
export const formatVisibilityMarkdown = (result: Visibility, answers?: ShownAnswers): string =>
  joinMarkdownSections([
    '# AI visibility of a brand',
    `Brand: ${formatCodeSpan(result.brand)}, when an assistant is asked for ${formatCodeSpan(result.niche)} without naming any brand. ${result.prompts.total} prompts, ${result.prompts.valid} answers. Figures in brackets are 95 % intervals.`,
    formatCautions(result),
    '## At a glance',
    ...formatBrandSections(result.brand, result, '##'),
    formatAnswersMarkdown(answers),
    formatMeasuredRun(result, result),
  ]);

/** Texts against weak spots as Markdown: what is to be published is in fences, so that it can be copied as it is. */
export const formatVisibilityFixesMarkdown = ({ brand, niche, filled, fixes }: VisibilityFixes): string =>
  joinMarkdownSections([
    '# Texts for AI visibility',
    `Brand: ${formatCodeSpan(brand)}, market: ${formatCodeSpan(niche)}. Fill in every \`[FACT NEEDED: ...]\` slot from your own records before you publish.`,
    ...[formatTemplateNote(filled)].filter((note) => note !== ''),
    ...fixes.map((fix, index) => formatFixTopic(fix, index)),
  ]);

const formatFixTopic = (fix: VisibilityFixes['fixes'][number], index: number): string =>
  [
    `## ${index + 1}. ${formatCodeSpan(fix.topic)}`,
    ...(fix.evidence === undefined ? [] : [`Evidence: ${formatCodeSpan(fix.evidence, MAX_MARKDOWN_QUOTE_CHARS)}`]),
    ...(fix.facts_needed.length === 0
      ? []
      : [`Facts needed:\n\n${formatBullets(fix.facts_needed.map((fact) => formatCodeSpan(fact)))}`]),
    `### A passage to be quoted\n\n${escapeReferences(fix.place.passage)}\n\n${fenceCodeBlock(fix.passage, 'markdown')}`,
    `### Questions and answers as structured data\n\n${escapeReferences(fix.place.faq_json_ld)}\n\n${fenceCodeBlock(fix.faq_html, 'html')}`,
    `### A section of llms.txt\n\n${escapeReferences(fix.place.llms_txt_section)}\n\n${fenceCodeBlock(fix.llms_txt_section, 'markdown')}`,
    `### See that it works\n\n${escapeReferences(fix.verify)}`,
  ].join('\n\n');
