import { words } from '../../../report/markdown.ts';
import { codeCell, codeSpan } from '../../../lib/safe-text.ts';
import { percent } from '../../design/percent.ts';
import {
  type BrandReport,
  counted,
  countOf,
  demonstrationText,
  ENGINES,
  FAILURES,
  FINISHES,
  intervalText,
  type Measurement,
  type Rate,
} from '../parts/words.ts';

/** Longest quote of an answer, and longest prompt, in a code span. */
export const MAX_QUOTE_CHARS = 1000;
/** What stands in a cell where there was nothing to count: a missing number is no 0. */
const NOT_SEEN = 'could not look';

/** Sections under each other; those that are empty are left out. */
export const joined = (sections: readonly string[]): string =>
  `${sections.filter((section) => section !== '').join('\n\n')}\n`;

/** A table of CommonMark's usual extension. Cells come escaped; a column of numbers is marked by `:` at its end. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
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
export const rateText = (rate: Pick<Rate, 'value' | 'low' | 'high'> | null): string =>
  rate === null ? NOT_SEEN : `${percent(rate.value)} (${intervalText(rate)})`;

/** What must be known before any figure is read. */
export function cautions({ engine, degraded, prompts }: Measurement): string {
  const demonstration = demonstrationText(engine);
  return [
    ...(demonstration === undefined ? [] : [`> **Warning:** ${demonstration}`]),
    ...(degraded ? [`> **Warning:** Degraded: only ${prompts.valid} of ${prompts.total} prompts were answered.`] : []),
  ].join('\n\n');
}

/** The figures of one brand, each section under a heading of `level`. Foreign text stands in code spans only. */
export function brandSections(name: string, report: BrandReport, level: '##' | '###'): readonly string[] {
  return [
    glance(report),
    section(`${level} Weak spots`, weakSpots(report)),
    section(`${level} By kind of question`, intents(report)),
    section(`${level} Who is named`, rivals(name, report)),
    section(`${level} Recommended instead`, instead(report)),
    section(`${level} Sources that the answers cite`, sources(report)),
    section(`${level} How to read these figures`, reading(report)),
  ];
}

export const section = (heading: string, body: string): string => (body === '' ? '' : `${heading}\n\n${body}`);

export const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

function glance({
  mention_rate: named,
  recommendation_rate: liked,
  share_of_voice: voice,
  average_position: place,
}: BrandReport): string {
  const worst = named.worst_case;
  return bullets([
    `Mention rate: ${rateText(named)}, ${countOf(named)} of ${counted(named.n, 'answer')}${worst === undefined ? '' : `; ${intervalText(worst)} with the missing answers all against it or all for it`}`,
    `Recommendation rate: ${rateText(liked)}, ${countOf(liked)} of ${counted(liked.n, 'answer')}`,
    `Share of voice: ${rateText(voice)}${voice === null ? '' : `, over ${counted(voice.n, 'answer')}`}`,
    place === null
      ? 'Average position: none, no answer names it'
      : `Average position: ${place.value.toFixed(1)}, over ${counted(place.n, 'answer')}`,
  ]);
}

const weakSpots = ({ weak_spots: spots }: BrandReport): string =>
  bullets(
    spots.map(
      ({ topic, who_wins: winner, evidence }) =>
        `**${words(topic)}**: ${winner === undefined ? 'no rival is named more often' : `${codeSpan(winner)} wins`}. Seen: ${codeSpan(evidence, MAX_QUOTE_CHARS)}`,
    ),
  );

const intents = ({ intents: rows }: BrandReport): string =>
  table(
    ['Kind of question', 'Mention rate:', 'Answers:', 'Recommended in:', 'Rival named most'],
    rows.map(({ label, mention_rate: rate, valid, recommended, top_rival: top }) => [
      words(label),
      rateText(rate),
      `${valid}`,
      valid === 0 ? NOT_SEEN : `${recommended}`,
      top === null ? '' : `${codeCell(top.name)} in ${top.mentioned}`,
    ]),
  );

