import type { Reportable } from '../../report/reportable.ts';
import { attemptRows } from '../../seller/attempts/attempt-rows-data.ts';
import { sellerChecks } from '../../seller/checks.ts';
import type { SellerReport } from '../../seller/seller-report.ts';
import { formatSafeJson, formatSafeLine, onScreen, wrapText } from '../core/terminal.ts';

const WIDTH = 100;
const MARKS = { pass: '✓', partial: '~', fail: '✗', not_applicable: '-', unknown: '?' } as const;
/** Order in which a person wants to read them. */
const ORDER = ['fail', 'partial', 'unknown', 'pass', 'not_applicable'] as const;

/** What to do about each row, by id. */
const remedies: Readonly<Record<string, string>> = Object.fromEntries(
  [...sellerChecks, ...Object.values(attemptRows)].map(({ id, fix }) => [id, fix]),
);

type Shown = { format?: string | undefined; json?: boolean | undefined; verbose?: boolean | undefined };

/** The report in the format that was asked for. */
export async function renderSeller(report: SellerReport, { format, json, verbose }: Shown): Promise<string> {
  const name = format ?? (json === true ? 'json' : 'text');
  if (name === 'json') return `${formatSafeJson(report)}\n`;
  if (name === 'text') return formatSellerText(report, verbose === true);
  const { url, checks, requests, summary } = report;
  const reportable = { url, checks, requests, summary, remedies, heading: 'Seller report' };
  return onScreen(await renderDocument(name, reportable), { isTTY: process.stdout.isTTY });
}

async function renderDocument(name: string, reportable: Reportable): Promise<string> {
  if (name === 'junit') return (await import('../../report/junit.ts')).reportJunit(reportable);
  if (name === 'md') return (await import('../../report/markdown.ts')).reportMarkdown(reportable);
  const [{ reportSarif }, { service }] = await Promise.all([
    import('../../report/sarif.ts'),
    import('../../capabilities/service.ts'),
  ]);
  return reportSarif(reportable, service.version);
}

/** A report of a seller for a person: what to fix first, each with what was seen and what to do. */
function formatSellerText({ url, summary, checks, facts, attempts }: SellerReport, isVerbose: boolean): string {
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
  const head = [
    `Seller: ${formatSafeLine(url)}`,
    ...ways,
    '',
    ...wrapText(summary.text, WIDTH),
    ...formatSpent(attempts),
    '',
  ];
  const rest = isVerbose ? [] : ['', '--verbose lists what passed too.'];
  return [...head, ...lines, ...rest, ''].join('\n');
}

const formatSpent = (attempts: SellerReport['attempts']): readonly string[] =>
  attempts === undefined
    ? []
    : [
        `Tried with test money by ${attempts.protocol}: ${attempts.signed} payments signed, ${attempts.spent ?? 'an unknown number of'} micro-USDC spent.`,
      ];

const formatRemedy = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : wrapText(`To do: ${text}`, WIDTH - 4).map((line) => `    ${line}`);
