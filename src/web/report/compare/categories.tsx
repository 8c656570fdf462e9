import { formatPercent } from '../../../lib/numbers.ts';
import { capitalise } from '../../../lib/text.ts';
import { Bar, EnglishText, parseWebAddress } from '../../design/parts.tsx';
import { summaryWords } from '../../audit/summary-words.ts';
import type { PageLanguage } from '../../language/language.ts';
import { SeriesSide } from '../parts/layout.tsx';
import type { Compared, Score } from '../parts/words.ts';
import { findStartAddress } from '../stored.ts';
import { compareWords, type SiteNames } from './compare-words.ts';
import { explainCategory, getGapTitle } from './explained.ts';

/** How a comparison calls its two sites: their hosts, or their whole addresses where they are of one host. */
export function getSiteNames({ sites }: Compared, language: PageLanguage): SiteNames {
  const [url, competitor] = [findStartAddress(sites.url.requests), findStartAddress(sites.competitor.requests)];
  const hosts = [findHostName(url), findHostName(competitor)] as const;
  const [mine, theirs] = hosts[0] === hosts[1] ? [url, competitor] : hosts;
  const { names } = compareWords[language];
  return { url: mine ?? names.url, competitor: theirs ?? names.competitor };
}

function findHostName(address: string | undefined): string | undefined {
  const href = address === undefined ? undefined : parseWebAddress(address);
  return href === undefined ? undefined : new URL(href).host;
}

type Category = Compared['categories'][number];
type Gaps = Compared['gaps'];

type Props = { result: Compared; names: SiteNames; language: PageLanguage };

/** Who wins each score, by how much, and what decided it. */
export const Categories = ({ result, names, language }: Props) => (
  <ul class="grid versus-grid">
    {result.categories.map((category) => (
      <li class="card">
        <h3>{formatCategoryTitle(category, language)}</h3>
        <p class={`winner ${category.winner}`}>
          <Winner {...category} names={names} language={language} />
        </p>
        {(['url', 'competitor'] as const).map((side) => (
          <Standing
            category={category}
            side={side}
            names={names}
            score={result.sites[side].scores[category.category]}
            language={language}
          />
        ))}
        <p>{explainCategory(result, category, names, language)}</p>
        <DecidedBy ids={category.decided_by} gaps={result.gaps} language={language} />
      </li>
    ))}
  </ul>
);

/** As the result names it in English; in other languages as summaries do. */
const formatCategoryTitle = ({ category, title }: Category, language: PageLanguage): string =>
  language === 'en' ? capitalise(title) : summaryWords[language].scoreNames[category];

type WinnerProps = Category & { names: SiteNames; language: PageLanguage };

const Winner = ({ winner, difference, applies, names, language }: WinnerProps) =>
  applies !== undefined ? (
    <strong>{compareWords[language].notCompared}</strong>
  ) : winner === 'tie' ? (
    <strong>{compareWords[language].tie}</strong>
  ) : (
    <>
      <strong>
        <bdi>{names[winner]}</bdi>
      </strong>{' '}
      {compareWords[language].by(difference)}
    </>
  );

type CategoryProps = {
  category: Category;
  side: 'url' | 'competitor';
  names: SiteNames;
  score: Score | undefined;
  language: PageLanguage;
};

/** One of the two. Where nothing of the rubric could be assessed, the score is no number: it would read as a bad one. */
const Standing = ({ category, side, names, score, language }: CategoryProps) => {
  const words = compareWords[language];
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
              words.notAssessed
            ) : (
              words.notApplying
            )
          ) : (
            <>
              <strong class="points">{points}</strong>
              {score === undefined ? null : <span class="small"> {words.grade(score.grade)}</span>}
            </>
          )}
        </span>
      </p>
      <Bar value={coverage === 0 ? 0 : points / 100} series={series} />
      <p class="small">
        {coverage > 0 ? (
          words.assessed(formatPercent(coverage))
        ) : score?.reason === undefined ? (
          words.noCheck
        ) : (
          <EnglishText text={score.reason} language={language} />
        )}
        {score?.gates.map(({ id, cap }) => {
          const [before, after] = words.cap(cap, points >= cap);
          return (
            <>
              {' '}
              {before} <code>{id}</code>
              {after}
            </>
          );
        })}
      </p>
    </div>
  );
};

/** The checks that decided it, each leading to its row among the differences. */
type DecidedByProps = { ids: readonly string[]; gaps: Gaps; language: PageLanguage };

const DecidedBy = ({ ids, gaps, language }: DecidedByProps) =>
  ids.length === 0 ? null : (
    <>
      <p class="small">{compareWords[language].decidedBy}</p>
      <ul class="decided">
        {ids.map((id) => {
          const at = gaps.findIndex((gap) => gap.id === id);
          const gap = gaps[at];
          return (
            <li>
              <a href={at === -1 ? '#gaps' : `#${getGapAnchor(at)}`}>
                {gap === undefined ? id : getGapTitle(gap, language)}
              </a>
            </li>
          );
        })}
      </ul>
    </>
  );

/** By its place: an id is text of a stored report, and an anchor must be ours. */
export const getGapAnchor = (index: number): string => `gap-${index + 1}`;
