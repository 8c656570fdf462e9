import { Status, TableHead } from '../../design/parts.tsx';
import { SeriesSide, Scroll } from '../parts/layout.tsx';
import { type Check, type Compared, formatQuantity } from '../parts/words.ts';
import { OtherRubric } from '../parts/rubric.tsx';
import type { SiteNames } from './categories.tsx';

type Props = { result: Compared; names: SiteNames };
type Pair = { check: Check; url: Check | undefined; competitor: Check | undefined };

/** Every check of both sites, for anyone who wants to see what the scores are made of. */
export const AllChecks = ({ result, names }: Props) => {
  const pairs = pairChecks(result);
  return (
    <details class="both">
      <summary>All {pairs.length} checks of both sites</summary>
      <Scroll label="All checks of both sites">
        <table class="wide">
          <caption>Weight and outcome of each check; one that counts in several scores is listed once.</caption>
          <TableHead
            columns={[
              'Check',
              { number: 'Weight' },
              <SeriesSide name={names.url} series={1} />,
              <SeriesSide name={names.competitor} series={2} />,
            ]}
          />
          <tbody>
            {pairs.map(({ check, url, competitor }) => (
              <tr>
                <th scope="row">{check.title}</th>
                <td class="number">{check.weight}</td>
                <td>{url === undefined ? '–' : <Status status={url.status} />}</td>
                <td>{competitor === undefined ? '–' : <Status status={competitor.status} />}</td>
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
export const JudgedBy = ({ result, names }: Props) => (
  <div class="columns">
    {(['url', 'competitor'] as const).map((side) => (
      <div class="card">
        <h3>
          <SeriesSide name={names[side]} series={side === 'url' ? 1 : 2} />
        </h3>
        <JudgedSite site={result.sites[side]} />
      </div>
    ))}
  </div>
);

const JudgedSite = ({ site }: { site: Compared['sites']['url'] }) => (
  <>
    <p>
      Site type <code>{site.profile.name}</code>
      {site.profile.given ? ', as the buyer asked' : ''}, because of: {site.profile.rests_on.join(', ')}.
    </p>
    <p class="small">
      {formatQuantity(site.requests.length, 'request')}, rubric {site.rubric.version} (SHA-256{' '}
      <code>{site.rubric.sha256}</code>
      ).
    </p>
    <OtherRubric version={site.rubric.version} />
  </>
);
