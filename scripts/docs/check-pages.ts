import { accuracy } from '../../src/audit/core/accuracy-data.ts';
import { checks } from '../../src/audit/core/catalogue.ts';
import { type AnyCheck, scoreNames } from '../../src/audit/core/check.ts';
import { CATALOGUE_READ, recordedLooks } from '../../src/audit/radar/sources-data.ts';
import { checkSubjects } from '../../src/audit/rubric/subjects-data.ts';
import { SCORE_TITLES } from '../../src/audit/core/summary.ts';
import { capitalise } from '../../src/lib/text.ts';
import { splitSourceLinks } from '../../src/report/source-links.ts';
import { buildExampleFix, type ExampleFix } from './example-fixes.ts';
import { escapeProse, formatCode, formatFence, formatGeneratedPage, formatTable } from './markdown.ts';

const GRADES: Readonly<Record<AnyCheck['grade'], string>> = {
  A: 'A: a specification or the documentation of a vendor',
  B: 'B: a documented consumer reads it',
  C: 'C: a convention, which weighs 2 at most',
  D: 'D: reported only',
};

const getSubjectKey = ({ id }: Pick<AnyCheck, 'id'>): string => id.split('.', 2).join('.');

/** What the check is about. @throws Error for a subject that the table lacks */
function getSubject(check: AnyCheck): string {
  const subject = checkSubjects[getSubjectKey(check)];
  if (subject === undefined) throw new Error(`${check.id}: src/audit/rubric/subjects-data.ts has no row for it`);
  return subject;
}

/** `docs/reference/checks/index.md`: every check by subject. */
export const checksIndexPage = (): string =>
  formatGeneratedPage('Checks', 'the checks in `src/audit/<subject>/checks/`', [
    `An audit runs ${checks.length} checks. Each has a page: what it asks, why that matters, who says so, and how to fix and verify it. The weight is the share that a check has in its scores; a check of weight 0 is reported and never scored. [Scores](../scores.md) explains how the verdicts add up.`,
    'Jump to a subject:',
    Object.entries(checkSubjects)
      .map(([key, subject]) => `- [${subject}](#${getAnchor(subject)}) (${formatCode(key)})`)
      .join('\n'),
    ...Object.keys(checkSubjects).flatMap(renderSubject),
  ]);

/** The anchor of a heading, as VitePress and GitHub both make it. */
const getAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');

function renderSubject(key: string): readonly string[] {
  const rows = checks
    .filter((check) => getSubjectKey(check) === key)
    .map((check) => [
      `[${escapeProse(check.title)}](${check.id}.md)`,
      formatCode(check.id),
      String(check.weight),
      listScoreTitles(check).join(', '),
    ]);
  return [`## ${checkSubjects[key] ?? ''}`, formatTable(['Check', 'Id', 'Weight', 'Scores'], rows)];
}

const listScoreTitles = ({ scores }: AnyCheck): readonly string[] =>
  scores.map((name) => capitalise(SCORE_TITLES[name]));

/** `docs/reference/checks/<id>.md`. */
export const checkPage = async (check: AnyCheck): Promise<string> => {
  const fix = await buildExampleFix(check);
  return formatGeneratedPage(escapeProse(check.title), `the check ${formatCode(check.id)} in \`src/audit\``, [
    `Where it does not hold, a report says: **${escapeProse(check.failureTitle)}**.`,
    renderFacts(check, fix),
    '## Why it matters',
    escapeProse(check.why),
    '## How to fix it',
    escapeProse(check.fix),
    `The change goes to ${formatCode(fix.file)} and takes ${fix.effort}. \`fix_pack\` and \`sightline fix\` write it for your site.`,
    '## How to verify it',
    'Put your own address in place of `https://example.com`:',
    formatFence('sh', fix.command),
    `Expect: ${escapeProse(fix.expect)}`,
    '## Source',
    renderSource(check),
    renderAccuracy(check),
    `See also: [other checks of this subject](index.md#${getAnchor(getSubject(check))}).`,
  ]);
};

function renderFacts(check: AnyCheck, { effort }: ExampleFix): string {
  const { id, weight, grade, each, capabilities = [] } = check;
  return formatTable(
    ['Property', 'Value'],
    [
      ['Id', formatCode(id)],
      ['Subject', getSubject(check)],
      ['Counts in', `[${listScoreTitles(check).join(', ')}](../scores.md)`],
      ['Weight', weight === 0 ? '0 (reported, not scored)' : String(weight)],
      ['Caps', renderCaps(check)],
      ['Evidence grade', GRADES[grade]],
      ['Pages', describePages(each)],
      [
        'Sold alone by',
        capabilities.map((name) => `[\`${name}\`](../capabilities.md#${name})`).join(', ') || 'no capability',
      ],
      ['Effort to fix', effort],
    ],
  );
}

function describePages(each: AnyCheck['each']): string {
  if (each === undefined) return 'judged once for the site';
  return each === 'share'
    ? 'judged on every page read; the mean counts'
    : 'judged on every page read; the worst page counts';
}

function renderCaps({ gate }: AnyCheck): string {
  if (gate === undefined) return 'none';
  const caps = scoreNames.flatMap((name) =>
    gate.caps[name] === undefined ? [] : [`${capitalise(SCORE_TITLES[name])} at ${gate.caps[name]}`],
  );
  return `${caps.join(', ')}${gate.inProportion === true ? ', in proportion to the value' : ''}${gate.when === undefined ? ' when it fails' : ' when it fails, and in some cases when it passes partly'}`;
}

function renderSource({ id, source, read }: AnyCheck): string {
  const text = splitSourceLinks(source)
    .map((part) => ('href' in part ? `<${part.href}>` : escapeProse(part.text)))
    .join('');
  const looked = recordedLooks.findLast(({ subject }) => subject === id)?.on;
  return `${text}\n\nLast read on ${looked ?? read ?? CATALOGUE_READ}.`;
}

function renderAccuracy({ id }: AnyCheck): string {
  const verdicts = accuracy.checks[id];
  if (verdicts === undefined) return '';
  const { n, right, arguable, wrong } = verdicts;
  return `## Accuracy\n\nReaders judged ${n} verdicts of this check on pages from outside: ${right} right, ${arguable} arguable, ${wrong} wrong. [How accuracy is measured](../../project/accuracy.md).`;
}
