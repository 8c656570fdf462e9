import { formatCodeCell, formatCodeSpan } from '../../../lib/safe-text.ts';
import { engineLabels } from '../../../models/port.ts';
import { escapeReferences } from '../../../report/markdown.ts';
import { formatCountry } from '../../language/countries.ts';
import { describeDemonstration } from '../parts/words.ts';
import { countEngineRefusals } from '../panel/engines.tsx';
import { enginePanelWords } from '../panel/panel-words.ts';
import {
  computePoints,
  listCalledDifferences,
  type PanelReport,
  rankPooled,
  summarisePanel,
} from '../panel/panel-report.ts';
import { countOwnAnswers } from '../panel/rivals.tsx';
import type { ShownAnswers } from '../answers/shown-answer.ts';
import { formatAnswersMarkdown } from './answers.ts';
import { formatCitationSections } from './citations.ts';
import {
  formatBullets,
  formatMarkdownSection,
  formatMarkdownTable,
  formatRateText,
  joinMarkdownSections,
  MAX_MARKDOWN_QUOTE_CHARS,
} from './parts.ts';

const words = enginePanelWords.en;

/** A brand in several engines as Markdown: foreign text makes no link, image or mention (rule X7). */
export const formatPanelMarkdown = (result: PanelReport, answers?: ShownAnswers): string =>
  joinMarkdownSections([
    '# AI visibility in several engines',
    formatSummary(result),
    `${formatCodeSpan(result.brand)}, when people ask for ${formatCodeSpan(result.niche)} without naming any brand. Figures in brackets are 95 % intervals.`,
    formatPanelCautions(result),
    formatMarkdownSection(`## ${words.engines}`, formatEngineRates(result)),
    formatMarkdownSection(`## ${words.differ}`, formatDifferences(result)),
    formatMarkdownSection(`## ${words.competitors}`, formatCompetitors(result)),
    formatMarkdownSection(`## ${words.rivals}`, formatPooledRivals(result)),
    formatMarkdownSection(`## ${words.weakSpots}`, formatPooledSpots(result)),
    formatAnswersMarkdown(answers),
    ...formatCitationSections(result.citations, '##'),
    formatMarkdownSection(`## ${words.asked}`, formatEngineFacts(result)),
    formatMarkdownSection(`## ${words.notes}`, formatBullets(result.notes.map((note) => escapeReferences(note)))),
    formatMarkdownSection(`### ${words.proofs}`, formatProofs(result)),
  ]);

function formatSummary(result: PanelReport): string {
  const { top, place, ranked, namedBy, engines } = summarisePanel(result);
  const [before, behind] = words.top;
  const own = `${formatCodeSpan(result.brand)} ${place === undefined ? words.notNamed : words.place(place, ranked)}.`;
  const first = top === undefined ? [] : [`${before}${formatCodeSpan(top)}${behind}`];
  return `**${[...first, own, words.namedBy(namedBy, engines)].join(' ')}**`;
}

function formatPanelCautions({ engines, degraded }: PanelReport): string {
  const demonstrations = new Set(engines.flatMap((engine) => describeDemonstration(engine) ?? []));
  const warnings = [...demonstrations, ...(degraded ? [words.degraded] : [])];
  return warnings.map((text) => `> **Warning:** ${text}`).join('\n\n');
}

function formatEngineRates({ engines, pooled }: PanelReport): string {
  const [engine, named, liked, voice] = words.columns;
  const rates = (one: Pick<typeof pooled, 'mention_rate' | 'recommendation_rate' | 'share_of_voice'>) => [
    formatRateText(one.mention_rate),
    formatRateText(one.recommendation_rate),
    formatRateText(one.share_of_voice),
  ];
  const table = formatMarkdownTable(
    [engine, `${named}:`, `${liked}:`, `${voice}:`],
    [
      ...engines.map((one) =>
        one.status === 'measured'
          ? [`${formatCodeCell(one.name)}${one.degraded ? ` (${words.few})` : ''}`, ...rates(one)]
          : [formatCodeCell(one.name), `${words.unavailable}: ${words.tooFew(one.valid)}`, '', ''],
      ),
      [words.pooled, ...rates(pooled)],
    ],
  );
  return `${table}\n\n${words.pooledLead(pooled.engines)}`;
}

