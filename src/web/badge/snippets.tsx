import { Code } from '../design/parts.tsx';
import { BADGE_HEIGHT, BADGE_WIDTH } from './badge.tsx';

/** A host as it is in a path of ours: brackets of an IPv6 address have no place there. */
const encodePathHost = (host: string): string => encodeURIComponent(host).replaceAll('%3A', ':');

export const formatBadgePath = (host: string): string => `/badge/${encodePathHost(host)}.svg`;
export const formatHistoryPath = (host: string): string => `/history/${encodePathHost(host)}`;

const formatBadgeAlt = (host: string): string => `AI visibility of ${host}`;

/** What shows the badge in the theme of the reader, and leads to the history. */
const renderHtmlSnippet = (host: string, baseUrl: string): string => {
  const badge = `${baseUrl}${formatBadgePath(host)}`;
  return `<a href="${baseUrl}${formatHistoryPath(host)}"><picture><source media="(prefers-color-scheme: dark)" srcset="${badge}?theme=dark"><img src="${badge}" alt="${formatBadgeAlt(host)}" width="${BADGE_WIDTH}" height="${BADGE_HEIGHT}"></picture></a>`;
};

const renderMarkdownSnippet = (host: string, baseUrl: string): string =>
  `[![${formatBadgeAlt(host)}](${baseUrl}${formatBadgePath(host)})](${baseUrl}${formatHistoryPath(host)})`;

/** Code to put the badge of a host on a page. @param host as `getSiteKey` makes it: no character of it means anything */
export const BadgeSnippets = ({ host, baseUrl }: { host: string; baseUrl: string }) => (
  <>
    <h3>HTML</h3>
    <Code text={renderHtmlSnippet(host, baseUrl)} label="Copy HTML" />
    <h3>Markdown</h3>
    <Code text={renderMarkdownSnippet(host, baseUrl)} label="Copy Markdown" />
  </>
);

/** The badge itself, in the theme of the reader. */
export const BadgeImage = ({ host }: { host: string }) => (
  <picture>
    <source media="(prefers-color-scheme: dark)" srcset={`${formatBadgePath(host)}?theme=dark`} />
    <img
      class="badge"
      src={formatBadgePath(host)}
      alt={formatBadgeAlt(host)}
      width={BADGE_WIDTH}
      height={BADGE_HEIGHT}
    />
  </picture>
);
