import { checks as catalogue } from '../audit/core/catalogue.ts';
import type { CheckEvidence } from '../audit/core/evidence.ts';
import { computeAccuracy, type WireCheck } from '../audit/core/wire.ts';
import { PRODUCT } from '../lib/product.ts';
import { formatPlainLine } from '../lib/safe-text.ts';
import { formatCheckPath } from './docs-links.ts';
import { escapeReferences } from './markdown.ts';
import { formatAccuracy, listChecks, type Reportable } from './reportable.ts';

/** Characters of a text: GitHub cuts descriptions at 1,024. */
const MAX_TEXT = 1000;
/** Results of a run: GitHub shows no more, and refuses more than 25,000. */
const MAX_RESULTS = 5000;
/** From this weight on a failed check is an error and not a warning. */
const ERROR_WEIGHT = 3;
/** A check that is right less often than this on labelled pages has a low precision. */
const LOW_PRECISION = 0.8;

/**
 * A result as SARIF 2.1.0, as GitHub code scanning takes it: one rule and one result for each check that failed or passed in
 * part, at a path without a scheme. A check that could not be judged is a notification of the tool, never a result. No
 * address of the site becomes a link of the report (rule X7).
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 * @see https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support-for-code-scanning
 */
export function reportSarif(report: Reportable, version: string): string {
  const checks = listChecks(report);
  const open = checks.filter(({ status }) => status === 'fail' || status === 'partial').slice(0, MAX_RESULTS);
  const unknown = checks.filter(({ status }) => status === 'unknown').slice(0, MAX_RESULTS);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: PRODUCT,
            semanticVersion: version,
            rules: open.map((check) => buildRule(check, report)),
          },
        },
        // A category for each site: an upload replaces the alerts of its own category only.
        automationDetails: { id: `sightline/${formatArtifactPath(report.url).split('/', 1)[0]}/` },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: unknown.map(buildNotification) }],
        // Alerts that come or go between runs of two rubrics are the rubric's.
        ...(report.rubric === undefined ? {} : { properties: { rubric: report.rubric } }),
        results: open.map((check, index) => ({
          ...buildResult(report.url, check, index),
          ...buildSuppressions(report, check),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** A line of text in which nothing is an embedded link: those are written `[text](target)` in SARIF too. */
const wrapText = (value: string): { text: string } => ({
  text: formatPlainLine(formatPlainLine(value, MAX_TEXT).replaceAll('](', '] ('), MAX_TEXT),
});

function buildRule(check: WireCheck, { service, remedies }: Reportable): object {
  const { id, title, why, weight, evidence_grade: grade, accuracy } = check;
  const level = selectLevel(check);
  const page = service === undefined ? undefined : formatCheckPath(id);
  return {
    id,
    name: id.replaceAll(/(^|[.-])([a-z0-9])/g, (_all, _mark, letter: string) => letter.toUpperCase()),
    shortDescription: wrapText(title),
    fullDescription: wrapText(why),
    help: buildHelp(check, remedies?.[id]),
    ...(page === undefined ? {} : { helpUri: `${service ?? ''}${page}` }),
    defaultConfiguration: { level },
    properties: {
      weight,
      evidenceGrade: grade,
      ...(accuracy && { accuracy }),
      tags: [id.split('.')[0]],
      precision: selectPrecision(check),
      'problem.severity': level === 'note' ? 'recommendation' : level,
    },
  };
}

/** How to fix it, why, and where the rule is written: our own texts, escaped though they are ours. */
function buildHelp(check: WireCheck, remedy: string | undefined): { text: string; markdown: string } {
  const { id, title, why, source } = check;
  const fix = catalogue.find((row) => row.id === id)?.fix ?? remedy;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['How to fix it', fix],
    ['Why it matters', why],
    ['Source', source],
    ['How often this check is right', formatAccuracy(check)],
  ];
  const shown = parts.filter((part): part is [string, string] => part[1] !== undefined && part[1] !== '');
  return {
    text: shown.map(([name, text]) => `${name}: ${wrapText(text).text}`).join('\n\n'),
    markdown: [
      `**${escapeReferences(title)}**`,
      ...shown.map(([name, text]) => `**${name}.** ${escapeReferences(text)}`),
      `Check \`${id.replaceAll('`', '')}\``,
    ].join('\n\n'),
  };
}

const selectLevel = ({ weight }: WireCheck): 'error' | 'warning' | 'note' => {
  if (weight === 0) return 'note';
  return weight >= ERROR_WEIGHT ? 'error' : 'warning';
};

function selectPrecision({ accuracy }: WireCheck): 'high' | 'medium' | 'low' {
  if (accuracy === undefined) return 'high';
  return (computeAccuracy(accuracy) ?? 1) < LOW_PRECISION ? 'low' : 'medium';
}

function buildResult(url: string, check: WireCheck, ruleIndex: number): object {
  const { id, status, title, note, evidence, weight, value } = check;
  const site = formatArtifactPath(url).split('/', 1)[0] ?? '';
  return {
    ruleId: id,
    ruleIndex,
    kind: 'fail',
    level: status === 'fail' ? selectLevel(check) : 'note',
    // Where there is little room, only the first sentence is shown.
    message: wrapText(`${title}. ${note}`),
    locations: [buildLocation(url, evidence[0])],
    // One alert per check and site, though lines and pages move between two runs.
    partialFingerprints: { primaryLocationLineHash: `${id}:${site}` },
    properties: { status, value, weight },
  };
}

/** An ignored check stays a result: it says who let it pass, and why. */
function buildSuppressions({ ignored = [] }: Reportable, { id }: WireCheck): object {
  const found = ignored.find(({ check }) => check === id);
  if (found === undefined) return {};
  return { suppressions: [{ kind: 'external', status: 'accepted', justification: wrapText(found.reason).text }] };
}

function buildLocation(url: string, evidence: CheckEvidence | undefined): object {
  const line = Math.max(1, evidence?.line ?? 1);
  return {
    physicalLocation: {
      artifactLocation: { uri: formatArtifactPath(evidence?.url ?? url) },
      region: { startLine: line, startColumn: 1, endLine: line, endColumn: 2 },
    },
  };
}

const buildNotification = ({ id, title, note }: WireCheck): object => ({
  descriptor: { id },
  level: 'note',
  message: wrapText(`Could not be judged: ${title}. ${note}`),
});

/** The path of an address that is no web address: nothing is known of where it was seen. */
const NOWHERE = 'site';

/**
 * A web address as a relative URI, `host/path`, for SARIF. GitHub refuses a file with a scheme in it, and reads a port as one:
 * `localhost:80` would have the scheme `localhost`. What its upload action decodes once is still no way up or out.
 */
export function formatArtifactPath(address: string): string {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return NOWHERE;
  const path = url.pathname
    .replaceAll(/%(?=2e|2f|5c|00)/gi, '%25')
    .replaceAll(/%(?![0-9a-f]{2})|[^A-Za-z0-9._~/%-]/giu, (char) => encodeURIComponent(char));
  return [encodeURIComponent(url.host), ...path.split('/').filter((name) => name !== '')].join('/');
}
