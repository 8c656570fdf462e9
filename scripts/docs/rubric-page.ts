import { checks } from '../../src/audit/core/catalogue.ts';
import { type AnyCheck, scoreNames } from '../../src/audit/core/check.ts';
import { RUBRIC_VERSION } from '../../src/audit/core/rubric-version.ts';
import { type RubricChange, type RubricRelease, rubricReleases } from '../../src/audit/rubric/changes-data.ts';

const catalogue = new Map(checks.map((check) => [check.id, check]));

/** `docs/project/rubric.md`: what moved between the versions of the rubric, and why. */
export const rubricPage = (): string =>
  [
    '# The rubric',
    '',
    `Written by \`npm run docs\` from \`src/audit/rubric/changes-data.ts\`. The rubric of this build is ${RUBRIC_VERSION}.`,
    '',
    'The rubric is the table of checks with their weights, grades, caps and rules. Scores are comparable within one version and one hash of it only (`rubric` of each report). What this page lists is a difference of the rubric, not of a site: comparisons of two reports, histories and baselines say so.',
    '',
    '- A report of another rubric stays readable, and shows the version that it was judged by.',
    '- `sightline replay <snapshot>` judges what was read then by the rubric of this build. What the snapshot lacks is unknown.',
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
    ...renderTable('Other weights, grades and caps', of('weight', 'grade', 'cap')),
    ...renderTable('Other rules', of('rule')),
    ...renderTable('Asked of other sites', of('scope')),
    '### For one reason',
    '',
    ...shared.flatMap(({ why, ids }) => [why, '', ids.map((id) => `\`${id}\``).join(', '), '']),
  ];
}

const renderTable = (title: string, rows: readonly RubricChange[]): readonly string[] => [
  `### ${title}`,
  '',
  '| Check | What moved | Why |',
  '|---|---|---|',
  ...rows.map((row) => `| \`${row.id}\` | ${describeMove(row)} | ${row.why} |`),
  '',
];

function describeMove(row: RubricChange): string {
  if (row.what === 'weight' || row.what === 'grade') return `${row.what} ${row.from} → ${row.to}`;
  if (row.what === 'cap') return `cap: ${row.how}`;
  if (row.what === 'added') return describeFigures(catalogue.get(row.id));
  return row.what === 'rule' ? 'rule' : 'asked elsewhere';
}

function describeFigures(check: AnyCheck | undefined): string {
  if (check === undefined) throw new Error('a row of a check that does not exist');
  const caps = scoreNames.flatMap((name) =>
    check.gate?.caps[name] === undefined ? [] : [`caps ${name} at ${check.gate.caps[name]}`],
  );
  return [`weight ${check.weight}`, `grade ${check.grade}`, ...caps].join(', ');
}
