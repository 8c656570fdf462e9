import type { SellerReport } from '../../seller/seller-report.ts';
import { formatSafeLine, wrapText } from '../core/terminal.ts';

const WIDTH = 100;
const MARKS = { pass: '✓', partial: '~', fail: '✗', not_applicable: '-', unknown: '?' } as const;
/** Order in which a person wants to read them. */
const ORDER = ['fail', 'partial', 'unknown', 'pass', 'not_applicable'] as const;

type Printed = Pick<SellerReport, 'url' | 'summary' | 'checks' | 'facts'>;

/** A report of a seller for a person: what to fix first, each with what was seen and what to do. */
export function formatSellerText(
  { url, summary, checks, facts }: Printed,
  remedies: Readonly<Record<string, string>>,
  isVerbose: boolean,
): string {
  const shown = ORDER.filter((status) => isVerbose || (status !== 'pass' && status !== 'not_applicable'));
  const rows = shown.flatMap((status) =>
    checks.filter((check) => check.status === status).toSorted((a, b) => b.weight - a.weight),
  );
  const ways = facts.ways.map(
    ({ protocol, network, amount, pay_to: payTo }) =>
      `  ${protocol}: ${formatSafeLine(`${amount} units on ${network} to ${payTo}`)}`,
  );
  const lines = rows.flatMap(({ id, title, status, note }) => [
    `${MARKS[status]} ${formatSafeLine(title)}  [${id}]`,
    ...wrapText(formatSafeLine(note), WIDTH - 4).map((line) => `    ${line}`),
    ...(status === 'fail' || status === 'partial' ? formatRemedy(remedies[id]) : []),
  ]);
  const head = [`Seller: ${formatSafeLine(url)}`, ...ways, '', ...wrapText(summary.text, WIDTH), ''];
  const rest = isVerbose ? [] : ['', '--verbose lists what passed too.'];
  return [...head, ...lines, ...rest, ''].join('\n');
}

const formatRemedy = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : wrapText(`To do: ${text}`, WIDTH - 4).map((line) => `    ${line}`);
