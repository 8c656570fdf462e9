import type * as z from 'zod';
import type { pageChecksResult } from '../../../capabilities/citation-results.ts';
import { OutLink, TableHead } from '../../design/parts.tsx';
import { getCheckTitle } from '../../language/check-titles.ts';
import type { PageLanguage } from '../../language/language.ts';
import { type Level, ReportSection, Scroll } from '../parts/layout.tsx';
import { citationWords, describeUnread } from './citations-words.ts';

type Checks = z.infer<typeof pageChecksResult>;
type Counts = Checks['checks'][number]['cited'];
type Props = { language: PageLanguage; checks: Checks; level?: Level | undefined };

/** In which checks the cited pages and the brand's pages differ. */
export const PageChecks = ({ language, checks, level }: Props) => {
  const words = citationWords[language];
  return (
    <ReportSection title={words.checksTitle} level={level}>
      <p class="prose">{words.checksLead}</p>
      {checks.checks.length === 0 ? <p>{words.checksNone}</p> : null}
      <Group language={language} checks={checks} ahead="cited" />
      <Group language={language} checks={checks} ahead="own" />
      <p class="small">{words.checksRest(checks.further, checks.alike, checks.not_compared)}</p>
      <Compared language={language} checks={checks} />
    </ReportSection>
  );
};

const Group = ({ language, checks, ahead }: Props & { ahead: 'cited' | 'own' }) => {
  const words = citationWords[language];
  const rows = checks.checks.filter((check) => check.ahead === ahead);
  const caption = ahead === 'cited' ? words.citedAhead : words.ownAhead;
  return rows.length === 0 ? null : (
    <Scroll label={caption}>
      <table class="wide">
        <caption>{caption}</caption>
        <TableHead columns={words.checkColumns} />
        <tbody>
          {rows.map(({ id, title, cited, own }) => (
            <tr>
              <th scope="row">{getCheckTitle(id, language, title)}</th>
              <td>{describeCounts(cited, language)}</td>
              <td>{describeCounts(own, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};

const describeCounts = ({ pass, partial, fail, unknown }: Counts, language: PageLanguage): string =>
  citationWords[language].counted(pass, pass + partial + fail, unknown);

/** Which pages were compared, and why others were not. */
const Compared = ({ language, checks: { pages } }: Props) => {
  const words = citationWords[language];
  const read = pages.filter(({ status }) => status === 'read').length;
  return (
    <details>
      <summary>{words.comparedTitle(read, pages.length)}</summary>
      <ul class="seen-list">
        {pages.map((page) => (
          <li>
            <OutLink href={page.url} /> ({words.sides[page.side]}):{' '}
            {page.status === 'read' ? words.read : describeUnread(words, page.reason)}
          </li>
        ))}
      </ul>
    </details>
  );
};
