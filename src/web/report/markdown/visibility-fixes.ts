import { formatCodeSpan, fenceCodeBlock } from '../../../lib/safe-text.ts';
import { escapeReferences } from '../../../report/markdown.ts';
import type { Visibility, VisibilityFixes } from '../parts/words.ts';
import {
  formatBrandSections,
  formatBullets,
  formatCautions,
  joinMarkdownSections,
  MAX_MARKDOWN_QUOTE_CHARS,
  formatMeasuredRun,
} from './parts.ts';

/** The measurement of one brand as Markdown: text of answers, names and prompts makes no link, image or mention (rule X7). */
export const formatVisibilityMarkdown = (result: Visibility): string =>
  joinMarkdownSections([
    '# AI visibility of a brand',
    `Brand: ${formatCodeSpan(result.brand)}, when people ask for ${formatCodeSpan(result.niche)} without naming anybody. ${result.prompts.total} prompts, ${result.prompts.valid} answers. Figures in brackets are 95 % intervals.`,
    formatCautions(result),
    '## At a glance',
    ...formatBrandSections(result.brand, result, '##'),
    formatMeasuredRun(result, result),
  ]);

/** Texts against weak spots as Markdown: what is to be published is in fences, so that it can be copied as it is. */
export const formatVisibilityFixesMarkdown = ({ brand, niche, fixes }: VisibilityFixes): string =>
  joinMarkdownSections([
    '# Texts for AI visibility',
    `Brand: ${formatCodeSpan(brand)}, market: ${formatCodeSpan(niche)}. Fill in every \`[FACT NEEDED: ...]\` slot from your own records before you publish.`,
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
