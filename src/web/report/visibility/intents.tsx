import type { Child } from 'hono/jsx';
import type { PageLanguage } from '../../language/language.ts';
import { NotSeen, RateBar, type Level, Quote, Scroll, ReportSection } from '../parts/layout.tsx';
import type { ReportedBrand } from '../parts/words.ts';
import { answersWords } from '../answers/answers-words.ts';
import { describeLead } from './verdict.ts';
import { visibilityWords } from './visibility-words.ts';
import { TableHead } from '../../design/parts.tsx';

type Props = { language: PageLanguage; name: string; report: ReportedBrand; level?: Level | undefined };
type Intent = ReportedBrand['intents'][number];

/** The mention rate per kind of question. A kind without an answer has no rate, which is not 0. */
export const Intents = ({ language, name, report, level }: Props) => {
  const words = visibilityWords[language];
  const [kind, rate, answers, recommended, rival] = words.intentColumns;
  return (
    <ReportSection title={words.intents} level={level}>
      <Scroll label={words.intentsOf(name)}>
        <table class="wide">
          <caption>{words.intentsCaption}</caption>
          <TableHead columns={[kind, rate, { number: answers }, { number: recommended }, rival]} />
          <tbody>
            {report.intents.map((row) => (
              <IntentRow {...row} language={language} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </ReportSection>
  );
};

type RowProps = Intent & { language: PageLanguage };

const IntentRow = ({ language, intent, valid, mention_rate: rate, recommended, top_rival: top }: RowProps) => (
  <tr>
    <th scope="row">{answersWords[language].intents[intent]}</th>
    <td class="drawn">
      <IntentRate rate={rate} language={language} />
    </td>
    <td class="number">{valid}</td>
    <td class="number">{valid === 0 ? '–' : recommended}</td>
    <td>
      {top === null ? (
        '–'
      ) : (
        <>
          <bdi>{top.name}</bdi> <span class="small">{visibilityWords[language].inAnswers(top.mentioned)}</span>
        </>
      )}
    </td>
  </tr>
);

type IntentRateProps = { language: PageLanguage; rate: Intent['mention_rate']; series?: 1 | 2 | undefined };

/** @param rate null when no answer came. */
export const IntentRate = ({ rate, series, language }: IntentRateProps) =>
  rate === null ? (
    <NotSeen why={visibilityWords[language].noAnswer} language={language} />
  ) : (
    <RateBar rate={rate} series={series} language={language} />
  );

type WeakSpotsProps = Omit<Props, 'name'> & { children?: Child };

/** Where rivals are ahead most: what the fix pack of this service takes as it is. */
export const WeakSpotsSection = ({ language, report, level, children }: WeakSpotsProps) => (
  <ReportSection title={visibilityWords[language].weakSpots} level={level}>
    <ol class="grid spots">
      {report.weak_spots.map(({ topic, who_wins: winner, evidence }) => (
        <li class="card">
          <p>
            <strong>{describeTopic(report, topic, language)}</strong>
          </p>
          <p>
            {winner === undefined ? (
              visibilityWords[language].noRivalAhead
            ) : (
              <>
                <bdi>{winner}</bdi> {describeLead(report, topic, language)}.
              </>
            )}
          </p>
          <Quote text={evidence} />
        </li>
      ))}
    </ol>
    {children}
  </ReportSection>
);

/** A topic is a kind of question in the words of the result: the page has words of its own for it. */
function describeTopic({ intents }: ReportedBrand, topic: string, language: PageLanguage): string {
  const found = intents.find(({ label }) => label === topic);
  return found === undefined ? topic : answersWords[language].intents[found.intent];
}
