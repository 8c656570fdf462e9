import type { AccessTable, HostAccess } from '../../traffic/access/access-row.ts';
import { When } from '../account/frame.tsx';
import { TableHead } from '../design/parts.tsx';
import type { PageLanguage } from '../language/language.ts';
import { formatAccessRow, listConflicts } from './access-rows.ts';
import { hostAccessWords } from './access-words.ts';

type Props = { access: HostAccess; language: PageLanguage };

/** What the site declares to each agent and answered, beside who came; or why that is not known. */
export const AccessTables = ({ access, language }: Props) => {
  const words = hostAccessWords[language];
  return (
    <>
      <h3 id="access">{words.title}</h3>
      <p>{words.lead}</p>
      {access.state === 'ready' ? (
        <>
          <p class="small">
            {words.audited} <When ms={Date.parse(access.audited_at)} />.{' '}
            <a href={`/reports/${access.report_id}`}>{words.report}</a>
          </p>
          <Agents table={access.table} language={language} />
          <Conflicts table={access.table} language={language} />
        </>
      ) : (
        <p class="note">{words.states[access.state]}</p>
      )}
    </>
  );
};

type TableProps = { table: AccessTable; language: PageLanguage };

const Agents = ({ table, language }: TableProps) => {
  const words = hostAccessWords[language];
  const columns = [words.declared, words.observed, words.came, words.refused];
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={words.title}>
      <table class="stacking">
        <TableHead columns={[words.agent, ...columns]} />
        <tbody>
          {table.rows.map((row) => (
            <tr>
              <th scope="row">{row.token}</th>
              {formatAccessRow(row, language).map((cell, index) => (
                <td data-column={columns[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Conflicts = ({ table, language }: TableProps) => {
  const words = hostAccessWords[language];
  const conflicts = listConflicts(table, language);
  if (conflicts.length === 0) return <p>{words.noConflict}</p>;
  return (
    <>
      <h4>{words.conflicts}</h4>
      <div class="scroll" tabindex={0} role="region" aria-label={words.conflicts}>
        <table class="stacking">
          <TableHead columns={[words.agent, words.what, words.cause, words.remedy]} />
          <tbody>
            {conflicts.map(({ token, what, cause, remedy }) => (
              <tr>
                <th scope="row">{token}</th>
                <td data-column={words.what}>{what}</td>
                <td data-column={words.cause}>{cause}</td>
                <td data-column={words.remedy}>{remedy}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
