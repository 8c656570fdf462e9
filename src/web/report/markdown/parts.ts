import { formatPercent } from '../../../lib/numbers.ts';
import { engineLabels } from '../../../models/port.ts';
import { escapeReferences } from '../../../report/markdown.ts';
import { formatCodeCell, formatCodeSpan } from '../../../lib/safe-text.ts';
import { describeLead } from '../visibility/verdict.ts';
import {
  type ReportedBrand,
  formatQuantity,
  computeCount,
  describeDemonstration,
  FAILURES,
  FINISHES,
  REFUSALS,
  formatInterval,
  rankBrands,
  type Measurement,
  type ReportedRate,
} from '../parts/words.ts';

/** Longest quote of an answer, and longest prompt, in a code span. */
export const MAX_MARKDOWN_QUOTE_CHARS = 1000;
/** The text of a cell without anything to count: a missing number is not 0. */
const NOT_SEEN = 'could not check';

/** Sections under each other; those that are empty are left out. */
export const joinMarkdownSections = (sections: readonly string[]): string =>
  `${sections.filter((section) => section !== '').join('\n\n')}\n`;

/** A table of CommonMark's usual extension. Cells come escaped; a column of numbers is marked by `:` at its end. */
export function formatMarkdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const names = columns.map((name) => (name.endsWith(':') ? name.slice(0, -1) : name));
  return [
    line(names),
    line(columns.map((name) => (name.endsWith(':') ? '--:' : '---'))),
    ...rows.map((cells) => line(cells)),
  ].join('\n');
}

/** `25 % (13 % to 43 %)`, or that there was nothing to see. */
export const formatRateText = (rate: Pick<ReportedRate, 'value' | 'low' | 'high'> | null): string =>
  rate === null ? NOT_SEEN : `${formatPercent(rate.value)} (${formatInterval(rate)})`;

/** What must be known before any figure is read. */
export function formatCautions({ engine, degraded, prompts }: Measurement): string {
  const demonstration = describeDemonstration(engine);
  return [
    ...(demonstration === undefined ? [] : [`> **Warning:** ${demonstration}`]),
    ...(degraded ? [`> **Warning:** Degraded: only ${prompts.valid} of ${prompts.total} prompts were answered.`] : []),
  ].join('\n\n');
}

/** The figures of one brand, each section under a heading of `level`. Foreign text is in code spans only. */
export function formatBrandSections(name: string, report: ReportedBrand, level: '##' | '###'): readonly string[] {
  return [
    formatGlance(report),
    formatMarkdownSection(`${level} Weak spots`, formatWeakSpots(report)),
    formatMarkdownSection(`${level} By kind of question`, formatIntents(report)),
    formatMarkdownSection(`${level} Who is named`, formatRivals(name, report)),
    formatMarkdownSection(`${level} Recommended instead`, formatRecommendedInstead(report)),
    formatMarkdownSection(`${level} Sources that the answers cite`, formatSources(report)),
    formatMarkdownSection(`${level} How to read these figures`, formatNameReading(report)),
  ];
}

export const formatMarkdownSection = (heading: string, body: string): string =>
  body === '' ? '' : `${heading}\n\n${body}`;

export const formatBullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

function formatGlance({
  mention_rate: named,
  recommendation_rate: liked,
  share_of_voice: voice,
  average_position: place,
}: ReportedBrand): string {
  const worst = named.worst_case;
  return formatBullets([
    `Mention rate: ${formatRateText(named)}, ${computeCount(named)} of ${formatQuantity(named.n, 'answer')}${worst === undefined ? '' : `; ${formatInterval(worst)} with the missing answers all against it or all for it`}`,
    `Recommendation rate: ${formatRateText(liked)}, ${computeCount(liked)} of ${formatQuantity(liked.n, 'answer')}`,
    voice === null
      ? 'Share of voice: not measured, because no brand name was found in the answers. This is not 0 %.'
      : `Share of voice: ${formatRateText(voice)}, its part of all brand names in ${formatQuantity(voice.n, 'answer')}, each counted once per answer`,
    place === null
      ? 'Average position: none, no answer names it'
      : `Average position: ${place.value.toFixed(1)}, over ${formatQuantity(place.n, 'answer')}`,
  ]);
}

const formatWeakSpots = (report: ReportedBrand): string =>
  formatBullets(
    report.weak_spots.map(
      ({ topic, who_wins: winner, evidence }) =>
        `**${escapeReferences(topic)}**: ${winner === undefined ? 'no rival is named more often' : `${formatCodeSpan(winner)} ${describeLead(report, topic)}`}. Seen: ${formatCodeSpan(evidence, MAX_MARKDOWN_QUOTE_CHARS)}`,
    ),
  );

const formatIntents = ({ intents: rows }: ReportedBrand): string =>
  formatMarkdownTable(
    ['Kind of question', 'Mention rate:', 'Answers:', 'Recommended in:', 'Rival named most'],
    rows.map(({ label, mention_rate: rate, valid, recommended, top_rival: top }) => [
      escapeReferences(label),
      formatRateText(rate),
      `${valid}`,
      valid === 0 ? NOT_SEEN : `${recommended}`,
      top === null ? '' : `${formatCodeCell(top.name)} in ${top.mentioned}`,
    ]),
  );

