import type { Child } from 'hono/jsx';
import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import type { FiredGate } from '../../audit/core/scores.ts';
import { formatPercent } from '../../lib/numbers.ts';
import { OutLink, TableHead } from '../design/parts.tsx';
import { partsWords } from '../design/parts-words.ts';
import { formatWholeNumber } from '../language/amounts.ts';
import { markEnglish, type PageLanguage } from '../language/language.ts';
import { basisWords } from './basis-words.ts';
import { STATUS_ORDER } from './checks.tsx';
import type { SummaryScore } from './summary.tsx';
import { summaryWords } from './summary-words.ts';

type CountedScore = SummaryScore & { gates: readonly FiredGate[] };

type ScoreNumbersProps = {
  language: PageLanguage;
  scores: Readonly<Partial<Record<ScoreName, CountedScore>>>;
  /** Of a preview, which does not name all gates. */
  isPreview?: boolean;
  /** The formula of each score, where all of its checks are known. */
  children?: Child;
};

/** How each number came to be, opened by hand. */
export const ScoreNumbers = ({ language, scores, isPreview = false, children }: ScoreNumbersProps) => {
  const words = basisWords[language];
  const { columns } = words;
  return (
    <details class="behind">
      <summary>{words.numbers}</summary>
      <p>
        {words.rule} {isPreview ? words.hiddenGates : ''}
      </p>
      <div class="scroll" tabindex={0} role="region" aria-label={words.tableLabel}>
        <table>
          <caption>{words.tableCaption}</caption>
          <TableHead
            columns={[
              columns.score,
              { number: columns.points },
              ...STATUS_ORDER.map((status) => ({ number: partsWords[language].statuses[status] })),
              { number: columns.assessed },
              columns.caps,
            ]}
          />
          <tbody>
            {scoreNames.map((name) => {
              const score = scores[name];
              return score === undefined ? null : <ScoreRow name={name} score={score} language={language} />;
            })}
          </tbody>
        </table>
      </div>
      {children}
    </details>
  );
};

type ScoreRowProps = { name: ScoreName; score: CountedScore; language: PageLanguage };

const ScoreRow = ({ name, score: { score, coverage, counts, gates }, language }: ScoreRowProps) => (
  <tr>
    <th scope="row">{summaryWords[language].scoreNames[name]}</th>
    <td class="number">{coverage === 0 ? '–' : score}</td>
    {STATUS_ORDER.map((status) => (
      <td class="number">{counts[status] ?? 0}</td>
    ))}
    <td class="number">{formatPercent(coverage)}</td>
    <td>{gates.length === 0 ? basisWords[language].noCaps : gates.map(({ id, cap }) => `${id}: ${cap}`).join(', ')}</td>
  </tr>
);

type ShownRequest = {
  role: string;
  url: string;
  status: number | null;
  failure?: string | undefined;
  bytes: number;
  ms: number;
};

type AuditBasisProps = {
  language: PageLanguage;
  profile: { name: string; rests_on: readonly string[]; given: boolean };
  rubric: { version: string; sha256: string };
  requests: readonly ShownRequest[];
  /** What else is to be said of the rubric. */
  children?: Child;
};

/** What the verdicts are based on: the kind of site, the rubric, the requests. */
export const AuditBasis = ({ language, profile, rubric, requests, children }: AuditBasisProps) => {
  const words = basisWords[language];
  return (
    <section class="report-part">
      <h2 id="basis">{words.basis}</h2>
      <SiteKind profile={profile} language={language} />
      <p>
        {words.rubric(rubric.version)} <code>{rubric.sha256}</code>
        {words.rubricMeans}
      </p>
      {children}
      <Requests requests={requests} language={language} />
    </section>
  );
};

/** Sites of this kind are judged by what holds for all: without a choice of the buyer there is nothing to say. */
const USUAL_KIND = 'content';

/** What kind of site it was judged as, and by which signs. */
const SiteKind = ({
  profile: { name, given, rests_on: clues },
  language,
}: Pick<AuditBasisProps, 'profile' | 'language'>) => {
  if (name === USUAL_KIND && !given) return null;
  const words = basisWords[language];
  return (
    <>
      <p>
        {words.siteType} <strong>{Object.hasOwn(words.siteTypes, name) ? words.siteTypes[name] : name}</strong>
        {given ? words.given : words.because}
      </p>
      {given ? null : (
        <ul>
          {clues.map((clue) => (
            <li lang={markEnglish(language)}>{clue}</li>
          ))}
        </ul>
      )}
    </>
  );
};

/** What was asked of the site: nothing else was read. */
const Requests = ({ requests, language }: Pick<AuditBasisProps, 'requests' | 'language'>) => {
  if (requests.length === 0) return null;
  const words = basisWords[language];
  const { requestColumns: columns } = words;
  return (
    <details class="requests">
      <summary>{words.requests(requests.length)}</summary>
      <div class="scroll" tabindex={0} role="region" aria-label={words.requests(requests.length)}>
        <table>
          <caption>{words.requestsCaption}</caption>
          <TableHead
            columns={[columns.role, columns.address, columns.answer, { number: columns.bytes }, { number: columns.ms }]}
          />
          <tbody>
            {requests.map(({ role, url, status, failure, bytes, ms }) => (
              <tr>
                <td lang={markEnglish(language)}>{role}</td>
                <td>
                  <OutLink href={url} />
                </td>
                <td>{status ?? `${words.noAnswer}: ${failure ?? '–'}`}</td>
                <td class="number">{formatWholeNumber(bytes, language)}</td>
                <td class="number">{formatWholeNumber(Math.round(ms), language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
};
