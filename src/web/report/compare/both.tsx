import { basisWords } from '../../audit/basis-words.ts';
import { EnglishText, Status, TableHead } from '../../design/parts.tsx';
import { formatDecimal } from '../../language/amounts.ts';
import type { PageLanguage } from '../../language/language.ts';
import { SeriesSide, Scroll } from '../parts/layout.tsx';
import type { Check, Compared } from '../parts/words.ts';
import { OtherRubric } from '../parts/rubric.tsx';
import { compareWords, type SiteNames } from './compare-words.ts';

type Props = { result: Compared; names: SiteNames; language: PageLanguage };
type Pair = { check: Check; url: Check | undefined; competitor: Check | undefined };

/** Every check of both sites, for anyone who wants to see what the scores are made of. */
export const AllChecks = ({ result, names, language }: Props) => {
  const words = compareWords[language];
  const pairs = pairChecks(result);
  return (
    <details class="both">
      <summary>{words.all(pairs.length)}</summary>
      <Scroll label={words.allLabel}>
        <table class="wide">
          <caption>{words.allCaption}</caption>
          <TableHead
            columns={[
              words.columns.check,
              { number: words.columns.weight },
              <SeriesSide name={names.url} series={1} />,
              <SeriesSide name={names.competitor} series={2} />,
            ]}
          />
          <tbody>
            {pairs.map(({ check, url, competitor }) => (
              <tr>
                <th scope="row">{check.title}</th>
                <td class="number">{formatDecimal(check.weight, language)}</td>
                <td>{url === undefined ? '–' : <Status status={url.status} language={language} />}</td>
                <td>{competitor === undefined ? '–' : <Status status={competitor.status} language={language} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
};

function pairChecks({ sites }: Compared): readonly Pair[] {
  const [url, competitor] = [indexChecks(sites.url), indexChecks(sites.competitor)];
  return [...new Map([...competitor, ...url]).keys()].flatMap((id) => {
    const pair = { url: url.get(id), competitor: competitor.get(id) };
    const check = pair.url ?? pair.competitor;
    return check === undefined ? [] : [{ check, ...pair }];
  });
}

const indexChecks = ({ scores }: Compared['sites']['url']): ReadonlyMap<string, Check> =>
  new Map(Object.values(scores).flatMap(({ checks }) => checks.map((check) => [check.id, check] as const)));

/** By what each site was judged. */
export const JudgedBy = ({ result, names, language }: Props) => (
  <div class="columns">
    {(['url', 'competitor'] as const).map((side) => (
      <div class="card">
        <h3>
          <SeriesSide name={names[side]} series={side === 'url' ? 1 : 2} />
        </h3>
        <JudgedSite site={result.sites[side]} language={language} />
      </div>
    ))}
  </div>
);

type JudgedSiteProps = { site: Compared['sites']['url']; language: PageLanguage };

const JudgedSite = ({ site, language }: JudgedSiteProps) => {
  const words = compareWords[language];
  const { name, given, rests_on: clues } = site.profile;
  return (
    <>
      <p>
        {words.siteType} <code>{basisWords[language].siteTypes[name] ?? name}</code>
        {given ? words.given : ''}, {words.because} <EnglishText text={clues.join(', ')} language={language} />.
      </p>
      <p class="small">
        {words.requests(site.requests.length)}, {words.rubric(site.rubric.version)} (SHA-256{' '}
        <code>{site.rubric.sha256}</code>
        ).
      </p>
      <OtherRubric version={site.rubric.version} language={language} />
    </>
  );
};
