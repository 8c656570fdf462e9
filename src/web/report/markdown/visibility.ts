import { codeSpan } from '../../../lib/safe-text.ts';
import type { Visibility } from '../parts/shapes.ts';
import { brandSections, cautions, joined, measured } from './parts.ts';

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
