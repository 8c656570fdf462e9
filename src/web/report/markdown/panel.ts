import { formatCodeCell, formatCodeSpan } from '../../../lib/safe-text.ts';
import { engineLabels } from '../../../models/port.ts';
import { escapeReferences } from '../../../report/markdown.ts';
import { MAX_PANEL_RIVALS } from '../../../visibility/panel/pooled-rivals.ts';
import { formatCountry } from '../../language/countries.ts';
import type { ShownAnswers } from '../answers/shown-answer.ts';
import { listDemonstrations, listWeakEngines } from '../panel/cautions.tsx';
import { describePanelAnswer, describeWithoutAnswer } from '../panel/outcomes.tsx';
import {
  computePoints,
  countOwnAnswers,
  isMeasuredEngine,
  listEnginePairs,
  MAX_SAID_TOPS,
  type PanelReport,
  rankPooled,
  summarisePanel,
} from '../panel/panel-report.ts';
import { enginePanelWords } from '../panel/panel-words.ts';
import { formatProbability } from '../parts/words.ts';
import { visibilityWords } from '../visibility/visibility-words.ts';
import { formatAnswersMarkdown } from './answers.ts';
import { formatCitationSections } from './citations.ts';
import {
  formatBrandSections,
  formatBullets,
  formatMarkdownSection,
  formatMarkdownTable,
  formatRateText,
  formatRecommendedInstead,
  joinMarkdownSections,
  MAX_MARKDOWN_QUOTE_CHARS,
} from './parts.ts';

const words = enginePanelWords.en;

/** A brand in several engines as Markdown: foreign text makes no link, image or mention (rule X7). */
export const formatPanelMarkdown = (result: PanelReport, answers?: ShownAnswers): string =>
  joinMarkdownSections([
    '# AI visibility in several engines',
    formatPanelCautions(result),
    formatSummary(result),
    `${formatCodeSpan(result.brand)}, when an assistant is asked for ${formatCodeSpan(result.niche)} without naming any brand. Figures in brackets are 95 % intervals.`,
    formatMarkdownSection(`## ${words.engines}`, formatEngineRates(result)),
    formatMarkdownSection(`## ${words.differ}`, formatDifferences(result)),
    formatMarkdownSection(`## ${words.competitors}`, formatCompetitors(result)),
    formatMarkdownSection(`## ${words.rivals}`, formatPooledRivals(result)),
    formatMarkdownSection(`## ${words.weakSpots}`, formatPooledSpots(result)),
    formatMarkdownSection(`## ${visibilityWords.en.instead}`, formatRecommendedInstead(result.pooled)),
    formatAnswersMarkdown(answers),
    ...formatCitationSections(result.citations, '##'),
    ...formatEachEngine(result),
    formatMarkdownSection(`## ${words.asked}`, formatEngineFacts(result)),
    formatMarkdownSection(`### ${words.outcomes}`, formatOutcomes(result)),
    formatMarkdownSection(`## ${words.notes}`, formatBullets(result.notes.map((note) => escapeReferences(note)))),
    formatMarkdownSection(`### ${words.proofs}`, formatProofs(result)),
  ]);

/** What must be known before any figure is read: see `PanelCautions`. */
function formatPanelCautions(result: PanelReport): string {
  const demonstrations = listDemonstrations(result).map(({ kind, engines }) => {
    const names = engines.map(({ name }) => formatCodeSpan(name)).join(', ');
    return `> **Warning:** ${names}: ${visibilityWords.en.demonstration[kind]}`;
  });
  const weak = listWeakEngines(result).map((engine) => {
    const name = formatCodeSpan(engine.name);
    return engine.status === 'measured'
      ? `> - ${name}: ${words.fewOf(engine.valid, result.prompts.total)}`
      : `> - ${name}: ${words.unavailable}. ${formatCodeSpan(engine.detail, MAX_MARKDOWN_QUOTE_CHARS)}`;
  });
  const isWeak = result.degraded || weak.length > 0;
  return [
    ...demonstrations,
    ...(isWeak ? [[`> **Warning:** ${words.degraded}`, ...(weak.length === 0 ? [] : ['>', ...weak])].join('\n')] : []),
  ].join('\n\n');
}

function formatSummary(result: PanelReport): string {
  const { tops, place, namedBy, engines } = summarisePanel(result);
  const [before, behind] = words.top[tops.length === 1 ? 'one' : 'several'];
  const further = tops.length - MAX_SAID_TOPS;
  const said = [
    ...tops.slice(0, MAX_SAID_TOPS).map((top) => formatCodeSpan(top)),
    ...(further > 0 ? [words.furtherTops(further)] : []),
  ].join(', ');
  const first = tops.length === 0 ? [] : [`${before}${said}${behind}`];
  const own = `${formatCodeSpan(result.brand)} ${visibilityWords.en.ownPlace(place)}`;
  return `**${[...first, own, words.namedBy(namedBy, engines)].join(' ')}**`;
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
  const pairs = listEnginePairs(result);
  if (pairs.length === 0) return '';
  const said = pairs.flatMap(({ called, points, prompts, p }) =>
    called === undefined
      ? []
      : words.moreOften(
          formatCodeSpan(called.more),
          formatCodeSpan(called.fewer),
          Math.abs(points),
          prompts,
          formatProbability(p),
        ),
  );
  const [engines, prompts, first, second, difference, p, verdict] = words.pairColumns;
  const table = formatMarkdownTable(
    [engines, `${prompts}:`, `${first}:`, `${second}:`, `${difference}:`, `${p}:`, verdict],
    pairs.map((pair) => [
      pair.names.map((name) => formatCodeCell(name)).join(' / '),
      `${pair.prompts}`,
      `${pair.only[0]}`,
      `${pair.only[1]}`,
      words.points(pair.points),
      formatProbability(pair.p),
      pair.called === undefined ? words.tooClose : words.namesMore(formatCodeCell(pair.called.more)),
    ]),
  );
  return `${said.length === 0 ? words.noneDiffers : formatBullets(said)}\n\n${table}`;
}

