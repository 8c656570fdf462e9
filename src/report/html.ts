import type { CheckEvidence } from '../audit/core/evidence.ts';
import { SCORE_TITLES } from '../audit/core/summary.ts';
import type { WireCheck } from '../audit/core/wire.ts';
import { escapeControls, escapeHtml, formatPlainLine } from '../lib/safe-text.ts';
import type { PackedFix } from '../fixes/files/fix.ts';
import { formatPromise } from '../fixes/files/fix-words.ts';
import { formatWorth } from './markdown.ts';
import { formatPercent } from '../lib/numbers.ts';
import {
  formatAccuracy,
  formatComparedScores,
  formatScoreCell,
  listChecks,
  listNamedScores,
  OFTEN_WRONG,
  openChecks,
  type Reportable,
} from './reportable.ts';

const MAX_TEXT = 2000;
const MAX_BLOCK_CHARS = 12_000;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}' +
  'table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #d0d7de;padding:.4rem;text-align:left;vertical-align:top}' +
  'pre,code{font-family:ui-monospace,monospace;background:#f4f6f8;border-radius:4px}pre{padding:.8rem;overflow:auto;white-space:pre-wrap}' +
  'a,b,code,h1,h2,h3,p,pre,span,strong,td,th,li{unicode-bidi:isolate}' +
  '.n{text-align:right}.fail{color:#a40e26}.partial{color:#7a4d00}.pass{color:#116329}' +
  '@media (prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}pre,code{background:#161b22}th,td{border-color:#30363d}' +
  '.fail{color:#ff7b72}.partial{color:#d29922}.pass{color:#3fb950}}';

/** Nothing may run, load or be sent from a report, wherever it is opened. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * A result as one self-contained HTML document: no script, no link, no resource. Every text in it is escaped, ours and
 * the site's alike (rules X6 and X7).
 */
