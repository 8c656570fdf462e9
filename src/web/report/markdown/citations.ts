import type * as z from 'zod';
import type { citationsResult } from '../../../capabilities/citation-results.ts';
import { formatCodeCell, formatCodeSpan } from '../../../lib/safe-text.ts';
import { formatPercent } from '../../../lib/numbers.ts';
import { escapeReferences } from '../../../report/markdown.ts';
import { citationWords, describeUnread } from '../citations/citations-words.ts';
import { computeCount, formatInterval } from '../parts/words.ts';
import {
  formatBullets,
  formatMarkdownSection,
  formatMarkdownTable,
  formatRateText,
  MAX_MARKDOWN_QUOTE_CHARS,
} from './parts.ts';

type Citations = z.infer<typeof citationsResult>;
type PageChecks = NonNullable<Citations['page_checks']>;

const words = citationWords.en;
/** Longest address in a code span. */
const MAX_ADDRESS_CHARS = 500;

/** What answers cite, each section under a heading of `level`. Addresses, titles and sentences are in code spans only (rule X7). */
export function formatCitationSections(citations: Citations | null, level: '##' | '###'): readonly string[] {
  if (citations === null) return [`${level} ${words.title}\n\nNot measured: ${words.notMeasured}`];
  const { page_checks: checks, page_checks_reason: reason } = citations;
  const missing = reason === undefined ? '' : `Could not check: ${words.checksMissing[reason]}`;
  return [
    formatMarkdownSection(`${level} ${words.title}`, formatOverview(citations)),
    formatMarkdownSection(`${level} ${words.kindsTitle}`, formatKinds(citations)),
    formatMarkdownSection(`${level} ${words.rivalsTitle}`, formatCitedRivals(citations)),
    formatMarkdownSection(`${level} ${words.pagesTitle}`, formatCitedPages(citations)),
    formatMarkdownSection(`${level} ${words.checksTitle}`, checks === null ? missing : formatPageChecks(checks)),
  ];
}

function formatOverview({ own, measured, answers, citations, notes }: Citations): string {
  const lines =
    own === null
      ? [`${words.ownRate}: ${words.ownUnknown}`]
      : [
          `Your site: ${formatCodeSpan(own.domain)}`,
          `${words.ownRate}: ${describeRate(own.rate)}`,
          `${words.ownShare}: ${own.share === null ? words.nothingCited : formatRateText(own.share)}`,
        ];
  return [
    words.lead(measured, answers, citations),
    formatBullets([...lines, ...notes.map((note) => escapeReferences(note))]),
  ].join('\n\n');
}

function describeRate(rate: NonNullable<Citations['own']>['rate']): string {
  if (rate === null) return words.allUnknown;
  const worst = rate.worst_case === undefined ? undefined : formatInterval(rate.worst_case);
  return `${formatPercent(rate.value)}. ${words.ownRateSaid(computeCount(rate), rate.n, formatInterval(rate), worst)}`;
}

const formatKinds = ({ citations, kinds, measured }: Citations): string =>
  citations === 0
    ? words.nothingCited
    : formatMarkdownTable(
        markNumbers(words.kindColumns, 1),
        kinds.map((row) => [
          words.kinds[row.kind],
          `${row.citations}`,
          formatPercent(row.share),
          words.of(row.answers, measured),
        ]),
      );

/** Columns from `from` on hold numbers. */
const markNumbers = (columns: readonly string[], from: number): readonly string[] =>
  columns.map((name, at) => (at < from ? name : `${name}:`));

const formatCitedRivals = ({ citations, rivals }: Citations): string => {
  if (citations === 0) return '';
  if (rivals.length === 0) return words.rivalsNone;
  return formatMarkdownTable(
    markNumbers(words.rivalColumns, 1),
    rivals.map(({ name, domains, rate, share }) => [
      `${formatCodeCell(name)} ${domains.map((domain) => formatCodeCell(domain)).join(' ')}`,
      formatRateText(rate),
      formatRateText(share),
    ]),
  );
};

function formatCitedPages({ citations, pages, measured, further_pages: further }: Citations): string {
  if (citations === 0) return '';
  if (pages.length === 0) return words.pagesNone;
  const table = formatMarkdownTable(
    [...markNumbers(words.pageColumns, 2), 'Given for'],
    pages.map(({ url, title, kind, rival, answers, position, sentences }) => [
      [...(title === null ? [] : [formatCodeCell(title)]), formatCodeCell(url, MAX_ADDRESS_CHARS)].join(' '),
      `${words.kinds[kind]}${rival === undefined ? '' : ` ${formatCodeCell(rival)}`}`,
      words.of(answers, measured),
      position.toFixed(1),
      sentences.map(({ text }) => formatCodeCell(text, MAX_MARKDOWN_QUOTE_CHARS)).join(' '),
    ]),
  );
  return further === 0 ? table : `${table}\n\n${words.pagesFurther(further)}`;
}

function formatPageChecks({ checks, pages, further, alike, not_compared: open }: PageChecks): string {
  const count = ({ pass, partial, fail, unknown }: PageChecks['checks'][number]['cited']): string =>
    words.counted(pass, pass + partial + fail, unknown);
  const rows = (ahead: 'cited' | 'own'): string => {
    const table = formatMarkdownTable(
      words.checkColumns,
      checks
        .filter((check) => check.ahead === ahead)
        .map(({ title, cited, own }) => [escapeReferences(title), count(cited), count(own)]),
    );
    return table === '' ? '' : `${ahead === 'cited' ? words.citedAhead : words.ownAhead}:\n\n${table}`;
  };
  const compared = pages.map(
    (page) =>
      `${formatCodeSpan(page.url, MAX_ADDRESS_CHARS)} (${words.sides[page.side]}): ${page.status === 'read' ? words.read : describeUnread(words, page.reason)}`,
  );
  return [
    words.checksLead,
    checks.length === 0 ? words.checksNone : '',
    rows('cited'),
    rows('own'),
    words.checksRest(further, alike, open),
    formatBullets(compared),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
