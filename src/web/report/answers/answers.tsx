import type { PageLanguage } from '../../language/language.ts';
import { intents } from '../../../visibility/run/intents.ts';
import { TableHead } from '../../design/parts.tsx';
import { ReportSection, Scroll } from '../parts/layout.tsx';
import { failureWords } from '../parts/failure-words.ts';
import type { Measurement } from '../parts/words.ts';
import { answersWords } from './answers-words.ts';
import { Answer } from './answer.tsx';
import type { AnswerOutcome, ShownAnswer, ShownAnswers } from './shown-answer.ts';

/** The answers behind a report, and where they are a CSV file. */
export type AnswersAt = { shown: ShownAnswers; csv: string };

type Props = {
  language: PageLanguage;
  measurement: Measurement;
  /** The measured brands. */
  brands: readonly string[];
  /** Undefined where the texts of the answers are no longer there. */
  at: AnswersAt | undefined;
};

const OUTCOMES: readonly AnswerOutcome[] = ['recommended', 'named', 'absent'];

/** What the engine said, prompt by prompt: the text with names marked, and what it means for the brand. */
export const AnswerSection = ({ language, measurement, brands, at }: Props) => {
  const words = answersWords[language];
  const { asked, total, valid } = measurement.prompts;
  const answers = at?.shown.answers;
  const byIndex = new Map(answers?.map((answer) => [answer.index, answer]));
  return (
    <ReportSection title={words.title} id="answers">
      <div class="answers">
        {answers === undefined ? (
          <p class="note">{words.gone}</p>
        ) : (
          <>
            <p class="prose">{words.lead(valid, total)}</p>
            <Counts language={language} brands={brands} answers={answers} />
            <Legend language={language} brands={brands} />
            <AnswerFilter language={language} brand={brands[0] ?? ''} total={asked.length} />
          </>
        )}
        {answers === undefined ? null : (
          <div data-none-fits hidden>
            <p>{words.noneFits}</p>
            <p>
              <button type="button" class="quiet small" data-show-every>
                {words.showEvery}
              </button>
            </p>
          </div>
        )}
        <ol class="answer-list">
          {asked.map((one) => (
            <Answer language={language} brands={brands} asked={one} answer={byIndex.get(one.index)} />
          ))}
        </ol>
        {at === undefined ? null : (
          <p class="buttons">
            <a href={at.csv} class="button quiet">
              {words.csv}
            </a>
            <a href={`/runs/${at.shown.runId}.json`}>{words.run}</a>
          </p>
        )}
        <Hashes language={language} asked={asked} />
      </div>
    </ReportSection>
  );
};

type CountsProps = Pick<Props, 'language' | 'brands'> & { answers: readonly ShownAnswer[] };

const Counts = ({ language, brands, answers }: CountsProps) => (
  <ul class="answer-counts">
    {brands.map((brand, place) => {
      const count = (outcome: AnswerOutcome): number =>
        answers.filter(({ outcomes }) => outcomes[place] === outcome).length;
      return (
        <li>
          <strong>
            <bdi>{brand}</bdi>
          </strong>
          : {answersWords[language].counts(count('recommended'), count('named'), count('absent'))}
        </li>
      );
    })}
  </ul>
);

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

/** Chooses what is shown. Without scripts it is not there, and everything is shown. */
const AnswerFilter = ({ language, brand, total }: { language: PageLanguage; brand: string; total: number }) => {
  const words = answersWords[language];
  return (
    <form class="filter" data-answer-filter hidden role="search" aria-label={words.filter}>
      <label>
        <span class="clipped">{words.filterOutcome(brand)}</span>
        <select name="outcome">
          <option value="">{words.all}</option>
          {OUTCOMES.map((outcome) => (
            <option value={outcome}>{words.outcomes[outcome]}</option>
          ))}
          <option value="failed">{words.noAnswer}</option>
        </select>
      </label>
      <label>
        <span>{words.filterIntent}</span>
        <select name="intent">
          <option value="">{words.all}</option>
          {intents.map((intent) => (
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
          {words.shown.replace('{shown}', `${total}`).replace('{total}', `${total}`)}
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

type Asked = Measurement['prompts']['asked'];

/** Why there is no answer, or how it ended. */
function describeEnd(one: Asked[number], language: PageLanguage): string {
  const { failures, finishes, refusals } = failureWords[language];
  if (one.status === 'failed') return failures[one.reason];
  return one.status === 'refused' ? refusals[one.refusal] : finishes[one.finish_reason];
}

/** What proves that the texts are those that were measured: for those who check, below all else. */
const Hashes = ({ language, asked }: { language: PageLanguage; asked: Asked }) => {
  const words = answersWords[language];
  const { finishes, failures } = failureWords[language];
  return (
    <details class="asked">
      <summary>{words.hashes}</summary>
      <p class="small">{words.hashesNote}</p>
      <Scroll label={words.hashes}>
        <table>
          <TableHead columns={[words.columns.prompt, words.columns.answer, words.columns.model, words.columns.hash]} />
          <tbody>
            {asked.map((one) => (
              <tr>
                <th scope="row">
                  <code>{one.id}</code>
                </th>
                <td>{describeEnd(one, language)}</td>
                <td>{one.status === 'failed' ? '–' : <code>{one.served_model ?? '–'}</code>}</td>
                <td>{one.status === 'failed' ? '–' : <code>{one.sha256}</code>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
};
