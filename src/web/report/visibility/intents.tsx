import { NotSeen, RateBar, type Level, Quote, Scroll, ReportSection } from '../parts/layout.tsx';
import type { ReportedBrand } from '../parts/words.ts';
import { describeLead } from './verdict.ts';
import { TableHead } from '../../design/parts.tsx';

type Props = { name: string; report: ReportedBrand; level?: Level | undefined };
type Intent = ReportedBrand['intents'][number];

/** The mention rate per kind of question. A kind without an answer has no rate, which is not 0. */
export const Intents = ({ name, report, level }: Props) => (
  <ReportSection title="By kind of question" level={level}>
    <Scroll label={`${name} by kind of question`}>
      <table class="wide">
        <caption>Five prompts for each kind: few, so the intervals are wide.</caption>
        <TableHead
          columns={[
            'Kind of question',
            'Mention rate',
            { number: 'Answers' },
            { number: 'Recommended in' },
            'Rival named most',
          ]}
        />
        <tbody>
          {report.intents.map((row) => (
            <IntentRow {...row} />
          ))}
        </tbody>
      </table>
    </Scroll>
  </ReportSection>
);

const IntentRow = ({ label, valid, mention_rate: rate, recommended, top_rival: top }: Intent) => (
  <tr>
    <th scope="row">{label}</th>
    <td class="drawn">
      <IntentRate rate={rate} />
    </td>
    <td class="number">{valid}</td>
    <td class="number">{valid === 0 ? '–' : recommended}</td>
    <td>
      {top === null ? (
        '–'
      ) : (
        <>
          <bdi>{top.name}</bdi> <span class="small">in {top.mentioned}</span>
        </>
      )}
    </td>
  </tr>
);

/** @param rate null when no answer came. */
export const IntentRate = ({ rate, series }: { rate: Intent['mention_rate']; series?: 1 | 2 | undefined }) =>
  rate === null ? <NotSeen why="no answer came." /> : <RateBar rate={rate} series={series} />;

/** Where rivals are ahead most: what the fix pack of this service takes as it is. */
export const WeakSpotsSection = ({ report, level }: Omit<Props, 'name'>) => (
  <ReportSection title="Weak spots" level={level}>
    <ol class="grid spots">
      {report.weak_spots.map(({ topic, who_wins: winner, evidence }) => (
        <li class="card">
          <p>
            <strong>{topic}</strong>
          </p>
          <p>
            {winner === undefined ? (
              'No rival is named more often here.'
            ) : (
              <>
                <bdi>{winner}</bdi> {describeLead(report, topic)}.
              </>
            )}
          </p>
          <Quote text={evidence} />
        </li>
      ))}
    </ol>
  </ReportSection>
);
