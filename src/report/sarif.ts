import { PRODUCT } from '../lib/product.ts';
import type { CheckEvidence } from '../audit/core/evidence.ts';
import type { WireCheck } from '../audit/core/wire.ts';
import { formatPlainLine } from '../lib/safe-text.ts';
import { formatAccuracy, listChecks, type Reportable } from './reportable.ts';

const MAX_TEXT = 1000;
/** From this weight on a failed check is an error and not a warning. */
const ERROR_WEIGHT = 3;

/**
 * A result as SARIF 2.1.0, for code scanning. One rule per check; a failed or partial check is a result at the address
 * it was seen at, a check that could not be looked at is one to review. No address of the site becomes a link of the
 * report: `helpUri` is left out, and locations are percent-encoded URIs (rule X7).
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function reportSarif(report: Reportable, version: string): string {
  const checks = listChecks(report);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: PRODUCT, semanticVersion: version, rules: checks.map(buildRule) } },
        automationDetails: { id: 'sightline/' },
        // Alerts that come or go between runs of two rubrics are the rubric's.
        ...(report.rubric === undefined ? {} : { properties: { rubric: report.rubric } }),
        results: checks.flatMap((check, index) => buildResults(report.url, check, index)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const wrapText = (value: string): { text: string } => ({ text: formatPlainLine(value, MAX_TEXT) });

function buildRule(check: WireCheck): object {
  const { id, title, why, source, weight, evidence_grade: grade, accuracy } = check;
  return {
    id,
    name: id.replaceAll(/(^|[.-])([a-z0-9])/g, (_all, _mark, letter: string) => letter.toUpperCase()),
    shortDescription: wrapText(title),
    fullDescription: wrapText(why),
    help: wrapText([why, `Source: ${source}.`, formatAccuracy(check)].filter((text) => text !== '').join(' ')),
    defaultConfiguration: { level: weight >= ERROR_WEIGHT ? 'error' : 'warning' },
    properties: { weight, evidenceGrade: grade, ...(accuracy && { accuracy }), tags: [id.split('.')[0]] },
  };
}

function buildResults(url: string, check: WireCheck, ruleIndex: number): readonly object[] {
  const { id, status, note, evidence, weight } = check;
  if (status !== 'fail' && status !== 'partial' && status !== 'unknown') return [];
  const [first] = evidence;
  const base = {
    ruleId: id,
    ruleIndex,
    message: wrapText(note),
    locations: [buildLocation(url, first)],
    partialFingerprints: { 'sightline/v1': `${id}:${getUrlHost(url)}` },
    properties: { status, value: check.value, weight },
  };
  if (status === 'unknown') return [{ ...base, kind: 'review', level: 'none' }];
  const failed = weight >= ERROR_WEIGHT ? 'error' : 'warning';
  return [{ ...base, kind: 'fail', level: status === 'fail' && weight > 0 ? failed : 'note' }];
}

function buildLocation(url: string, evidence: CheckEvidence | undefined): object {
  const uri = formatUri(evidence?.url ?? url) ?? formatUri(url) ?? 'about:blank';
  const region = evidence?.line === undefined ? {} : { region: { startLine: Math.max(1, evidence.line) } };
  return { physicalLocation: { artifactLocation: { uri }, ...region } };
}

/** A web address as an RFC 3986 URI; the URL parser leaves a few characters that are none. */
function formatUri(value: string): string | undefined {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href.replaceAll(/[^A-Za-z0-9._~:/?#@!$&'()*+,;=%[\]-]/gu, (char) => encodeURIComponent(char));
}

const getUrlHost = (url: string): string => URL.parse(url)?.host ?? '';
