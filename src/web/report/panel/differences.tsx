import { TableHead } from '../../design/parts.tsx';
import type { PageLanguage } from '../../language/language.ts';
import { ReportSection, Scroll } from '../parts/layout.tsx';
import { formatProbability } from '../parts/words.ts';
import { enginePanelWords } from './panel-words.ts';
import { type EnginePair, listEnginePairs, type PanelReport } from './panel-report.ts';

type Props = { result: PanelReport; language: PageLanguage };

/** Which engines name the brand more often than others, if their answers can tell: in words, and every pair in a table. */
export const EngineDifferences = ({ result, language }: Props) => {
  const words = enginePanelWords[language];
  const pairs = listEnginePairs(result);
  if (pairs.length === 0) return null;
  const called = pairs.filter((pair) => pair.called !== undefined);
  const [engines, prompts, first, second, difference, p, verdict] = words.pairColumns;
  return (
    <ReportSection title={words.differ}>
      {called.length === 0 ? (
        <p>{words.noneDiffers}</p>
      ) : (
        <ul>
          {called.map((pair) => (
            <li>{describeCalled(pair, language)}</li>
          ))}
        </ul>
      )}
      <Scroll label={words.differ}>
        <table class="wide">
          <caption>{words.differCaption}</caption>
          <TableHead
            columns={[
              engines,
              { number: prompts },
              { number: first },
              { number: second },
              { number: difference },
              { number: p },
              verdict,
            ]}
          />
          <tbody>
            {pairs.map((pair) => (
              <PairRow pair={pair} language={language} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </ReportSection>
  );
};

const PairRow = ({ pair, language }: { pair: EnginePair; language: PageLanguage }) => {
  const words = enginePanelWords[language];
  const { names, only, called } = pair;
  return (
    <tr>
      <th scope="row">
        <bdi>{names[0]}</bdi> / <bdi>{names[1]}</bdi>
      </th>
      <td class="number">{pair.prompts}</td>
      <td class="number">{only[0]}</td>
      <td class="number">{only[1]}</td>
      <td class="number">{words.points(pair.points)}</td>
      <td class="number">{formatProbability(pair.p, language)}</td>
      <td>{called === undefined ? words.tooClose : words.namesMore(called.more)}</td>
    </tr>
  );
};

/** A difference that is more than chance. */
function describeCalled({ called, points, prompts, p }: EnginePair, language: PageLanguage): string {
  const { more = '', fewer = '' } = called ?? {};
  return enginePanelWords[language].moreOften(more, fewer, Math.abs(points), prompts, formatProbability(p, language));
}
