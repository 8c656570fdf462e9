import { existsSync, readFileSync } from 'node:fs';
import { checks } from '../../audit/core/catalogue.ts';
import { scoreNames } from '../../audit/core/check.ts';
import {
  type Change,
  type Changes,
  type ComparedReport,
  compareReports,
  formatChangesJson,
} from '../../capabilities/published/history.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { type CommandEnd, refuseUsage, refuseCommand } from '../core/failure.ts';
import { type OutputValues, writeResult } from '../core/output.ts';
import { EXIT } from '../core/usage.ts';
import {
  isRecordingJson,
  judgeKeptSnapshot,
  MAX_REPORT_BYTES,
  parseStoredReport,
  type StoredReport,
} from './baseline.ts';
import { selectFormat } from './formats.ts';

/** Whether a word of the command line names a report or a snapshot on this machine, and no site. */
export const isReportFile = (word: string): boolean => word.endsWith('.json') && existsSync(word);

/** What changed between two reports of a site, and which of it may be the rubric's. */
export async function compareFiles(before: string, after: string, values: OutputValues): Promise<CommandEnd> {
  const { name } = selectFormat(values);
  if (name !== 'text' && name !== 'json')
    return refuseUsage('What changed between two files is printed as text or json.');
  const [from, to] = [await readReport(before), await readReport(after)];
  if (!from.ok) return refuseCommand('file_unusable', `${before}: ${from.detail}`, EXIT.usage);
  if (!to.ok) return refuseCommand('file_unusable', `${after}: ${to.detail}`, EXIT.usage);
  const { newlyChecked, ...changes } = splitNewlyChecked(compareReports(...withRubricNames(from.report, to.report)));
  const result = { from: before, to: after, ...formatChangesJson(changes), newly_checked: newlyChecked };
  const text =
    name === 'json' ? formatSafeJson(result) : formatChanges(before, after, { ...changes, newlyChecked }).join('\n');
  return writeResult(`${text}\n`, values);
}

/** Changes, and apart from them what did not pass and had no verdict before: of that nothing got worse. */
type FileChanges = Changes & { newlyChecked: readonly Change[] };

function splitNewlyChecked(changes: Changes): FileChanges {
  const { newPartials, newFailures } = changes;
  return {
    ...changes,
    newPartials: newPartials.filter(({ from }) => isVerdict(from)),
    newFailures: newFailures.filter(({ from }) => isVerdict(from)),
    newlyChecked: [...newFailures, ...newPartials].filter(({ from }) => !isVerdict(from)),
  };
}

const isVerdict = (status: Change['from']): boolean => status === 'pass' || status === 'partial' || status === 'fail';

type ReadReport = { ok: true; report: StoredReport } | { ok: false; detail: string };

/** A report as it was judged, or what this build judges of a snapshot. */
async function readReport(file: string): Promise<ReadReport> {
  let json: unknown;
  const text = readFileSync(file, 'utf8');
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, detail: 'not JSON' };
  }
  if (isRecordingJson(json)) return judgeKeptSnapshot(text);
  if (Buffer.byteLength(text) > MAX_REPORT_BYTES) return { ok: false, detail: 'larger than 50 MiB' };
  const report = parseStoredReport(json);
  return report === undefined ? { ok: false, detail: 'no report with scores' } : { ok: true, report };
}

/** Both reports with the names of their rubrics. Two of one version and different hashes are different rubrics. */
function withRubricNames(from: StoredReport, to: StoredReport): [from: ComparedReport, to: ComparedReport] {
  const isOther = from.rubric?.version === to.rubric?.version && from.rubric?.sha256 !== to.rubric?.sha256;
  const nameOf = ({ rubric }: StoredReport): string => {
    if (rubric === undefined) return 'unknown';
    return isOther ? `${rubric.version} (hash ${rubric.sha256.slice(0, 12)})` : rubric.version;
  };
  return [toCompared(from, nameOf(from)), toCompared(to, nameOf(to))];
}

function toCompared({ scores, profile }: StoredReport, rubric: string): ComparedReport {
  const judged = scoreNames.flatMap((name) => scores[name]?.checks ?? []);
  return {
    scores,
    rubric,
    profile: profile?.name ?? '',
    statuses: Object.fromEntries(judged.map(({ id, status }) => [id, status])),
  };
}

const titles: ReadonlyMap<string, string> = new Map(checks.map(({ id, title }) => [id, title]));

function formatChanges(before: string, after: string, changes: FileChanges): readonly string[] {
  const { rubrics, sameRubric, sameProfile } = changes;
  const points = scoreNames.flatMap((name) => {
    const value = changes.points[name];
    return value === undefined ? [] : [`${name} ${value < 0 ? '' : '+'}${value}`];
  });
  return [
    `From ${formatSafeLine(before)} (rubric ${formatSafeLine(rubrics.from)}) to ${formatSafeLine(after)} (rubric ${formatSafeLine(rubrics.to)})`,
    ...(sameRubric
      ? [`Points: ${points.join(', ')}`]
      : [
          'Two rubrics: their scores are not compared, and checks whose rule changed are listed by themselves (docs/project/rubric.md).',
        ]),
    ...(sameProfile ? [] : ['The site was judged as another kind: other checks apply to it.']),
    ...formatGroup('New passes', changes.newPasses),
    ...formatGroup('Partial now', changes.newPartials),
    ...formatGroup('New failures', changes.newFailures),
    ...formatGroup('Newly checked, not passed', changes.newlyChecked),
    ...formatGroup('Not judged any more', changes.notJudgedAnyMore),
    ...(sameRubric ? [] : formatGroup('By the rubric, not called a change of the site', changes.byRubric)),
  ];
}

const formatGroup = (title: string, changes: readonly (Change & { why?: string })[]): readonly string[] => [
  '',
  `${title} (${changes.length})`,
  ...changes.flatMap(({ id, from, to, why }) => [
    `  ${formatSafeLine(titles.get(id) ?? id)}  [${formatSafeLine(id)}]: ${from ?? 'not asked'} before, ${to ?? 'not asked'} now`,
    ...(why === undefined ? [] : [`    ${why}`]),
  ]),
];
