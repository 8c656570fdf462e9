import { formatPercent } from '../../../lib/numbers.ts';
import { TableHead } from '../../design/parts.tsx';
import { NotSeen, RateBar, type Level, Quote, Scroll, ReportSection } from '../parts/layout.tsx';
import { type ReportedBrand, computeCount, rankBrands } from '../parts/words.ts';

type Props = { name: string; report: ReportedBrand; level?: Level | undefined };

/** Who else is named, with the brand itself as the row to compare with. */
export const Rivals = ({ name, report, level }: Props) => (
  <ReportSection title="Who is named" level={level}>
    {report.rivals.length === 0 ? <p>No other name was found in two or more answers.</p> : null}
    <Scroll label={`Who is named: ${name} and rivals`}>
      <table class="wide">
        <caption>Answers that name each brand, most often first. The line below a bar is the 95 % interval.</caption>
        <TableHead
          columns={[
            'Name',
            'Mention rate',
            { number: 'Named in' },
            { number: 'Recommended in' },
            { number: 'Share of voice' },
          ]}
        />
        <tbody>
          {rankBrands(report).map((rival) =>
            rival === 'own' ? <Own name={name} report={report} /> : <Rival {...rival} />,
          )}
        </tbody>
      </table>
    </Scroll>
  </ReportSection>
);

const Own = ({ name, report }: { name: string; report: ReportedBrand }) => (
  <tr class="own">
    <th scope="row">
      <bdi>{name}</bdi> <span class="small">(this brand)</span>
    </th>
    <td class="drawn">
      <RateBar rate={report.mention_rate} series={1} />
    </td>
    <td class="number">
      {computeCount(report.mention_rate)} of {report.mention_rate.n}
    </td>
    <td class="number">{computeCount(report.recommendation_rate)}</td>
    <td class="number">{report.share_of_voice === null ? 'not seen' : formatPercent(report.share_of_voice.value)}</td>
  </tr>
);

const Rival = ({
  name,
  mentioned,
  mention_rate: rate,
  recommended,
  share_of_voice: voice,
}: ReportedBrand['rivals'][number]) => (
  <tr>
    <th scope="row">
      <bdi>{name}</bdi>
    </th>
    <td class="drawn">
      <RateBar rate={rate} series={2} />
    </td>
    <td class="number">
      {mentioned} of {rate.n}
    </td>
    <td class="number">{recommended}</td>
    <td class="number">{formatPercent(voice)}</td>
  </tr>
);

/** Whom the answers recommend that do not name the brand, in their words. */
export const RecommendedInstead = ({ name, report, level }: Props) => (
  <ReportSection title="Recommended instead" level={level}>
    {report.recommended_instead.length === 0 ? (
      <p>No answer without this brand recommends a brand that was found.</p>
    ) : (
      <>
        <p>
          Whom the answers recommend that do not name <bdi>{name}</bdi>, each with a sentence of such an answer.
        </p>
        <ul class="instead">
          {report.recommended_instead.map((leader) => (
            <Leader {...leader} />
          ))}
        </ul>
      </>
    )}
  </ReportSection>
);

const Leader = ({ name, answers, of, quote }: ReportedBrand['recommended_instead'][number]) => (
  <li class="card">
    <p class="leader">
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span class="small">
        in {answers} of {of} answers
      </span>
    </p>
    {quote === '' ? null : <Quote text={quote} />}
  </li>
);

/** Where the answers come from, as far as the engine says. */
export const Sources = ({ report, level }: { report: ReportedBrand; level?: Level | undefined }) => (
  <ReportSection title="Sources that the answers cite" level={level}>
    <SourceRows sources={report.sources} />
  </ReportSection>
);

const SourceRows = ({ sources }: { sources: ReportedBrand['sources'] }) => {
  if (sources === null)
    return (
      <p>
        <NotSeen why="this engine gives no sources, so they were not measured." />
      </p>
    );
  if (sources.length === 0) return <p>No answer cites a source.</p>;
  return (
    <table class="slim">
      <caption>Registered domains, each counted once per answer. Being cited there helps to be named.</caption>
      <TableHead columns={['Domain', { number: 'Answers' }]} />
      <tbody>
        {sources.map(({ domain, answers }) => (
          <tr>
            <th scope="row">
              <span class="url">{domain}</span>
            </th>
            <td class="number">{answers}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
