import { formatWholeNumber } from '../../language/amounts.ts';
import type { PageLanguage } from '../../language/language.ts';
import { promptIntents } from '../../../visibility/run/intents.ts';
import { TableHead } from '../../design/parts.tsx';
import { ReportSection, Scroll } from '../parts/layout.tsx';
import { failureWords } from '../parts/failure-words.ts';
import type { Measurement } from '../parts/words.ts';
import { answerTables } from './answer-tables-data.ts';
import { answersWords } from './answers-words.ts';
import { Answer } from './answer.tsx';
import {
  type AnswerOutcome,
  answerOutcomes,
  type ShownAnswer,
  type ShownAnswers,
  type ShownRun,
} from './shown-answer.ts';

/** The answers behind a report, and the address below which they are files; undefined where nothing is beside the page. */
export type AnswersAt = { shown: ShownAnswers; report?: string | undefined };

type Props = {
  language: PageLanguage;
  /** What was asked, for where the texts are no longer there. */
  measurement?: Pick<Measurement, 'prompts'> | undefined;
  /** The measured brands. */
  brands: readonly string[];
  /** Undefined where the texts of the answers are no longer there. */
  at: AnswersAt | undefined;
};

/** What the engines said, prompt by prompt: the text with names marked, and what it means for the brand. */
export const AnswerSection = ({ language, measurement, brands, at }: Props) => {
  const words = answersWords[language];
  const asked = measurement?.prompts.asked ?? [];
  return (
    <ReportSection title={words.title} id="answers">
      <div class="answers">
        {at === undefined ? (
          <>
            <p class="note">{words.gone}</p>
            <ol class="answer-list">
              {asked.map((one) => (
                <Answer
                  language={language}
                  brands={brands}
                  prompt={{ intent: one.intent, text: one.prompt }}
                  answer={one.status === 'failed' ? one : undefined}
                />
              ))}
            </ol>
          </>
        ) : (
          <ShownAnswersList language={language} {...at} />
        )}
        <HashTable
          language={language}
          rows={at === undefined ? asked.map(describeAsked) : at.shown.runs.flatMap((run) => listHashes(run, at.shown))}
        />
      </div>
    </ReportSection>
  );
};

const ShownAnswersList = ({ language, shown, report }: AnswersAt & { language: PageLanguage }) => {
  const words = answersWords[language];
  const { brands, prompts, runs } = shown;
  const byIndex = runs.map(({ answers }) => new Map(answers.map((answer) => [answer.index, answer])));
  const total = prompts.length * runs.length;
  const answered = runs.flatMap(({ answers }) => answers).filter(({ status }) => status === 'answered').length;
  return (
    <>
      <p class="prose">{words.lead(answered, total)}</p>
      {runs.map((run) => (
        <Counts language={language} brands={brands} run={run} isNamed={runs.length > 1} />
      ))}
      <Legend language={language} brands={brands} />
      <AnswerFilter language={language} shown={shown} total={total} />
      <div data-none-fits hidden>
        <p>{words.noneFits}</p>
        <p>
          <button type="button" class="quiet small" data-show-every>
            {words.showEvery}
          </button>
        </p>
      </div>
      <ol class="answer-list">
        {prompts.flatMap((prompt) =>
          runs.map(({ engine: name }, place) => (
            <Answer
              language={language}
              brands={brands}
              prompt={prompt}
              answer={byIndex[place]?.get(prompt.index)}
              engine={runs.length > 1 ? { place, name } : undefined}
            />
          )),
        )}
      </ol>
      {report === undefined ? null : <Downloads language={language} report={report} runs={runs} />}
    </>
  );
};

type DownloadsProps = { language: PageLanguage; report: string; runs: readonly ShownRun[] };

