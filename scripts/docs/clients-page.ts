import { JUDGES, type JudgeLanguage } from '../../test/conformance/judges/judges-data.ts';
import { type KnownMiss, MISSES } from '../../test/conformance/judges/misses-data.ts';
import { listCases } from '../../test/conformance/judges/support/cases.ts';

const languages = Object.keys(JUDGES) as JudgeLanguage[]; // Of a closed record.
const cases = Object.fromEntries(languages.map((language) => [language, listCases(language)]));
const areas = [...new Set(Object.values(cases).flat().map(areaOf))];

/** `docs/platform/clients.md`: which official clients judge the control Worker, how many cases each has, what they miss. */
export const clientsPage = (): string =>
  [
    '# Official clients that judge the control Worker',
    '',
    'Written by `npm run docs` from `test/conformance/judges/`.',
    '',
    '`npm run conformance` drives the control Worker with software that others wrote. Beside the Node clients, Debian 12 has official clients of four more languages. Their cases are written from the clients’ own documentation and types, never from our table of methods, and each reads back the effect of what it did. The run closes with a line for each client: its version, and what passed, missed, failed and was skipped.',
    '',
    '| Client | Version | Cases | Pass | Known misses | Has no classes for |',
    '|---|---|---|---|---|---|',
    ...languages.map(renderClient),
    '',
    '## What they judge',
    '',
    `| | ${languages.join(' | ')} |`,
    `|---|${'---|'.repeat(languages.length)}`,
    ...areas.map(renderArea),
    '',
    'Python builds its clients from our discovery documents, so its cases judge them too; it alone judges Quotas. The table has no method that takes media, so uploads are not judged; downloads are. Go’s client of 2021 retries uploads only, and has no batch.',
    '',
    '`transports.test.ts` writes by `@google-cloud/logging-winston` 7.1, `@google-cloud/logging-bunyan` 6.0 and `@google-cloud/pino-logging-gcp-config` 1.3 and reads by `@google-cloud/logging` 12.1, over REST (`fallback: true`). pino writes lines for an agent: the test reads them as the agent does.',
    '',
    '## Known misses',
    '',
    'A case that is known to miss fails the run once it passes, so that its row goes.',
    '',
    ...(MISSES.length === 0 ? ['None.'] : ['| Cause | Why | Source | Cases |', '|---|---|---|---|', ...renderMisses()]),
    '',
    '## What it needs',
    '',
    `On Debian 12 as root: \`apt-get install --no-install-recommends ${[...new Set(languages.flatMap((language) => JUDGES[language].packages))].join(' ')}\`. \`.ci/run\` installs them where it may. A client that is not installed has its tests skipped, and counted as skipped; nothing passes unseen. Other systems have these clients in other versions or not at all: there the tests are skipped.`,
    '',
    'Each client runs as one process in a tenant of its own, on the control stack that all tests share. A run of all four costs about 15 s of processor time: 6 s of the clients, 9 s of the Worker that they judge. The Go program is built once for its sources, the version of Go and that of the client: about 25 s of processor time the first time, 2 s when only its sources change, nothing otherwise. It is kept in `~/.cache/sightline/judges`, what Go compiled in `GOCACHE`.',
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