function rivals(name: string, report: BrandReport): string {
  const { mention_rate: rate, recommendation_rate: liked, share_of_voice: voice } = report;
  const own = [
    `${codeCell(name)} (this brand)`,
    rateText(rate),
    `${countOf(rate)} of ${rate.n}`,
    `${countOf(liked)}`,
    voice === null ? NOT_SEEN : percent(voice.value),
  ];
  const others = report.rivals.map((rival) => [
    codeCell(rival.name),
    rateText(rival.mention_rate),
    `${rival.mentioned} of ${rival.mention_rate.n}`,
    `${rival.recommended}`,
    percent(rival.share_of_voice),
  ]);
  return table(['Name', 'Mention rate:', 'Named in:', 'Recommended in:', 'Share of voice:'], [own, ...others]);
}

const instead = ({ recommended_instead: rows }: BrandReport): string =>
  bullets(
    rows.map(
      ({ name, answers, of, quote }) =>
        `${codeSpan(name)} in ${answers} of ${of} answers${quote === '' ? '' : `: ${codeSpan(quote, MAX_QUOTE_CHARS)}`}`,
    ),
  );

function sources({ sources: rows }: BrandReport): string {
  if (rows === null) return 'Could not look: this engine gives no sources, so they were not measured.';
  if (rows.length === 0) return 'No answer cites a source.';
  return table(
    ['Domain', 'Answers:'],
    rows.map(({ domain, answers }) => [codeCell(domain), `${answers}`]),
  );
}

const reading = ({ notes, ambiguity }: BrandReport): string =>
  bullets([
    ...notes.map((note) => words(note)),
    `Ambiguity of the name: ${ambiguity.level}; capitals ${ambiguity.case_sensitive ? 'have to match' : 'may differ'}; ${counted(ambiguity.rejected, 'use')} not counted.`,
  ]);

/** How the answers were got, with every prompt and what came of it. */
export function measured(
  { engine, niche, prompts, ...run }: Measurement,
  { failures, truncated }: BrandReport,
): string {
  const reasons = Object.entries(failures.by_reason) as [keyof typeof FAILURES, number][];
  const facts = bullets([
    `Engine: ${engine.simulated ? 'no AI model, ' : ''}${ENGINES[engine.kind]}; model asked for ${codeSpan(engine.model)}; models that answered: ${engine.served_models.length === 0 ? 'the engine does not say' : engine.served_models.map((model) => codeSpan(model)).join(', ')}`,
    `Market in the prompts: ${codeSpan(niche)}`,
    `Prompts: set ${codeSpan(prompts.set)}, SHA-256 ${codeSpan(prompts.sha256)}; ${prompts.valid} of ${prompts.total} answered`,
    `Without an answer: ${failures.total}${reasons.length === 0 ? '' : ` (${reasons.map(([reason, count]) => `${count} because ${FAILURES[reason]}`).join(', ')})`}`,
    `Answers cut off at the length limit: ${truncated}`,
    `SHA-256 of all transcripts: ${codeSpan(run.transcripts_sha256)}`,
    `Run: ${codeSpan(run.run_id)}`,
  ]);
  return joined([section('## How it was measured', facts), section('### Prompts', asked(prompts.asked))]).trimEnd();
}

const asked = (prompts: Measurement['prompts']['asked']): string =>
  table(
    ['Prompt', 'Id', 'Outcome', 'Model', 'SHA-256 of the text'],
    prompts.map((one) =>
      one.status === 'answered'
        ? [
            codeCell(one.prompt, MAX_QUOTE_CHARS),
            codeCell(one.id),
            FINISHES[one.finish_reason],
            one.served_model === null ? 'not named' : codeCell(one.served_model),
            codeCell(one.sha256),
          ]
        : [codeCell(one.prompt, MAX_QUOTE_CHARS), codeCell(one.id), `no answer: ${FAILURES[one.reason]}`, '', ''],
    ),
  );
