// The result of an audit as Markdown for job summary and comment: our words and numbers. What comes from a site stands in code.
const NAMES = {
  aeo: 'AI search visibility (AEO)',
  geo: 'Citation readiness (GEO)',
  agent: 'Agent readiness',
  mcp: 'MCP readiness',
};
/** Fixes that are shown; the report has all. */
const MAX_FIXES = 3;
const MAX_TEXT = 300;
const MAX_NOTE = 4000;

/** A text in which nothing is markup, a mention or a link. @param {unknown} text */
const escapeText = (text) =>
  String(text)
    .slice(0, MAX_TEXT)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_[\]|~>]/g, String.raw`\$&`)
    // Mentions and references are found in what the Markdown became: only code keeps them from it.
    .replaceAll(/[@#]/g, '`$&`')
    .replaceAll('://', '&#58;//');

/** Without a line end and backticks, so that nothing ends the code. @param {unknown} text */
const formatCode = (text) =>
  `\`${String(text)
    .slice(0, MAX_TEXT)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}`|]+/gu, ' ')}\``;

/** @param {string} text */
const fence = (text) => `\`\`\`text\n${text.slice(0, MAX_NOTE).replaceAll('`', "'").trimEnd()}\n\`\`\``;

/**
 * @param {{ site: string, status: number, stderr: string, report: string | undefined, result: any }} audited
 */
export function formatSite({ site, status, stderr, report, result }) {
  const isBelow = status === 1 && report !== undefined;
  const verdict = status === 0 ? '✅ Passed' : isBelow ? '❌ Below the gate' : '❌ Not judged';
  const lines = [`### ${verdict}: ${formatCode(site)}`];
  if (result !== undefined) lines.push(formatScores(result.scores ?? {}), formatCounts(result), formatFixes(result));
  if (status !== 0 && stderr.trim() !== '') lines.push(fence(stderr));
  if (report !== undefined) lines.push(`The whole report: ${formatCode(report)}`);
  return lines.filter((line) => line !== '').join('\n\n');
}

function formatScores(scores) {
  const rows = Object.entries(NAMES).flatMap(([name, title]) => {
    const score = scores[name];
    if (score === undefined) return [];
    return score.applies === false
      ? [`| ${title} | does not apply | |`]
      : [`| ${title} | ${Number(score.score)} | ${escapeText(score.grade)} |`];
  });
  return rows.length === 0 ? '' : ['| Score | Points | Grade |', '| --- | --: | --- |', ...rows].join('\n');
}

function formatCounts({ scores = {} }) {
  const checks = new Map(
    Object.values(scores).flatMap(({ checks: all = [] }) => all.map((check) => [check.id, check])),
  );
  const count = (status) => [...checks.values()].filter((check) => check.status === status).length;
  if (checks.size === 0) return '';
  return `${checks.size} ${checks.size === 1 ? 'check' : 'checks'}: ${count('pass')} passed, ${count('partial')} partly passed, ${count('fail')} failed, ${count('unknown')} could not be judged, ${count('not_applicable')} do not apply.`;
}

function formatFixes({ summary }) {
  const fixes = Array.isArray(summary?.fixes) ? summary.fixes.slice(0, MAX_FIXES) : [];
  if (fixes.length === 0) return '';
  const rows = fixes.map(({ title, fix, gains = {} }, index) => {
    const points = Object.entries(gains).map(([name, gain]) => `+${Number(gain)} ${escapeText(name.toUpperCase())}`);
    return `${index + 1}. **${escapeText(title)}**${points.length === 0 ? '' : ` (${points.join(', ')})`}: ${escapeText(fix)}`;
  });
  return ['**Fix first**', '', ...rows].join('\n');
}
