import { Code } from '../design/parts.tsx';
import { BADGE_HEIGHT, BADGE_WIDTH } from './badge.tsx';

/** A host as it stands in a path of ours: brackets of an IPv6 address have no place there. */
const inPath = (host: string): string => encodeURIComponent(host).replaceAll('%3A', ':');

export const badgePath = (host: string): string => `/badge/${inPath(host)}.svg`;
export const historyPath = (host: string): string => `/history/${inPath(host)}`;

const altOf = (host: string): string => `AI visibility of ${host}`;

/** What shows the badge in the theme of the reader, and leads to the history. */
const htmlOf = (host: string, baseUrl: string): string => {
  const badge = `${baseUrl}${badgePath(host)}`;
  return `<a href="${baseUrl}${historyPath(host)}"><picture><source media="(prefers-color-scheme: dark)" srcset="${badge}?theme=dark"><img src="${badge}" alt="${altOf(host)}" width="${BADGE_WIDTH}" height="${BADGE_HEIGHT}"></picture></a>`;
};

const markdownOf = (host: string, baseUrl: string): string =>
  `[![${altOf(host)}](${baseUrl}${badgePath(host)})](${baseUrl}${historyPath(host)})`;

/** Code to put the badge of a host on a page. @param host as `siteKeyOf` makes it: no character of it means anything */
export const BadgeSnippets = ({ host, baseUrl }: { host: string; baseUrl: string }) => (
  <>
    <h3>HTML</h3>
    <Code text={htmlOf(host, baseUrl)} label="Copy HTML" />
    <h3>Markdown</h3>
    <Code text={markdownOf(host, baseUrl)} label="Copy Markdown" />
  </>
);

/** The badge itself, in the theme of the reader. */
export const BadgeImage = ({ host }: { host: string }) => (
  <picture>
    <source media="(prefers-color-scheme: dark)" srcset={`${badgePath(host)}?theme=dark`} />
    <img class="badge" src={badgePath(host)} alt={altOf(host)} width={BADGE_WIDTH} height={BADGE_HEIGHT} />
  </picture>
);
