import { formatCodeCell } from '../../lib/safe-text.ts';
import type { CrawlerReport } from '../../traffic/edge/crawler-report.ts';
import { formatWholeNumber } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { hostsWords } from './hosts-words.ts';

/** Pages of each agent that are listed. */
const LISTED_PAGES = 10;
const PERCENT = 100;

/** A report of crawlers as Markdown. Paths are of visitors: they are code and nothing else. */
export function formatCrawlersMarkdown(report: CrawlerReport, language: PageLanguage): string {
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

type Rows = readonly (readonly string[])[];

const formatSection = (title: string, rows: Rows, heads: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : [`## ${title}`, formatTable(heads, rows)];

const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const formatTable = (heads: readonly string[], rows: Rows): string =>
  [formatRow(heads), formatRow(heads.map(() => '---')), ...rows.map(formatRow)].join('\n');
