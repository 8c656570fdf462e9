import { JUDGES, type JudgeLanguage } from '../../test/conformance/judges/judges-data.ts';
import { type KnownMiss, MISSES } from '../../test/conformance/judges/misses-data.ts';
import { listCases } from '../../test/conformance/judges/support/cases.ts';

const languages = Object.keys(JUDGES) as JudgeLanguage[]; // Of a closed record.
const cases = Object.fromEntries(languages.map((language) => [language, listCases(language)]));
const areas = [...new Set(Object.values(cases).flat().map(areaOf))];

/** `docs/platform/clients.md`: which official clients judge the control Worker, how many cases each has, what they miss. */
export const clientsPage = (): string =>
  [
    '# Official clients that test the control Worker',
    '',
    'Written by `npm run docs` from `test/conformance/judges/`.',
    '',
    '`npm run conformance` drives the control Worker with software that others wrote. In addition to the clients for Node, Debian 12 packages official clients for four more languages. Their cases are written from the clients’ own documentation and types, never from our table of methods, and each case reads back the effect of what it did. The run ends with a line for each client: its version, and how many cases passed, missed, failed and were skipped.',
    '',
    '| Client | Version | Cases | Pass | Known misses | Cases it cannot have |',
    '|---|---|---|---|---|---|',
    ...languages.map(renderClient),
    '',
    '## Cases by subject',
    '',
    `| | ${languages.join(' | ')} |`,
    `|---|${'---|'.repeat(languages.length)}`,
    ...areas.map(renderArea),
    '',
    'Python builds its clients from our discovery documents, so its cases test those too, and only Python tests Quotas. No method of the table accepts media, so downloads are tested and uploads are not. Go’s client of 2021 retries uploads only, and has no batch.',
    '',
    '`transports.test.ts` writes with `@google-cloud/logging-winston` 7.1, `@google-cloud/logging-bunyan` 6.0 and `@google-cloud/pino-logging-gcp-config` 1.3, and reads with `@google-cloud/logging` 12.1, over REST (`fallback: true`). pino writes lines for an agent, so the test reads them as the agent does.',
    '',
    '## Known misses',
    '',
    'When a known miss passes, the run fails, so that its row is removed.',
    '',
    ...(MISSES.length === 0 ? ['None.'] : ['| Cause | Why | Source | Cases |', '|---|---|---|---|', ...renderMisses()]),
    '',
    '## Requirements',
    '',
    `On Debian 12 as root: \`apt-get install --no-install-recommends ${[...new Set(languages.flatMap((language) => JUDGES[language].packages))].join(' ')}\`. \`.ci/run\` installs them where it has the rights. The tests of a client that is not installed are skipped and counted as skipped. Other systems have other versions of these clients or none, so there the tests are skipped too.`,
    '',
    'Each client runs as one process in a tenant of its own, on the control stack that all tests share. A run of all four takes about 15 s of processor time: 6 s for the clients and 9 s for the Worker. The Go program is rebuilt when its sources, Go or the client change: about 25 s of processor time the first time, and 2 s when only its sources change. It is cached in `~/.cache/sightline/judges`, and what Go compiled in `GOCACHE`.',
    '',
  ].join('\n');

function areaOf(name: string): string {
  return name.split(':', 1)[0] ?? '';
}

function renderClient(language: JudgeLanguage): string {
  const { client, version, without } = JUDGES[language];
  const count = cases[language]?.length ?? 0;
  const missed = MISSES.filter((one) => one.language === language).length;
  return `| \`${client}\` (${language}) | ${version} | ${count} | ${count - missed} | ${missed} | ${without} |`;
}

function renderArea(area: string): string {
  const counts = languages.map((language) => (cases[language] ?? []).filter((name) => areaOf(name) === area).length);
  return `| ${area} | ${counts.map((count) => count || '').join(' | ')} |`;
}

function renderMisses(): readonly string[] {
  return [...new Set(MISSES.map(({ why }) => why))].flatMap((why) => {
    const missed = MISSES.filter((one) => one.why === why);
    return missed.slice(0, 1).map((first) => renderMiss(first, missed));
  });
}

const renderMiss = ({ cause, why, source }: KnownMiss, missed: readonly KnownMiss[]): string =>
  `| ${cause} | ${why} | ${source} | ${missed.map(({ language, name }) => `${language}: ${name}`).join('<br>')} |`;
