import type * as z from 'zod';
import type { citationsResult } from '../../../capabilities/citation-results.ts';
import { formatPercent } from '../../../lib/numbers.ts';
import { Bar, OutLink, TableHead } from '../../design/parts.tsx';
import type { PageLanguage } from '../../language/language.ts';
import { Axis, Figure, type Level, Notes, NotSeen, Quote, RateBar, ReportSection, Scroll } from '../parts/layout.tsx';
import { computeCount, formatInterval } from '../parts/words.ts';
import { citationWords } from './citations-words.ts';
import { PageChecks } from './page-checks.tsx';

export type Citations = z.infer<typeof citationsResult>;
type Rate = Citations['rivals'][number]['rate'];

type SectionProps = { language: PageLanguage; citations: Citations | null; level?: Level | undefined };

/** What answers cite, page by page: every address, title and sentence may be anyone's text. */
export const CitationSection = ({ language, citations, level }: SectionProps) => {
  const words = citationWords[language];
  if (citations === null)
    return (
      <ReportSection title={words.title} level={level}>
        <p>
          <NotSeen why={words.notMeasured} language={language} />
        </p>
      </ReportSection>
    );
  return (
    <>
      <ReportSection title={words.title} level={level}>
        <p class="prose">{words.lead(citations.measured, citations.answers, citations.citations)}</p>
        <Own citations={citations} language={language} />
        <Notes notes={citations.notes} language={language} />
        {citations.citations === 0 ? <p>{words.nothingCited}</p> : <Kinds citations={citations} language={language} />}
      </ReportSection>
      {citations.citations === 0 ? null : (
        <>
          <CitedRivals citations={citations} language={language} level={level} />
          <CitedPages citations={citations} language={language} level={level} />
        </>
      )}
      <Checks citations={citations} language={language} level={level} />
    </>
  );
};

type Props = { language: PageLanguage; citations: Citations };
type LevelProps = Props & Pick<SectionProps, 'level'>;

const Checks = ({ language, citations: { page_checks: checks, page_checks_reason: reason }, level }: LevelProps) => {
  if (checks !== null) return <PageChecks checks={checks} language={language} level={level} />;
  const { checksTitle, checksMissing } = citationWords[language];
  return reason === undefined ? null : (
    <ReportSection title={checksTitle} level={level}>
      <p>
        <NotSeen why={checksMissing[reason]} language={language} />
      </p>
    </ReportSection>
  );
};

const Own = ({ language, citations: { own } }: Props) => {
  const words = citationWords[language];
  if (own === null)
    return (
      <p>
        <NotSeen why={words.ownUnknown} language={language} />
      </p>
    );
  const { rate, share, pages } = own;
  return (
    <>
      <p>
        <span class="url">{own.domain}</span>
      </p>
      <ul class="grid figures">
        <Figure title={words.ownRate} value={rate === null ? '–' : formatPercent(rate.value)}>
          {rate === null ? null : <Drawn rate={rate} />}
          <p class="small">{rate === null ? words.allUnknown : describeOwnRate(rate, language)}</p>
        </Figure>
        <Figure title={words.ownShare} value={share === null ? '–' : formatPercent(share.value)}>
          {share === null ? null : <Drawn rate={share} />}
          <p class="small">
            {share === null ? words.nothingCited : words.ownShareSaid(pages, share.n, formatInterval(share, language))}
          </p>
        </Figure>
      </ul>
    </>
  );
};

const Drawn = ({ rate: { value, low, high } }: { rate: NonNullable<Rate> }) => (
  <>
    <Bar value={value} low={low} high={high} />
    <Axis />
  </>
);

function describeOwnRate(rate: NonNullable<Rate>, language: PageLanguage): string {
  const worst = rate.worst_case === undefined ? undefined : formatInterval(rate.worst_case, language);
  return citationWords[language].ownRateSaid(computeCount(rate), rate.n, formatInterval(rate, language), worst);
}

const Kinds = ({ language, citations: { kinds, measured } }: Props) => {
  const words = citationWords[language];
  const [kind, count, share, answers] = words.kindColumns;
  return (
    <table class="slim">
      <caption>{words.kindsCaption}</caption>
      <TableHead columns={[kind, { number: count }, { number: share }, { number: answers }]} />
      <tbody>
        {kinds.map((row) => (
          <tr>
            <th scope="row">{words.kinds[row.kind]}</th>
            <td class="number">{row.citations}</td>
            <td class="number">{formatPercent(row.share)}</td>
            <td class="number">{words.of(row.answers, measured)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const CitedRivals = ({ language, citations: { rivals }, level }: LevelProps) => {
  const words = citationWords[language];
  return (
    <ReportSection title={words.rivalsTitle} level={level}>
      {rivals.length === 0 ? (
        <p>{words.rivalsNone}</p>
      ) : (
        <Scroll label={words.rivalsTitle}>
          <table class="wide">
            <caption>{words.rivalsCaption}</caption>
            <TableHead columns={words.rivalColumns} />
            <tbody>
              {rivals.map(({ name, domains, rate, share }) => (
                <tr>
                  <th scope="row">
                    <bdi>{name}</bdi> <span class="small url">{domains.join(', ')}</span>
                  </th>
                  <RateCell rate={rate} why={words.allUnknown} language={language} />
                  <RateCell rate={share} why={words.nothingCited} language={language} />
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </ReportSection>
  );
};

const RateCell = ({ rate, why, language }: { rate: Rate; why: string; language: PageLanguage }) => (
  <td class="drawn">
    {rate === null ? <NotSeen why={why} language={language} /> : <RateBar rate={rate} series={2} language={language} />}
  </td>
);

const CitedPages = ({ language, citations, level }: LevelProps) => {
  const words = citationWords[language];
  const { pages, measured, further_pages: further } = citations;
  const [page, kind, answers, position] = words.pageColumns;
  return (
    <ReportSection title={words.pagesTitle} level={level}>
      {pages.length === 0 ? (
        <p>{words.pagesNone}</p>
      ) : (
        <Scroll label={words.pagesTitle}>
          <table class="wide">
            <caption>{words.pagesCaption}</caption>
            <TableHead columns={[page, kind, { number: answers }, { number: position }]} />
            <tbody>
              {pages.map((row) => (
                <tr class={row.kind === 'own' ? 'own' : undefined}>
                  <th scope="row">
                    <Page page={row} />
                  </th>
                  <td>
                    {words.kinds[row.kind]} {row.rival === undefined ? null : <bdi>({row.rival})</bdi>}
                  </td>
                  <td class="number">{words.of(row.answers, measured)}</td>
                  <td class="number">{formatPlace(row.position, language)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {further === 0 ? null : <p class="small">{words.pagesFurther(further)}</p>}
    </ReportSection>
  );
};

const Page = ({ page: { url, title, sentences } }: { page: Citations['pages'][number] }) => (
  <>
    {title === null ? null : (
      <>
        <bdi>{title}</bdi>{' '}
      </>
    )}
    <OutLink href={url} />
    {sentences.map(({ text }) => (
      <Quote text={text} />
    ))}
  </>
);

const formatPlace = (value: number, language: PageLanguage): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);
