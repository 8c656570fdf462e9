import { formatCodeCell, formatCodeSpan } from '../../../lib/safe-text.ts';
import type { PanelReport } from '../panel/panel.tsx';
import type { ShownAnswers } from '../answers/shown-answer.ts';
import { formatAnswersMarkdown } from './answers.ts';
import { formatMarkdownSection, formatMarkdownTable, formatRateText, joinMarkdownSections } from './parts.ts';

/** A brand in several engines as Markdown: foreign text makes no link, image or mention (rule X7). */
export const formatPanelMarkdown = ({ brand, niche, engines, pooled }: PanelReport, answers?: ShownAnswers): string =>
  joinMarkdownSections([
    '# AI visibility in several engines',
    `${formatCodeSpan(brand)}, when an assistant is asked for ${formatCodeSpan(niche)} without naming any brand. Figures in brackets are 95 % intervals.`,
    formatMarkdownSection(
      '## Engine by engine',
      formatMarkdownTable(
        ['Engine', 'Mention rate'],
        [
          ...engines.map((engine) => [
            formatCodeCell(engine.name),
            engine.status === 'measured' ? formatRateText(engine.mention_rate) : 'not measured',
          ]),
          ['all engines', formatRateText(pooled.mention_rate)],
        ],
      ),
    ),
    formatAnswersMarkdown(answers),
  ]);