/** The answers as files: all of it for a spreadsheet, and each table for programs. */
const Downloads = ({ language, report, runs }: DownloadsProps) => {
  const words = answersWords[language];
  return (
    <>
      <p class="buttons">
        <a href={`${report}/answers.csv`} class="button quiet">
          {words.csv}
        </a>
        {runs.map(({ runId, engine }) => (
          <a href={`/runs/${runId}.json`}>
            {words.run}
            {runs.length > 1 ? (
              <>
                {': '}
                <bdi>{engine}</bdi>
              </>
            ) : null}
          </a>
        ))}
      </p>
      <details class="asked">
        <summary>{words.files}</summary>
        <p class="small">{words.filesNote}</p>
        <ul>
          {answerTables.map((table) => (
            <li>
              {words.tables[table]}: <a href={`${report}/answers.csv?table=${table}`}>CSV</a>,{' '}
              <a href={`${report}/answers.jsonl?table=${table}`}>JSON Lines</a>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
};

type CountsProps = { language: PageLanguage; brands: readonly string[]; run: ShownRun; isNamed: boolean };

const Counts = ({ language, brands, run, isNamed }: CountsProps) => {
  const words = answersWords[language];
  const count = (wanted: (answer: ShownAnswer) => boolean): number => run.answers.filter(wanted).length;
  const refused = count(({ status }) => status === 'refused');
  const failed = count(({ status }) => status === 'failed');
  return (
    <>
      {isNamed ? (
        <p class="small">
          <bdi>{run.engine}</bdi> (<bdi>{run.model}</bdi>)
        </p>
      ) : null}
      <ul class="answer-counts">
        {brands.map((brand, place) => {
          const of = (outcome: AnswerOutcome): number =>
            count((answer) => answer.status === 'answered' && answer.outcomes[place] === outcome);
          return (
            <li>
              <strong>
                <bdi>{brand}</bdi>
              </strong>
              :{' '}
              {words.counts({
                recommended: of('recommended'),
                named: of('named'),
                warned: of('warned'),
                absent: of('absent'),
              })}
            </li>
          );
        })}
        {refused + failed === 0 ? null : <li>{words.without(refused, failed)}</li>}
      </ul>
    </>
  );
};

/** Marks differ by their line, so that no one depends on colours. */
const Legend = ({ language, brands }: Pick<Props, 'language' | 'brands'>) => (
  <p class="answer-legend">
    <span>{answersWords[language].legend}:</span>
    {brands.map((brand, place) => (
      <span>
        <mark class={place === 0 ? 'name of-brand' : 'name of-second'}>
          <bdi>{brand}</bdi>
        </mark>{' '}
        {answersWords[language].ownMark}
      </span>
    ))}
    <span>
      <mark class="name of-rival">Aa</mark> {answersWords[language].rivalMark}
    </span>
  </p>
);

type FilterProps = { language: PageLanguage; shown: ShownAnswers; total: number };

/** Chooses what is shown. Without scripts it is not there, and everything is shown. */
const AnswerFilter = ({ language, shown: { brands, prompts, runs }, total }: FilterProps) => {
  const words = answersWords[language];
  const asked = new Set(prompts.map(({ intent }) => intent));
  return (
    <form class="filter" data-answer-filter hidden role="search" aria-label={words.filter}>
      <div class="act">
        <button type="button" class="quiet small" data-missing aria-pressed="false">
          {words.missing}
        </button>
      </div>
      <label>
        <span class="clipped">{words.filterOutcome(brands[0] ?? '')}</span>
        <select name="outcome">
          <option value="">{words.all}</option>
          {answerOutcomes.map((outcome) => (
            <option value={outcome}>{words.outcomes[outcome]}</option>
          ))}
          <option value="refused">{words.refused}</option>
          <option value="failed">{words.noAnswer}</option>
        </select>
      </label>
      {runs.length < 2 ? null : (
        <label>
          <span>{words.filterEngine}</span>
          <select name="engine">
            <option value="">{words.all}</option>
            {runs.map(({ engine }, place) => (
              <option value={`${place}`}>{engine}</option>
            ))}
          </select>
        </label>
      )}
      <label>
        <span>{words.filterIntent}</span>
        <select name="intent">
          <option value="">{words.all}</option>
          {promptIntents
            .filter((intent) => asked.has(intent))
            .map((intent) => (
              <option value={intent}>{words.intents[intent]}</option>
            ))}
        </select>
      </label>
      <label>
        <span>{words.filterText}</span>
        <input type="search" name="text" autocomplete="off" spellcheck={false} />
      </label>
      <div class="act">
        <output data-shown={words.shown}>
          {words.shown.replace('{shown}', `${total}`).replace('{total}', formatWholeNumber(total, language))}
        </output>
        <button type="button" class="quiet small" data-open="true">
          {words.openAll}
        </button>
        <button type="button" class="quiet small" data-open="false">
          {words.closeAll}
        </button>
      </div>
    </form>
  );
};

type Asked = Measurement['prompts']['asked'][number];
/** A text that came, or why none did, and what proves it. */
type Proof = { id: string; answer: ShownAnswer | Asked; model: string | undefined; sha256: string | undefined };

const describeAsked = (one: Asked): Proof =>
  one.status === 'failed'
    ? { id: one.id, answer: one, model: undefined, sha256: undefined }
    : { id: one.id, answer: one, model: one.served_model ?? undefined, sha256: one.sha256 };

const listHashes = ({ answers }: ShownRun, { prompts }: ShownAnswers): readonly Proof[] => {
  const idOf = new Map(prompts.map(({ index, id }) => [index, id]));
  return answers.map((answer) => {
    const { model, sha256 } = answer.status === 'failed' ? {} : answer;
    return { id: idOf.get(answer.index) ?? '', answer, model, sha256 };
  });
};

/** Why there is no answer, or how it ended. */
function describeEnd({ answer }: Proof, language: PageLanguage): string {
  const { failures, finishes, refusals } = failureWords[language];
  if (answer.status === 'failed') return failures[answer.reason];
  if (answer.status === 'refused') return refusals[answer.refusal];
  return finishes['finish' in answer ? answer.finish : answer.finish_reason];
}

/** What proves that the texts are those that were measured: for those who check, below all else. */
const HashTable = ({ language, rows }: { language: PageLanguage; rows: readonly Proof[] }) => {
  const words = answersWords[language];
  return rows.length === 0 ? null : (
    <details class="asked">
      <summary>{words.hashes}</summary>
      <p class="small">{words.hashesNote}</p>
      <Scroll label={words.hashes}>
        <table>
          <TableHead columns={[words.columns.prompt, words.columns.answer, words.columns.model, words.columns.hash]} />
          <tbody>
            {rows.map((row) => (
              <tr>
                <th scope="row">
                  <code>{row.id}</code>
                </th>
                <td>{describeEnd(row, language)}</td>
                <td>{row.model === undefined ? '–' : <code>{row.model}</code>}</td>
                <td>{row.sha256 === undefined ? '–' : <code>{row.sha256}</code>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
};
