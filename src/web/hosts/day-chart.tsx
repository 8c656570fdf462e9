import { DAY_MS } from '../../lib/time.ts';
import type { VisitorClass } from '../../traffic/agents/agent-class.ts';
import type { CrawlerReport } from '../../traffic/edge/crawler-report.ts';
import { TableHead } from '../design/parts.tsx';
import { formatWholeNumber } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { hostsWords } from './hosts-words.ts';

/** From the foot of a column upwards; the number is that of the series of the tokens. */
const agentClasses = ['search', 'user', 'multi-purpose', 'training'] as const satisfies readonly VisitorClass[];
const [WIDTH, HEIGHT] = [1_000, 240];

type ReportDay = CrawlerReport['days'][number];

const addAgentRequests = ({ requests }: ReportDay): number =>
  agentClasses.reduce((sum, name) => sum + (requests[name] ?? 0), 0);

type Props = { report: CrawlerReport; language: PageLanguage };

/** Requests of AI agents by day, as columns and as a table: a drawing without scripts. */
export const DayChart = ({ report, language }: Props) => {
  const words = hostsWords[language];
  const first = Date.parse(report.from) / DAY_MS;
  const count = Date.parse(report.to) / DAY_MS - first + 1;
  const step = WIDTH / count;
  const most = Math.max(1, ...report.days.map(addAgentRequests));
  return (
    <>
      <ul class="legend">
        {agentClasses.map((name, index) => (
          <li>
            <span class={`swatch series-${index + 1}`} aria-hidden="true" /> {words.classes[name]}
          </li>
        ))}
      </ul>
      <svg
        class="day-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.chart(count)}
      >
        {report.days.flatMap((day) =>
          renderColumn(day, { x: (Date.parse(day.day) / DAY_MS - first) * step, step, most }),
        )}
      </svg>
      <details>
        <summary>{words.asTable}</summary>
        <table>
          <TableHead columns={[words.day, ...agentClasses.map((name) => ({ number: words.classes[name] }))]} />
          <tbody>
            {report.days.map(({ day, requests }) => (
              <tr>
                <th scope="row">{day}</th>
                {agentClasses.map((name) => (
                  <td class="number">{formatWholeNumber(requests[name] ?? 0, language)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
};

function renderColumn({ requests }: ReportDay, { x, step, most }: { x: number; step: number; most: number }) {
  let top = HEIGHT;
  return agentClasses.flatMap((name, index) => {
    const height = ((requests[name] ?? 0) / most) * HEIGHT;
    if (height === 0) return [];
    top -= height;
    return [
      <rect
        class={`series-${index + 1}`}
        x={x.toFixed(2)}
        y={top.toFixed(2)}
        width={(step * 0.8).toFixed(2)}
        height={height.toFixed(2)}
      />,
    ];
  });
}