/** All that a single measurement of each engine would say. */
const formatEachEngine = ({ brand, engines }: PanelReport): readonly string[] =>
  engines
    .filter(isMeasuredEngine)
    .flatMap((engine) => [
      `## ${words.eachOf} ${formatCodeSpan(engine.name)}`,
      ...formatBrandSections(brand, engine, '###'),
    ]);

const formatCompetitors = ({ pooled }: PanelReport): string => {
  const [name, named, liked, difference, verdict] = words.competitorColumns;
  return formatMarkdownTable(
    [name, `${named}:`, `${liked}:`, `${difference}:`, verdict],
    pooled.competitors.map((one) => [
      formatCodeCell(one.name),
      formatRateText(one.mention_rate),
      formatRateText(one.recommendation_rate),
      words.points(computePoints(one.difference)),
      `${words.verdicts[one.verdict]} (p = ${formatProbability(one.adjusted_p_value)})`,
    ]),
  );
};

function formatPooledRivals(result: PanelReport): string {
  const { brand, pooled } = result;
  const [name, named, engines, answers, recommended] = words.rivalColumns;
  const own = countOwnAnswers(result);
  const { namedBy } = summarisePanel(result);
  const table = formatMarkdownTable(
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
  const rows = pooled.rivals.length;
  return rows < MAX_PANEL_RIVALS ? table : `${table}\n\n${words.rivalsCut(rows)}`;
}

const formatPooledSpots = ({ pooled }: PanelReport): string =>
  formatBullets(
    pooled.weak_spots.map(({ topic, who_wins: winner, evidence }) => {
      const ahead = winner === undefined ? words.noneAhead : `${formatCodeSpan(winner)} ${words.ahead}`;
      return `**${escapeReferences(topic)}**: ${ahead} Seen: ${formatCodeSpan(evidence, MAX_MARKDOWN_QUOTE_CHARS)}`;
    }),
  );

function formatEngineFacts(result: PanelReport): string {
  const { engines, prompts } = result;
  const [engine, kind, model, served, search, country, answers, without] = words.factColumns;
  const { noModel, servedUnknown, none } = visibilityWords.en;
  const table = formatMarkdownTable(
    [engine, kind, model, served, search, country, `${answers}:`, without],
    engines.map((one) => [
      formatCodeCell(one.name),
      `${one.simulated ? noModel : ''}${engineLabels[one.kind]}`,
      formatCodeCell(one.model),
      one.served_models.length === 0 ? servedUnknown : one.served_models.map((name) => formatCodeCell(name)).join(' '),
      one.web_search ? words.yes : words.no,
      one.country === null ? words.noCountry : formatCodeCell(formatCountry(one.country, 'en')),
      words.ofEngines(one.valid, prompts.total),
      describeWithoutAnswer(result, one, 'en') || none,
    ]),
  );
  return `${words.method}\n\n${table}`;
}

/** A row for each prompt at each engine, with the hash of the text that came. */
const formatOutcomes = ({ prompts }: PanelReport): string =>
  formatMarkdownTable(
    [words.prompt, 'Engine', 'Outcome', 'Model', 'SHA-256 of the text'],
    prompts.asked.flatMap(({ prompt, answers }) =>
      answers.map((answer) => [
        formatCodeCell(prompt, MAX_MARKDOWN_QUOTE_CHARS),
        formatCodeCell(answer.engine),
        `${answer.status === 'answered' ? '' : 'no answer: '}${describePanelAnswer(answer, 'en')}`,
        answer.status === 'failed' ? '' : formatModel(answer.served_model),
        answer.sha256 === undefined ? '' : formatCodeCell(answer.sha256),
      ]),
    ),
  );

const formatModel = (model: string | null | undefined): string =>
  model === null || model === undefined ? 'not named' : formatCodeCell(model);

const formatProofs = ({ engines, prompts }: PanelReport): string =>
  formatBullets([
    `${words.promptSet} ${formatCodeSpan(prompts.set)}, SHA-256 ${formatCodeSpan(prompts.sha256)}`,
    ...engines.map(
      ({ name, run_id: run, transcripts_sha256: hash }) =>
        `${formatCodeSpan(name)}: run ${formatCodeSpan(run)}, SHA-256 of all transcripts ${formatCodeSpan(hash)}`,
    ),
  ]);
