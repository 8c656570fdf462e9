import { html } from 'hono/html';
import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { type FourScores, hasScore } from '../../capabilities/published/history.ts';
import { badgeColours, type BadgeTheme } from './colours-data.ts';
import { Code } from '../design/parts.tsx';

export const BADGE_HEIGHT = 24;
const LABEL_WIDTH = 92;
const SCORE_WIDTH = 66;
const MESSAGE_WIDTH = 100;
/** Room left and right of a text. Its length is set, so that no font that we do not have can break the drawing. */
const MARGIN = 8;

/** Width of a badge with a cell for each score that applies; for all four where the scores are not known yet. */
export const computeBadgeWidth = (scores?: FourScores): number =>
  LABEL_WIDTH + (scores === undefined ? scoreNames : listShownScores(scores)).length * SCORE_WIDTH;

const listShownScores = (scores: FourScores): readonly ScoreName[] =>
  scoreNames.filter((name) => hasScore(scores[name]));

const SHORT: Readonly<Record<ScoreName, string>> = { aeo: 'AEO', geo: 'GEO', agent: 'Agent', mcp: 'MCP' };
const LABEL = 'AI visibility';
const NOT_PUBLISHED = 'not published';

export type BadgeShown = { scores: FourScores; only?: ScoreName | undefined };

/**
 * A badge as an SVG document without styles or scripts: the newest published scores, or one and the same drawing for
 * every host of which nothing is published (rule X5). All that is put into it becomes text nodes (rule X6).
 */
export async function renderBadgeSvg(shown: BadgeShown | undefined, theme: BadgeTheme): Promise<string> {
  const cells = shown === undefined ? [UNPUBLISHED] : listBadgeCells(shown);
  return (await html`${<Badge cells={cells} theme={theme} />}`).toString();
}

type BadgeColours = 'good' | 'fair' | 'poor' | 'idle';
type Cell = { text: string; spoken: string; width: number; ground: BadgeColours };

const UNPUBLISHED: Cell = { text: NOT_PUBLISHED, spoken: NOT_PUBLISHED, width: MESSAGE_WIDTH, ground: 'idle' };

function listBadgeCells({ scores, only }: BadgeShown): readonly Cell[] {
  const names = only === undefined ? listShownScores(scores) : [only];
  return names.map((name) => {
    if (!hasScore(scores[name])) return createIdleCell(name);
    const { score, grade } = scores[name];
    const spoken = `${SHORT[name]} ${score} of 100, grade ${grade}`;
    return { text: `${SHORT[name]} ${score}`, spoken, width: SCORE_WIDTH, ground: GROUNDS.get(grade) ?? 'idle' };
  });
}

/** One score that was asked for by name and does not apply. */
const createIdleCell = (name: ScoreName): Cell => ({
  text: `${SHORT[name]} n/a`,
  spoken: `${SHORT[name]} does not apply`,
  width: SCORE_WIDTH,
  ground: 'idle',
});

const GROUNDS: ReadonlyMap<string, BadgeColours> = new Map([
  ['A', 'good'],
  ['B', 'good'],
  ['C', 'fair'],
  ['D', 'fair'],
  ['F', 'poor'],
]);

const Badge = ({ cells, theme }: { cells: readonly Cell[]; theme: BadgeTheme }) => {
  const colours = badgeColours[theme];
  const width = LABEL_WIDTH + cells.reduce((sum, cell) => sum + cell.width, 0);
  const title = `${LABEL}: ${cells.map(({ spoken }) => spoken).join('; ')}`;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={BADGE_HEIGHT}
      viewBox={`0 0 ${width} ${BADGE_HEIGHT}`}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <Part x={0} width={LABEL_WIDTH} fill={colours.label} ink={colours.onLabel} text={LABEL} />
      {cells.map(({ text, width: wide, ground }, place) => (
        <Part x={LABEL_WIDTH + place * wide} width={wide} fill={colours[ground]} ink={colours.on} text={text} />
      ))}
    </svg>
  );
};

type PartProps = { x: number; width: number; fill: string; ink: string; text: string };

const Part = ({ x, width, fill, ink, text }: PartProps) => (
  <>
    <rect x={x} width={width} height={BADGE_HEIGHT} fill={fill} />
    <text
      x={x + MARGIN}
      y="16.5"
      fill={ink}
      font-family="Verdana, 'DejaVu Sans', sans-serif"
      font-size="12"
      textLength={width - 2 * MARGIN}
      lengthAdjust="spacingAndGlyphs"
    >
      {text}
    </text>
  </>
);

/** A host as it is in a path of ours: brackets of an IPv6 address have no place there. */
const encodePathHost = (host: string): string => encodeURIComponent(host).replaceAll('%3A', ':');

export const formatBadgePath = (host: string): string => `/badge/${encodePathHost(host)}.svg`;
export const formatHistoryPath = (host: string): string => `/history/${encodePathHost(host)}`;

const formatBadgeAlt = (host: string): string => `AI visibility of ${host}`;

type BadgePlace = { host: string; baseUrl: string; scores?: FourScores };

/** What shows the badge in the theme of the reader, and leads to the history. */
const renderHtmlSnippet = ({ host, baseUrl, scores }: BadgePlace): string => {
  const badge = `${baseUrl}${formatBadgePath(host)}`;
  return `<a href="${baseUrl}${formatHistoryPath(host)}"><picture><source media="(prefers-color-scheme: dark)" srcset="${badge}?theme=dark"><img src="${badge}" alt="${formatBadgeAlt(host)}" width="${computeBadgeWidth(scores)}" height="${BADGE_HEIGHT}"></picture></a>`;
};

const renderMarkdownSnippet = ({ host, baseUrl }: BadgePlace): string =>
  `[![${formatBadgeAlt(host)}](${baseUrl}${formatBadgePath(host)})](${baseUrl}${formatHistoryPath(host)})`;

/** `formatCopy`: the button of a snippet, in the language of the page. */
type SnippetsProps = BadgePlace & { formatCopy: (what: string) => string };

/** Code to put the badge of a host on a page. @param host as `getSiteKey` makes it: no character of it means anything */
export const BadgeSnippets = ({ formatCopy, ...place }: SnippetsProps) => (
  <>
    <h3>HTML</h3>
    <Code text={renderHtmlSnippet(place)} label={formatCopy('HTML')} />
    <h3>Markdown</h3>
    <Code text={renderMarkdownSnippet(place)} label={formatCopy('Markdown')} />
  </>
);

/** The badge itself, in the theme of the reader. */
export const BadgeImage = ({ host, scores, alt }: Omit<BadgePlace, 'baseUrl'> & { alt: string }) => (
  <picture>
    <source media="(prefers-color-scheme: dark)" srcset={`${formatBadgePath(host)}?theme=dark`} />
    <img class="badge" src={formatBadgePath(host)} alt={alt} width={computeBadgeWidth(scores)} height={BADGE_HEIGHT} />
  </picture>
);
