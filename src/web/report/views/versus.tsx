import { formatPercent } from '../../../lib/numbers.ts';
import { TableHead } from '../../design/parts.tsx';
import { NotSeen, RateBar, SeriesSide, Notes, Scroll, ReportSection } from '../parts/layout.tsx';
import { type ReportedBrand, formatQuantity, computeCount, formatInterval, type Versus } from '../parts/words.ts';
import { Headline, formatPosition, Split } from '../visibility/headline.tsx';
import { IntentRate, Intents, WeakSpotsSection } from '../visibility/intents.tsx';
import { Cautions, Measured, NameReadingSection } from '../visibility/measured.tsx';
import { RecommendedInstead, Rivals, Sources } from '../visibility/rivals.tsx';
import { describeChance, describeVerdict, describeVisibleDifference } from '../visibility/verdict.ts';

type Names = readonly [string, string];

/** Two brands on the same answers: which one is named more often, if these answers can tell, and all figures of both. */
export const VersusView = ({ result }: { result: Versus }) => {
  const { brand, competitor } = result.brands;
  const names: Names = [brand.name, competitor.name];
  return (
    <div class="visibility">
      <Cautions {...result} />
      <Verdict result={result} names={names} />
      <SideBySide result={result} names={names} />
      <IntentsSideBySide result={result} names={names} />
      <BrandPart report={brand} name={brand.name} />
      <BrandPart report={competitor} name={competitor.name} />
      <Measured measurement={result} counts={brand} />
    </div>
  );
};

const Verdict = ({ result, names }: { result: Versus; names: Names }) => (
  <ReportSection title="Who is named more often">
    <div class={`verdict card ${result.verdict === 'too_close_to_call' ? 'open' : 'called'}`}>
      <p class="big">{describeVerdict(result, names)}</p>
      <p>
        <SeriesSide name={names[0]} series={1} /> against <SeriesSide name={names[1]} series={2} />, when people ask for{' '}
        <bdi>{result.niche}</bdi> without naming any brand.
      </p>
    </div>
    <Split counts={result.discordant} names={names} />
    <p class="prose">
      <strong>p = {result.p_value}.</strong> {describeChance(result.p_value)}
    </p>
    <p class="prose">{describeVisibleDifference(result.smallest_visible_difference)}</p>
    <Notes notes={result.notes.filter((note) => !SAID_ABOVE.test(note))} />
  </ReportSection>
);

/** Notes that the table and the two paragraphs above them say already, at more length. */
const SAID_ABOVE = /^(?:\d+ answers name only the brand,|With this much disagreement|So few answers cannot show)/;

const SideBySide = ({ result, names }: { result: Versus; names: Names }) => {
  const { brand, competitor } = result.brands;
  return (
    <ReportSection title="Side by side">
      <p class="small">The line below a bar is the 95 % interval.</p>
      <ul class="pairs">
        <Pair
          title="Mention rate"
          names={names}
          values={[<Mentions {...brand} />, <Mentions {...competitor} second />]}
        />
        <Pair
          title="Recommendation rate"
          names={names}
          values={[
            <RateBar rate={brand.recommendation_rate} series={1} />,
            <RateBar rate={competitor.recommendation_rate} series={2} />,
          ]}
        />
        <Pair title="Share of voice" names={names} values={[<Voice {...brand} />, <Voice {...competitor} second />]} />
        <Pair title="Average position" names={names} values={[<Place {...brand} />, <Place {...competitor} />]} />
      </ul>
    </ReportSection>
  );
};

const Pair = ({ title, names, values }: { title: string; names: Names; values: readonly [unknown, unknown] }) => (
  <li class="card">
    <h3>{title}</h3>
    <dl class="pair">
      <dt>
        <SeriesSide name={names[0]} series={1} />
      </dt>
      <dd>{values[0]}</dd>
      <dt>
        <SeriesSide name={names[1]} series={2} />
      </dt>
      <dd>{values[1]}</dd>
    </dl>
  </li>
);

type OneOfTwo = ReportedBrand & { second?: boolean };

const Mentions = ({ mention_rate: rate, second = false }: OneOfTwo) => (
  <>
    <RateBar rate={rate} series={second ? 2 : 1} />
    <p class="small">
      {computeCount(rate)} of {formatQuantity(rate.n, 'answer')}
      {rate.worst_case === undefined
        ? ''
        : `; with the missing answers against it or for it ${formatInterval(rate.worst_case)}`}
    </p>
  </>
);

const Voice = ({ share_of_voice: rate, second = false }: OneOfTwo) =>
  rate === null ? <NotSeen why="no name was found." /> : <RateBar rate={rate} series={second ? 2 : 1} />;

const Place = ({ average_position: position }: ReportedBrand) =>
  position === null ? (
    <>No position: no answer names it.</>
  ) : (
    <>
      <strong>{formatPosition(position.value)}</strong>{' '}
      <span class="small">over {formatQuantity(position.n, 'answer')}</span>
    </>
  );

const IntentsSideBySide = ({ result, names }: { result: Versus; names: Names }) => (
  <ReportSection title="By kind of question">
    <Scroll label="Mention rates of both by kind of question">
      <table class="wide">
        <caption>Mention rates for each kind of question: five prompts each, so the intervals are wide.</caption>
        <TableHead
          columns={[
            'Kind of question',
            <SeriesSide name={names[0]} series={1} />,
            <SeriesSide name={names[1]} series={2} />,
          ]}
        />
        <tbody>
          {result.brands.brand.intents.map((row, at) => (
            <tr>
              <th scope="row">{row.label}</th>
              <td class="drawn">
                <IntentRate rate={row.mention_rate} series={1} />
              </td>
              <td class="drawn">
                <IntentRate rate={result.brands.competitor.intents[at]?.mention_rate ?? null} series={2} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </ReportSection>
);

/** Everything about one of the two, for anyone who wants more than the comparison. */
const BrandPart = ({ name, report }: { name: string; report: ReportedBrand }) => (
  <ReportSection title={<bdi>{name}</bdi>}>
    <p>
      {formatPercent(report.mention_rate.value)} of the answers name it,{' '}
      {formatPercent(report.recommendation_rate.value)} recommend it.
    </p>
    <details class="brand-part">
      <summary>
        All figures of <bdi>{name}</bdi>
      </summary>
      <Headline report={report} />
      <WeakSpotsSection report={report} level={3} />
      <Intents name={name} report={report} level={3} />
      <Rivals name={name} report={report} level={3} />
      <RecommendedInstead name={name} report={report} level={3} />
      <Sources report={report} level={3} />
      <NameReadingSection report={report} level={3} />
    </details>
  </ReportSection>
);
