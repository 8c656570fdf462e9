import { checks } from '../../src/audit/core/catalogue.ts';
import { type AnyCheck, scoreNames } from '../../src/audit/core/check.ts';
import { RUBRIC_VERSION } from '../../src/audit/core/rubric-version.ts';
import { type RubricChange, type RubricRelease, rubricReleases } from '../../src/audit/rubric/changes-data.ts';

const catalogue = new Map(checks.map((check) => [check.id, check]));

/** `docs/project/rubric.md`: what changed between the versions of the rubric, and why. */
export const rubricPage = (): string =>
  [
    '# The rubric',
    '',
    `Written by \`npm run docs\` from \`src/audit/rubric/changes-data.ts\`. The rubric of this build is ${RUBRIC_VERSION}.`,
    '',
    'The rubric is the table of checks with their weights, grades, caps and rules. Scores can be compared only within one version and one hash of it (`rubric` in each report). The changes on this page are changes of the rubric, not of a site: comparisons of two reports, histories and baselines say which is which.',
    '',
    '- A report of another rubric stays readable, and shows the version by which it was judged.',
    '- `sightline replay <snapshot>` judges what was recorded by the rubric of this build. What the snapshot lacks is unknown.',
    '- A baseline of another rubric is judged again from its snapshot, or refused (exit status 2).',
    '',
    ...rubricReleases.toReversed().flatMap(renderRelease),
  ].join('\n');

function renderRelease(release: RubricRelease): readonly string[] {
  const { version, after, general, changes, shared } = release;
  const of = (...kinds: readonly RubricChange['what'][]) => changes.filter(({ what }) => kinds.includes(what));
  return [
    `## From ${after} to ${version}`,
    '',
    'For many checks:',
    '',
    ...general.map((line) => `- ${line}`),
    '',
    ...renderTable('New checks', of('added')),
    ...renderTable('Changed weights, grades and caps', of('weight', 'grade', 'cap')),
    ...renderTable('Changed rules', of('rule')),
    ...renderTable('Checks that now apply to other sites', of('scope')),
    '### Several checks, one reason',
    '',
    ...shared.flatMap(({ why, ids }) => [why, '', ids.map((id) => `\`${id}\``).join(', '), '']),
  ];
}

const renderTable = (title: string, rows: readonly RubricChange[]): readonly string[] => [
  `### ${title}`,
  '',
  '| Check | What changed | Why |',
  '|---|---|---|',
  ...rows.map((row) => `| \`${row.id}\` | ${describeMove(row)} | ${row.why} |`),
  '',
];

function describeMove(row: RubricChange): string {
  if (row.what === 'weight' || row.what === 'grade') return `${row.what} ${row.from} → ${row.to}`;
  if (row.what === 'cap') return `cap: ${row.how}`;
  if (row.what === 'added') return describeFigures(catalogue.get(row.id));
  return row.what === 'rule' ? 'rule' : 'applies to other sites';
}

function describeFigures(check: AnyCheck | undefined): string {
  if (check === undefined) throw new Error('a row of a check that does not exist');
  const caps = scoreNames.flatMap((name) =>
    check.gate?.caps[name] === undefined ? [] : [`caps ${name} at ${check.gate.caps[name]}`],
  );
  return [`weight ${check.weight}`, `grade ${check.grade}`, ...caps].join(', ');
}