export function reportHtml(report: Reportable): string {
  const body = [
    '<h1>AI visibility report</h1>',
    `<p>Audited: <code>${renderLine(report.url)}</code>${report.competitor === undefined ? '' : ` and <code>${renderLine(report.competitor)}</code>`}</p>`,
    ...(report.summary === undefined ? [] : [`<p>${renderLine(report.summary.text)}</p>`]),
    ...(report.warnings ?? []).map((warning) => `<p><strong>Note:</strong> ${renderLine(warning)}</p>`),
    renderScoreTable(report),
    renderComparison(report),
    ...openSection(report),
    ...fixSection(report),
    ...renderFiles(report),
    renderAllChecks(report),
    renderFooter(report),
  ].filter((part) => part !== '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>AI visibility report</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body.join('\n')}
</main>
</body>
</html>
`;
}

const renderLine = (text: string): string => escapeHtml(formatPlainLine(text, MAX_TEXT));

const renderCells = (values: readonly (string | number)[], tag: 'td' | 'th' = 'td'): string =>
  `<tr>${values.map((value) => (typeof value === 'number' ? `<${tag} class="n">${value}</${tag}>` : `<${tag}>${value}</${tag}>`)).join('')}</tr>`;

function renderTable(head: readonly string[], rows: readonly string[]): string {
  return `<table><thead>${renderCells(head, 'th')}</thead><tbody>${rows.join('')}</tbody></table>`;
}

function renderScoreTable({ scores }: Reportable): string {
  const rows = listNamedScores(scores).map(([name, { score, grade, coverage, applies, interval, gates }]) =>
    renderCells(
      applies === false
        ? [SCORE_TITLES[name], 'does not apply', '', '', '']
        : [
            SCORE_TITLES[name],
            formatScoreCell(score, interval),
            grade,
            formatPercent(coverage),
            gates.map(({ id, cap }) => `${cap} by <code>${renderLine(id)}</code>`).join(', ') || 'none',
          ],
    ),
  );
  if (rows.length === 0) return '';
  return `<h2>Scores</h2>${renderTable(['Score', 'Points', 'Grade', 'Assessed', 'Capped at'], rows)}`;
}

function renderComparison({ categories, gaps = [], copy_first: copy = [] }: Reportable): string {
  if (!categories) return '';
  const rows = categories.map(({ title, scores, winner, applies, why }) =>
    renderCells([
      renderLine(title),
      ...formatComparedScores(scores, applies),
      applies ? 'not compared' : winner,
      renderLine(why),
    ]),
  );
  const first = copy
    .map(({ title, fix }) => `<li><strong>${renderLine(title)}</strong>: ${renderLine(fix)}</li>`)
    .join('');
  const gapRows = gaps.map(({ id, title, ahead, url, competitor }) =>
    renderCells([renderLine(title), `<code>${renderLine(id)}</code>`, url.status, competitor.status, ahead]),
  );
  return [
    `<h2>Who wins</h2>${renderTable(['Category', 'Site', 'Competitor', 'Winner', 'Why'], rows)}`,
    first === '' ? '' : `<h2>Copy first</h2><ol>${first}</ol>`,
    gapRows.length === 0
      ? ''
      : `<h2>Every difference</h2>${renderTable(['Check', 'Id', 'Site', 'Competitor', 'Ahead'], gapRows)}`,
  ].join('');
}

function openSection(report: Reportable): readonly string[] {
  const open = openChecks(listChecks(report));
  return open.length === 0 ? [] : ['<h2>What to fix</h2>', ...open.map(openCheck)];
}

const openCheck = (check: WireCheck): string =>
  `<section><h3>${renderLine(check.title)}</h3>` +
  `<p><span class="${check.status}">${check.status}</span>, weight ${check.weight}, <code>${renderLine(check.id)}</code></p>` +
  `<p>${renderLine(check.note)}</p>${check.accuracy === undefined ? '' : `<p>${formatAccuracy(check)}</p>`}<p>Why it matters: ${renderLine(check.why)} (${renderLine(check.source)})</p>` +
  `<ul>${check.evidence.slice(0, 3).map(renderEvidenceItem).join('')}</ul><pre>${renderLine(check.reproduce)}</pre></section>`;

function renderEvidenceItem({ url, status, header, selector, line: at, excerpt }: CheckEvidence): string {
  const code = (text: string): string => `<code>${renderLine(text)}</code>`;
  const parts = [
    code(url),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(header === undefined ? [] : [`header ${code(header)}`]),
    ...(selector === undefined ? [] : [`at ${code(selector)}`]),
    ...(at === undefined ? [] : [`line ${at}`]),
    ...(excerpt === undefined || excerpt === '' ? [] : [code(excerpt)]),
  ];
  return `<li>${parts.join(', ')}</li>`;
}

function fixSection({ fixes = [], promised }: Reportable): readonly string[] {
  const promise = formatPromise(promised);
  return fixes.length === 0
    ? []
    : ['<h2>Fixes</h2>', ...(promise === '' ? [] : [`<p>${promise}</p>`]), ...fixes.map(fixText)];
}

function fixText(fix: PackedFix, index: number): string {
  const gains = Object.entries(fix.gains).map(([name, points]) => `+${points} ${name}`);
  const shown = fix.diff ?? fix.content;
  return [
    `<section><h3>${index + 1}. ${renderLine(fix.title)}</h3>`,
    `<p><code>${renderLine(fix.id)}</code>: ${fix.action} <code>${renderLine(fix.file)}</code>, ${fix.effort}${formatWorth(fix, gains)}</p>`,
    `<p>${renderLine(fix.instructions)}</p>`,
    shown === undefined ? '' : renderBlock(shown),
    ...Object.entries(fix.configure ?? {}).map(([host, text]) => `<p>For ${renderLine(host)}:</p>${renderBlock(text)}`),
    fix.facts_needed.length === 0
      ? ''
      : `<p>Fill in: ${fix.facts_needed.map((fact) => `<code>${renderLine(fact)}</code>`).join(', ')}</p>`,
    `<p>Verify:</p><pre>${renderLine(fix.verify.command)}</pre><p>${renderLine(fix.verify.expect)}</p></section>`,
  ].join('');
}

const renderBlock = (text: string): string =>
  text.length > MAX_BLOCK_CHARS
    ? `<p>(${text.length} characters: see the JSON result)</p>`
    : `<pre>${escapeHtml(escapeControls(text))}</pre>`;

function renderFiles({ files = [] }: Reportable): readonly string[] {
  if (files.length === 0) return [];
  return [
    '<h2>Files</h2>',
    ...files.map(
      ({ path, content, draft }) =>
        `<h3><code>${renderLine(path)}</code></h3>${draft === true ? '<p>A draft: fill in its slots before you deploy it.</p>' : ''}${renderBlock(content)}`,
    ),
  ];
}

function renderAllChecks(report: Reportable): string {
  const checks = listChecks(report);
  const rows = checks.map(({ id, title, status, value, weight }) =>
    renderCells([
      `<span class="${status}">${status}</span>`,
      renderLine(title),
      `<code>${renderLine(id)}</code>`,
      weight,
      value,
    ]),
  );
  if (rows.length === 0) return '';
  return `<h2>All checks</h2>${renderTable(['Status', 'Check', 'Id', 'Weight', 'Value'], rows)}${renderDoubts(checks)}`;
}

/** The checks that were often wrong on labelled pages, whatever they come to here. */
function renderDoubts(checks: readonly WireCheck[]): string {
  const items = checks
    .filter(({ accuracy }) => accuracy !== undefined)
    .map((check) => `<li><code>${renderLine(check.id)}</code>: ${formatAccuracy(check)}</li>`);
  return items.length === 0 ? '' : `<p>${OFTEN_WRONG}</p><ul>${items.join('')}</ul>`;
}

function renderFooter({ rubric, profile, requests }: Reportable): string {
  const parts = [
    ...(rubric === undefined
      ? []
      : [`Rubric ${renderLine(rubric.version)} (<code>${renderLine(rubric.sha256.slice(0, 12))}</code>).`]),
    ...(profile === undefined
      ? []
      : [`Site type ${renderLine(profile.name)}: ${profile.rests_on.map(renderLine).join(', ')}.`]),
    ...(requests === undefined ? [] : [`${requests.length} requests.`]),
  ];
  return parts.length === 0 ? '' : `<footer><p>${parts.join(' ')}</p></footer>`;
}
