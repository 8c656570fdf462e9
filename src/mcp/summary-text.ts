import { scoreNames } from '../audit/core/check.ts';
import { SCORE_LABELS } from '../results/headline.ts';
import type { ResultSummary } from '../results/summary-shape.ts';

/**
 * A summary as text, for clients that read nothing else: what to do first with ids, and what to call next. It has our own
 * words and numbers only; what a site, a brand or an engine wrote is in `structuredContent.evidence` (rule X4).
 */
export function formatSummaryText(summary: ResultSummary): string {
  const { capability, headline, warnings, not_applicable: left = [] } = summary;
  return [
    `${capability}: done. ${headline}`,
    ...left.map(({ score }) => `${SCORE_LABELS[score]} does not apply.`),
    formatFirst(summary),
    formatFiles(summary),
    formatCoverage(summary),
    warnings.length === 0 ? '' : `${formatCount(warnings.length, 'warning')}: see warnings.`,
    formatNext(summary),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function formatFirst({ do_first: first }: ResultSummary): string {
  if (first.length === 0) return '';
  const lines = first.map((one, at) => `${at + 1}. ${one.id}: ${one.title}${formatWorth(one)}`);
  return ['Do first:', ...lines].join('\n');
}

function formatWorth({ gains = {}, effort, status, state }: ResultSummary['do_first'][number]): string {
  const points = scoreNames.flatMap((name) =>
    gains[name] === undefined ? [] : [`+${gains[name]} ${SCORE_LABELS[name]}`],
  );
  const words = [...points, effort, status, state].filter((word) => word !== undefined);
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function formatFiles({ files = [] }: ResultSummary): string {
  const named = files.map(({ path, bytes, draft }) => `${path} (${bytes} bytes${draft ? ', draft' : ''})`);
  return named.length === 0 ? '' : `Files: ${named.join(', ')}.`;
}

function formatCoverage({ coverage }: ResultSummary): string {
  if (coverage === undefined || coverage.failed === 0) return '';
  return `${coverage.failed} of ${formatCount(coverage.requests, 'request')} got no answer.`;
}

/** What to call with the id of the report, and where people read it. */
function formatNext({
  report_id: id,
  report_url: url,
  do_first: first,
  sections,
  publish_token: token,
}: ResultSummary) {
  if (id === undefined) return '';
  const names = sections.map(({ name, count }) => (count === undefined ? name : `${name} ${count}`));
  const [best] = first;
  return [
    `Report ${id}${url === undefined ? '' : `: ${url}`}`,
    ...(best === undefined ? [] : [`How to do the first: get_fix with report_id "${id}" and fix_id "${best.id}".`]),
    ...(names.length === 0
      ? []
      : [`The rest: read_report with this report_id and a section (${names.join(', ')}). Both are free.`]),
    ...(token === undefined ? [] : ['To make the report public: publish_report with publish_token.']),
  ].join('\n');
}

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
