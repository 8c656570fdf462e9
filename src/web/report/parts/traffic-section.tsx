import type { TrafficSection, TrafficTable } from '../../../traffic/report/sections.ts';
import { TableHead } from '../../design/parts.tsx';
import { ReportSection, Scroll } from './layout.tsx';

/** A part that was made of logs of the reader's own. Cells of a log are code. */
export const TrafficPart = ({ section: { title, texts, tables } }: { section: TrafficSection }) => (
  <ReportSection title={title}>
    {texts.map((text) => (
      <p>{text}</p>
    ))}
    {tables.map((table) => (
      <CellTable table={table} />
    ))}
  </ReportSection>
);

const CellTable = ({ table: { caption, columns, rows } }: { table: TrafficTable }) => (
  <Scroll label={caption}>
    <table class="wide">
      <caption>{caption}</caption>
      <TableHead columns={columns} />
      <tbody>
        {rows.map(([first = '', ...others]) => (
          <tr>
            <th scope="row">{typeof first === 'string' ? first : <code>{first.code}</code>}</th>
            {others.map((cell) => (
              <td>{typeof cell === 'string' ? cell : <code>{cell.code}</code>}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
