import { html, raw } from 'hono/html';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import { brand } from '../brand.ts';
import { WideTable } from '../console/tables.tsx';
import type { PageLanguage } from '../language/language.ts';
import type { FirstPartyReport } from './first-party-report.ts';
import { firstPartyWords } from './first-party-words.ts';
import { listFirstPartySections, type SectionCell, type SectionTable } from './sections.ts';

/** Rows of a table of a page. */
const PAGE_ROWS = 100;

const Cell = ({ cell }: { cell: SectionCell }) =>
  typeof cell === 'string' ? <>{cell}</> : <bdi class="url">{cell.foreign}</bdi>;

/** A report in sections, for a page of the service and for a file. All text of files is escaped, and none is a link. */
export const FirstPartyView = ({ report, language }: { report: FirstPartyReport; language: PageLanguage }) => (
  <>
    {listFirstPartySections(escapeControlsIn(report), { language, maxRows: PAGE_ROWS }).map(
      ({ title, texts, lists, tables }) => (
        <section class="report-part">
          <h2>
            <Cell cell={title} />
          </h2>
          {texts.map((text) => (
            <p lang={typeof text === 'string' ? undefined : text.lang}>
              {typeof text === 'string' ? text : text.foreign}
            </p>
          ))}
          {lists.length === 0 ? null : (
            <ul>
              {lists.map(({ label, text }) => (
                <li>
                  <strong>{label}:</strong> {text}
                </li>
              ))}
            </ul>
          )}
          {tables.map((table) => (
            <Table table={table} language={language} />
          ))}
        </section>
      ),
    )}
  </>
);

const Table = ({
  table: { caption, columns, rows, of },
  language,
}: {
  table: SectionTable;
  language: PageLanguage;
}) => (
  <>
    <WideTable caption={caption} columns={columns}>
      {rows.map((row) => (
        <tr>
          {row.map((cell, at) =>
            at === 0 ? (
              <th scope="row">
                <Cell cell={cell} />
              </th>
            ) : (
              <td>
                <Cell cell={cell} />
              </td>
            ),
          )}
        </tr>
      ))}
    </WideTable>
    {of > rows.length ? <p class="small">{firstPartyWords[language].shown(rows.length, of)}</p> : null}
  </>
);

/** Nothing may run, load or be sent from the file. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A report as one file: its styles inside, no script, nothing that is loaded. */
export function renderFirstPartyFile(report: FirstPartyReport, styles: string): string {
  const { title } = firstPartyWords.en;
  const page = html`<!doctype html>${(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta http-equiv="Content-Security-Policy" content={POLICY} />
          <meta name="robots" content="noindex" />
          <meta name="referrer" content="no-referrer" />
          <meta name="color-scheme" content="light dark" />
          <title>{title}</title>
          <style>{raw(styles)}</style>
        </head>
        <body>
          <main id="main">
            <article class="report">
              <header class="about">
                <p class="small">{brand.name}</p>
                <h1>{title}</h1>
              </header>
              <FirstPartyView report={report} language="en" />
            </article>
          </main>
        </body>
      </html>
    )}`;
  if (page instanceof Promise) throw new Error('a part waits for something'); // None does.
  return page.toString();
}
