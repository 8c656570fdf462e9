import { formatPercent } from '../../../lib/numbers.ts';
import { capitalise } from '../../../lib/text.ts';
import { Bar, parseWebAddress } from '../../design/parts.tsx';
import { SeriesSide } from '../parts/layout.tsx';
import { type Compared, formatQuantity, type Score } from '../parts/words.ts';
import { findStartAddress } from '../stored.ts';

export type SiteNames = Readonly<Record<'url' | 'competitor', string>>;

/** How a comparison calls its two sites: their hosts, or their whole addresses where they are of one host. */
export function getSiteNames({ sites }: Compared): SiteNames {
  const [url, competitor] = [findStartAddress(sites.url.requests), findStartAddress(sites.competitor.requests)];
  const hosts = [findHostName(url), findHostName(competitor)] as const;
  const [mine, theirs] = hosts[0] === hosts[1] ? [url, competitor] : hosts;
  return { url: mine ?? 'The site', competitor: theirs ?? 'The competitor' };
}

function findHostName(address: string | undefined): string | undefined {
  const href = address === undefined ? undefined : parseWebAddress(address);
  return href === undefined ? undefined : new URL(href).host;
}

type Category = Compared['categories'][number];
type Gaps = Compared['gaps'];

type Props = { result: Compared; names: SiteNames };

/** Who wins each score, by how much, and what decided it. */
export const Categories = ({ result, names }: Props) => (
  <ul class="grid versus-grid">
    {result.categories.map((category) => (
      <li class="card">
        <h3>{capitalise(category.title)}</h3>
        <p class={`winner ${category.winner}`}>
          <Winner {...category} names={names} />
        </p>
        <Standing category={category} side="url" names={names} score={result.sites.url.scores[category.category]} />
        <Standing
          category={category}
          side="competitor"
          names={names}
          score={result.sites.competitor.scores[category.category]}
        />
        <p>{category.why}</p>
        <DecidedBy ids={category.decided_by} gaps={result.gaps} />
      </li>
    ))}
  </ul>
);

const Winner = ({ winner, difference, applies, names }: Category & { names: SiteNames }) =>
  applies !== undefined ? (
    <strong>Not compared</strong>
  ) : winner === 'tie' ? (
    <strong>Tie</strong>
  ) : (
    <>
      <strong>
        <bdi>{names[winner]}</bdi>
      </strong>{' '}
      by {formatQuantity(difference, 'point')}
    </>
  );

type CategoryProps = { category: Category; side: 'url' | 'competitor'; names: SiteNames; score: Score | undefined };

/** One of the two. Where nothing of the rubric could be assessed, the score is no number: it would read as a bad one. */
const Standing = ({ category, side, names, score }: CategoryProps) => {
  const series = side === 'url' ? 1 : 2;
  const applies = category.applies?.[side] !== false;
  const [points, coverage] = [category.scores[side], category.coverage[side]];
  return (
    <div class="standing">
      <p class="standing-name">
        <SeriesSide name={names[side]} series={series} />
        <span>
          {coverage === 0 ? (
            applies ? (
              'not assessed'
            ) : (
              'does not apply'
            )
          ) : (
            <>
              <strong class="points">{points}</strong>
              {score === undefined ? null : <span class="small"> grade {score.grade}</span>}
            </>
          )}
        </span>
      </p>
      <Bar value={coverage === 0 ? 0 : points / 100} series={series} />
      <p class="small">
        {coverage === 0
          ? (score?.reason ?? 'No check of this score applies to the site or could be made.')
          : `${formatPercent(coverage)} of the checks, by weight, could be assessed.`}
        {score?.gates.map(({ id, cap }) => (
          <>
            {' '}
            {points < cap ? 'A cap of' : 'Capped at'} {cap} by <code>{id}</code>
            {points < cap ? ' does not hold it down.' : '.'}
          </>
        ))}
      </p>
    </div>
  );
};

/** The checks that decided it, each leading to its row among the differences. */
const DecidedBy = ({ ids, gaps }: { ids: readonly string[]; gaps: Gaps }) =>
  ids.length === 0 ? null : (
    <>
      <p class="small">What decided it:</p>
      <ul class="decided">
        {ids.map((id) => {
          const at = gaps.findIndex((gap) => gap.id === id);
          return (
            <li>
              <a href={at === -1 ? '#gaps' : `#${getGapAnchor(at)}`}>{gaps[at]?.title ?? id}</a>
            </li>
          );
        })}
      </ul>
    </>
  );

/** By its place: an id is text of a stored report, and an anchor must be ours. */
export const getGapAnchor = (index: number): string => `gap-${index + 1}`;
