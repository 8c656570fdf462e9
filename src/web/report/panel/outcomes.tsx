import { TableHead } from '../../design/parts.tsx';
import type { PageLanguage } from '../../language/language.ts';
import { failureWords } from '../parts/failure-words.ts';
import { Scroll } from '../parts/layout.tsx';
import { enginePanelWords } from './panel-words.ts';
import { countEngineOutcomes, type EngineReport, type PanelReport } from './panel-report.ts';

type Props = { result: PanelReport; language: PageLanguage };
type PanelAnswer = PanelReport['prompts']['asked'][number]['answers'][number];

/** `4 without a real answer (4 × a stock phrase)`, then what gave no text; nothing where every prompt got a real answer. */
export function describeWithoutAnswer(result: PanelReport, { name }: EngineReport, language: PageLanguage): string {
  const words = enginePanelWords[language];
  const { failures, refusals } = failureWords[language];
  const { refused, failed } = countEngineOutcomes(result, name);
  const texts = Array.from(refused, ([kind, count]) => `${count} × ${refusals[kind]}`);
  const none = Array.from(failed, ([reason, count]) => `${count} × ${failures[reason]}`);
  return [
    ...(texts.length === 0 ? [] : [words.refused(sumCounts(refused), texts.join('; '))]),
    ...(none.length === 0 ? [] : [words.failed(sumCounts(failed), none.join('; '))]),
  ].join(', ');
}

const sumCounts = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);

/** How an answer ended, or why there is none. */
export function describePanelAnswer(answer: PanelAnswer, language: PageLanguage): string {
  const { failures, finishes, refusals } = failureWords[language];
  if (answer.reason !== undefined) return failures[answer.reason];
  if (answer.refusal !== undefined) return refusals[answer.refusal];
  return answer.finish_reason === undefined ? enginePanelWords[language].answered : finishes[answer.finish_reason];
}

/** Every prompt with what each engine made of it, for where the texts are not wanted or no longer there. */
export const PromptOutcomes = ({ result: { engines, prompts }, language }: Props) => {
  const words = enginePanelWords[language];
  return (
    <details class="asked">
      <summary>{words.outcomes}</summary>
      <Scroll label={words.outcomes}>
        <table class="wide">
          <caption>{words.outcomesCaption}</caption>
          <TableHead columns={[words.prompt, ...engines.map(({ name }) => name)]} />
          <tbody>
            {prompts.asked.map(({ prompt, answers }) => (
              <tr>
                <th scope="row">
                  <bdi>{prompt}</bdi>
                </th>
                {engines.map(({ name }) => {
                  const answer = answers.find(({ engine }) => engine === name);
                  return <td>{answer === undefined ? '–' : describePanelAnswer(answer, language)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
};
