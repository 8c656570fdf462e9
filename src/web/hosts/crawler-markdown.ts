import { formatCodeCell } from '../../lib/safe-text.ts';
import type { HostAccess } from '../../traffic/access/access-row.ts';
import type { CrawlerReport } from '../../traffic/edge/crawler-report.ts';
import { formatWholeNumber } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { formatAccessRow, listConflicts } from './access-rows.ts';
import { hostAccessWords } from './access-words.ts';
import { hostsWords } from './hosts-words.ts';

/** Pages of each agent that are listed. */
const LISTED_PAGES = 10;
const PERCENT = 100;

/** A report of crawlers as Markdown. Paths are of visitors: they are code and nothing else. */
export function formatCrawlersMarkdown(
  report: CrawlerReport,
  access: HostAccess | undefined,
  language: PageLanguage,
): string {
  const words = hostsWords[language];
  const { host, from, to, classes, agents, referrals, unread_by_agents: unread } = report;
  const number = (count: number): string => formatWholeNumber(count, language);
  const heads = [words.requests, words.pages, words.errors, words.refused, words.robots, words.llms, words.lastSeen];
  const counts = (row: CrawlerReport['classes'][number] | CrawlerReport['agents'][number]): readonly string[] => [
    number(row.requests),
    number(row.pages),
    `${Math.round(row.error_share * PERCENT)} %`,
    number(row.refused),
    number(row.robots_txt),
    number(row.llms_txt + row.markdown),
    row.last_seen,
  ];
  return [
    `# ${words.crawlersTitle}: ${formatCodeCell(host)}`,
    `${words.range(from, to)}. ${words.received(number(report.received.batches), number(report.received.not_counted))} ${words.smallCells}`,
    `## ${words.byClass}`,
    formatTable(
      [words.className, ...heads],
      classes.map((row) => [words.classes[row.class], ...counts(row)]),
    ),
    `## ${words.byAgent}`,
    formatTable(
      [words.agent, ...heads],
      agents.map((row) => [`${row.agent}, ${words.verifications[row.verification]}`, ...counts(row)]),
    ),
    ...(access === undefined ? [] : formatAccess(access, language)),
    ...formatSection(
      words.topPages,
      agents.flatMap(({ agent, top_pages: pages }) =>
        pages.slice(0, LISTED_PAGES).map(({ path, requests }) => [agent, formatCodeCell(path), number(requests)]),
      ),
      [words.agent, words.path, words.requests],
    ),
    ...formatSection(
      words.referrals,
      referrals.map(({ assistant, requests }) => [assistant, number(requests)]),
      [words.assistant, words.visits],
    ),
    ...formatSection(
      words.unread,
      unread.pages.map(({ path, requests }) => [formatCodeCell(path), number(requests)]),
      [words.path, words.visits],
    ),
    '',
  ].join('\n\n');
}

/** Every text is ours: nothing of the site or of a visitor is in it. */
function formatAccess(access: HostAccess, language: PageLanguage): readonly string[] {
  const words = hostAccessWords[language];
  if (access.state !== 'ready') return [`## ${words.title}`, words.states[access.state]];
  const conflicts = listConflicts(access.table, language);
  return [
    `## ${words.title}`,
    `${words.lead} ${words.audited} ${access.audited_at}.`,
    formatTable(
      [words.agent, words.declared, words.observed, words.came, words.refused],
      access.table.rows.map((row) => [row.token, ...formatAccessRow(row, language)]),
    ),
    ...(conflicts.length === 0
      ? [words.noConflict]
      : [
          `### ${words.conflicts}`,
          formatTable(
            [words.agent, words.what, words.cause, words.remedy],
            conflicts.map(({ token, what, cause, remedy }) => [token, what, cause, remedy]),
          ),
        ]),
  ];
}

type Rows = readonly (readonly string[])[];

const formatSection = (title: string, rows: Rows, heads: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : [`## ${title}`, formatTable(heads, rows)];

const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const formatTable = (heads: readonly string[], rows: Rows): string =>
  [formatRow(heads), formatRow(heads.map(() => '---')), ...rows.map(formatRow)].join('\n');