function formatDifferences(result: PanelReport): string {
  if (result.differences.length === 0) return '';
  const called = listCalledDifferences(result);
  if (called.length === 0) return words.noneDiffers;
  return formatBullets(
    called.map(({ more, fewer, points, prompts, p }) =>
      words.moreOften(formatCodeSpan(more), formatCodeSpan(fewer), points, prompts, p),
    ),
  );
}

const formatCompetitors = ({ pooled }: PanelReport): string => {
  const [name, named, liked, difference, verdict] = words.competitorColumns;
  return formatMarkdownTable(
    [name, `${named}:`, `${liked}:`, `${difference}:`, verdict],
    pooled.competitors.map((one) => [
      formatCodeCell(one.name),
      formatRateText(one.mention_rate),
      formatRateText(one.recommendation_rate),
      words.points(computePoints(one.difference)),
      `${words.verdicts[one.verdict]} (p = ${one.adjusted_p_value})`,
    ]),
  );
};

function formatPooledRivals(result: PanelReport): string {
  const { brand, pooled } = result;
  const [name, named, engines, answers, recommended] = words.rivalColumns;
  const own = countOwnAnswers(result);
  const { namedBy } = summarisePanel(result);
  return formatMarkdownTable(
    [name, `${named}:`, `${engines}:`, `${answers}:`, `${recommended}:`],
    rankPooled(result).map((rival) => {
      const [label, row, by] =
        rival === 'own'
          ? [`${formatCodeCell(brand)} ${words.thisBrand}`, { ...own, mention_rate: pooled.mention_rate }, namedBy]
          : [formatCodeCell(rival.name), rival, rival.engines];
      return [
        label,
        formatRateText(row.mention_rate),
        words.ofEngines(by, pooled.engines),
        `${row.mentioned}`,
        `${row.recommended}`,
      ];
    }),
  );
}

const formatPooledSpots = ({ pooled }: PanelReport): string =>
  formatBullets(
    pooled.weak_spots.map(({ topic, who_wins: winner, evidence }) => {
      const ahead = winner === undefined ? words.noneAhead : `${formatCodeSpan(winner)} ${words.ahead}`;
      return `**${escapeReferences(topic)}**: ${ahead} Seen: ${formatCodeSpan(evidence, MAX_MARKDOWN_QUOTE_CHARS)}`;
    }),
  );

function formatEngineFacts({ engines, prompts }: PanelReport): string {
  const [engine, model, served, search, country, answers] = words.factColumns;
  const table = formatMarkdownTable(
    [engine, 'Kind', model, served, search, country, `${answers}:`],
    engines.map((one) => {
      const refused = countEngineRefusals(one);
      return [
        formatCodeCell(one.name),
        engineLabels[one.kind],
        formatCodeCell(one.model),
        one.served_models.map((name) => formatCodeCell(name)).join(' '),
        one.web_search ? words.yes : words.no,
        one.country === null ? words.noCountry : formatCountry(one.country, 'en'),
        `${words.ofEngines(one.valid, prompts.total)}${refused === 0 ? '' : `, ${words.refused(refused)}`}`,
      ];
    }),
  );
  return `${words.method}\n\n${table}`;
}

const formatProofs = ({ engines, prompts }: PanelReport): string =>
  formatBullets([
    `${words.promptSet} ${formatCodeSpan(prompts.set)}, SHA-256 ${formatCodeSpan(prompts.sha256)}`,
    ...engines.map(
      ({ name, run_id: run, transcripts_sha256: hash }) =>
        `${formatCodeSpan(name)}: run ${formatCodeSpan(run)}, SHA-256 of all transcripts ${formatCodeSpan(hash)}`,
    ),
  ]);