function formatRivals(name: string, report: ReportedBrand): string {
  const { mention_rate: rate, recommendation_rate: liked, share_of_voice: voice } = report;
  const own = [
    `${formatCodeCell(name)} (this brand)`,
    formatRateText(rate),
    `${computeCount(rate)} of ${rate.n}`,
    `${computeCount(liked)}`,
    voice === null ? NOT_SEEN : formatPercent(voice.value),
  ];
  const rows = rankBrands(report).map((rival) =>
    rival === 'own'
      ? own
      : [
          formatCodeCell(rival.name),
          formatRateText(rival.mention_rate),
          `${rival.mentioned} of ${rival.mention_rate.n}`,
          `${rival.recommended}`,
          formatPercent(rival.share_of_voice),
        ],
  );
  return formatMarkdownTable(['Name', 'Mention rate:', 'Named in:', 'Recommended in:', 'Share of voice:'], rows);
}

export const formatRecommendedInstead = ({
  recommended_instead: rows,
}: Pick<ReportedBrand, 'recommended_instead'>): string =>
  formatBullets(
    rows.map(
      ({ name, answers, of, quote }) =>
        `${formatCodeSpan(name)} in ${answers} of ${of} answers${quote === '' ? '' : `: ${formatCodeSpan(quote, MAX_MARKDOWN_QUOTE_CHARS)}`}`,
    ),
  );

function formatSources({ sources: rows }: ReportedBrand): string {
  if (rows === null) return 'Not measured: this engine gives no sources.';
  if (rows.length === 0) return 'No answer cites a source.';
  return formatMarkdownTable(
    ['Domain', 'Answers:'],
    rows.map(({ domain, answers }) => [formatCodeCell(domain), `${answers}`]),
  );
}

const formatNameReading = ({ notes, ambiguity }: ReportedBrand): string =>
  formatBullets([
    ...notes.map((note) => escapeReferences(note)),
    `Ambiguity of the name: ${ambiguity.level}; capitals ${ambiguity.case_sensitive ? 'have to match' : 'may differ'}; ${formatQuantity(ambiguity.rejected, 'use')} not counted.`,
  ]);

/** How the answers were got, with every prompt and what came of it. */
export function formatMeasuredRun(
  { engine, niche, prompts, ...run }: Measurement,
  { failures, refused, truncated }: ReportedBrand,
): string {
  const reasons = Object.entries(failures.by_reason) as [keyof typeof FAILURES, number][];
  const facts = formatBullets([
    `Engine: ${engine.simulated ? 'no AI model, ' : ''}${engineLabels[engine.kind]}; model asked for ${formatCodeSpan(engine.model)}; models that answered: ${engine.served_models.length === 0 ? 'the engine does not say' : engine.served_models.map((model) => formatCodeSpan(model)).join(', ')}`,
    `Market in the prompts: ${formatCodeSpan(niche)}`,
    `Prompts: set ${formatCodeSpan(prompts.set)}, SHA-256 ${formatCodeSpan(prompts.sha256)}; ${prompts.valid} of ${prompts.total} answered`,
    `Without an answer: ${failures.total}${reasons.length === 0 ? '' : ` (${reasons.map(([reason, count]) => `${count} because ${FAILURES[reason]}`).join(', ')})`}`,
    ...(refused === undefined ? [] : [describeRefused(refused)]),
    `Answers cut off at the length limit: ${truncated}`,
    `SHA-256 of all transcripts: ${formatCodeSpan(run.transcripts_sha256)}`,
    `Run: ${formatCodeSpan(run.run_id)}`,
  ]);
  return joinMarkdownSections([
    formatMarkdownSection('## How it was measured', facts),
    formatMarkdownSection('### Prompts', describePrompts(prompts.asked)),
  ]).trimEnd();
}

function describeRefused({ total, by_kind: kinds }: NonNullable<ReportedBrand['refused']>): string {
  const said = (Object.entries(kinds) as [keyof typeof REFUSALS, number][]).map(
    ([kind, count]) => `${count} × ${REFUSALS[kind]}`,
  );
  return `No real answer: ${total} (${said.join('; ')}); counted in no rate, and not as "not named"`;
}

const describePrompts = (prompts: Measurement['prompts']['asked']): string =>
  formatMarkdownTable(
    ['Prompt', 'Id', 'Outcome', 'Model', 'SHA-256 of the text'],
    prompts.map((one) =>
      one.status !== 'failed'
        ? [
            formatCodeCell(one.prompt, MAX_MARKDOWN_QUOTE_CHARS),
            formatCodeCell(one.id),
            one.status === 'refused' ? `no answer: ${REFUSALS[one.refusal]}` : FINISHES[one.finish_reason],
            one.served_model === null ? 'not named' : formatCodeCell(one.served_model),
            formatCodeCell(one.sha256),
          ]
        : [
            formatCodeCell(one.prompt, MAX_MARKDOWN_QUOTE_CHARS),
            formatCodeCell(one.id),
            `no answer: ${FAILURES[one.reason]}`,
            '',
            '',
          ],
    ),
  );
