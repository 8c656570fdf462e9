import { codeSpan, fenced } from '../../../lib/safe-text.ts';
import { words } from '../../../report/markdown.ts';
import type { Visibility, VisibilityFixes } from '../parts/words.ts';
import { brandSections, bullets, cautions, joined, MAX_QUOTE_CHARS, measured } from './parts.ts';

/** The measurement of one brand as Markdown: text of answers, names and prompts makes no link, image or mention (rule X7). */
export const visibilityMarkdown = (result: Visibility): string =>
  joined([
    '# AI visibility of a brand',
    `Brand: ${codeSpan(result.brand)}, when people ask for ${codeSpan(result.niche)} without naming anybody. ${result.prompts.total} prompts, ${result.prompts.valid} answers. Figures in brackets are 95 % intervals.`,
    cautions(result),
    '## At a glance',
    ...brandSections(result.brand, result, '##'),
    measured(result, result),
  ]);

/** Texts against weak spots as Markdown: what is to be published stands in fences, so that it can be copied as it is. */
export const visibilityFixesMarkdown = ({ brand, niche, fixes }: VisibilityFixes): string =>
  joined([
    '# Texts for AI visibility',
    `Brand: ${codeSpan(brand)}, market: ${codeSpan(niche)}. Fill in every \`[FACT NEEDED: ...]\` slot from your own records before you publish.`,
    ...fixes.map((fix, index) => topic(fix, index)),
  ]);

const topic = (fix: VisibilityFixes['fixes'][number], index: number): string =>
  [
    `## ${index + 1}. ${codeSpan(fix.topic)}`,
    ...(fix.evidence === undefined ? [] : [`Evidence: ${codeSpan(fix.evidence, MAX_QUOTE_CHARS)}`]),
    ...(fix.facts_needed.length === 0
      ? []
      : [`Facts needed:\n\n${bullets(fix.facts_needed.map((fact) => codeSpan(fact)))}`]),
    `### A passage to be quoted\n\n${words(fix.place.passage)}\n\n${fenced(fix.passage, 'markdown')}`,
    `### Questions and answers as structured data\n\n${words(fix.place.faq_json_ld)}\n\n${fenced(fix.faq_html, 'html')}`,
    `### A section of llms.txt\n\n${words(fix.place.llms_txt_section)}\n\n${fenced(fix.llms_txt_section, 'markdown')}`,
    `### See that it works\n\n${words(fix.verify)}`,
  ].join('\n\n');
