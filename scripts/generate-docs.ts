/**
 * Writes what comes from tables: the parts of README.md between `<!-- name:start -->` and `<!-- name:end -->`, those of
 * `.dev.vars.example` between `# name:start` and `# name:end`, the pages of docs/reference, docs/project/rubric.md,
 * docs/control-plane/clients.md, and server.json for the MCP registry. A deployment serves its own at /server.json. And what the last run of the bench says of accuracy: the table in
 * `accuracy-data.ts`, and `docs/project/accuracy.md`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { checks } from '../src/audit/core/catalogue.ts';
import { scoreNames } from '../src/audit/core/check.ts';
import { clientsPage } from './docs/clients-page.ts';
import { buildReferencePages } from './docs/reference-pages.ts';
import { rubricPage } from './docs/rubric-page.ts';
import { catalog, formatUsd } from '../src/capabilities/catalog.ts';
import { PROBLEMS } from '../src/hybrid/core/problems-data.ts';
import { engineLabels, howToConfigure } from '../src/models/port.ts';
import { handlers } from '../src/management/core/interfaces.ts';
import { methods } from '../src/management/core/table/method-row.ts';
import { alertRows } from '../src/notifications/core/alerts.ts';
import { channelEvents, type ChannelEvent, channelStates } from '../src/notifications/channels/channel.ts';
import { apiProblems } from '../src/problems/codes.ts';
import { buildRegistryServer } from '../src/openapi/registry-server.ts';
import { buildAccuracy, formatAccuracyConstant, formatAccuracyDocument, readTruthFigures } from './accuracy-docs.ts';

const README = new URL('../README.md', import.meta.url);
const DEV_VARS = new URL('../.dev.vars.example', import.meta.url);
const RUBRIC_PAGE = new URL('../docs/project/rubric.md', import.meta.url);
const CLIENTS_PAGE = new URL('../docs/control-plane/clients.md', import.meta.url);
const REFERENCE = new URL('../docs/reference/', import.meta.url);
const SERVER_JSON = new URL('../server.json', import.meta.url);
const ACCURACY_DATA = new URL('../src/audit/core/accuracy-data.ts', import.meta.url);
const ACCURACY_DOCUMENT = new URL('../docs/project/accuracy.md', import.meta.url);
/** The address that `.dev.vars.example` has too: it belongs to nobody. */
const EXAMPLE_BASE_URL = 'https://sightline.example';

/** `server.json` of the example deployment. */
export const serverJson = (): string => `${JSON.stringify(buildRegistryServer(EXAMPLE_BASE_URL), null, 2)}\n`;

/** The generated parts of README by name. */
const parts: Readonly<Record<string, () => string>> = {
  catalogue,
  engines,
  scores,
  codes,
  management,
  hybrid,
  channels,
  alerts,
};

function catalogue(): string {
  const rows = catalog.map((row) => {
    const fields = Object.keys(row.body.shape).filter((name) => !row.body.shape[name]?.safeParse(undefined).success);
    return `| \`${row.name}\` | ${row.summary} | ${fields.join(', ')} | ${formatUsd(row.priceMicroUsdc).replace(/0{4}$/, '')} | ${row.engineBacked ? 'with an answer engine' : 'yes'} |`;
  });
  return ['| Capability | What it returns | Body | USD | Served |', '|---|---|---|---|---|', ...rows].join('\n');
}

function engines(): string {
  const rows = Object.entries(engineLabels).map(([kind, label]) => `| \`${kind}\` | ${label} |`);
  return [...howToConfigure.map((step) => `- ${step}`), '', '| Engine | What it is |', '|---|---|', ...rows].join('\n');
}

function scores(): string {
  const rows = scoreNames.map((name) => {
    const mine = checks.filter((check) => check.scores.includes(name));
    const weight = mine.reduce((sum, check) => sum + check.weight, 0);
    const gates = mine.flatMap((check) =>
      check.gate?.caps[name] === undefined
        ? []
        : [`\`${check.id}\` ${check.gate.caps[name]}${check.gate.inProportion === true ? ' (in proportion)' : ''}`],
    );
    return `| ${name} | ${mine.length} | ${weight} | ${gates.join(', ')} |`;
  });
  return ['| Score | Checks | Weight | Gates (cap) |', '|---|---|---|---|', ...rows].join('\n');
}

function hybrid(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { severity, title }]) => `| \`${code}\` | ${severity} | ${title} |`,
  );
  return ['| Code | Severity | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function codes(): string {
  const rows = Object.entries(apiProblems)
    .toSorted(([a, one], [b, other]) => one.status - other.status || a.localeCompare(b))
    .map(([code, row]) => `| ${row.status} | \`${code}\` | ${row.title} |`);
  return ['| Status | Code | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** Rows that routes of the control Worker answer by themselves: they have no handler. */
const ROUTES = ['conventions.batch'];

function management(): string {
  const isServed = (id: string): boolean => Object.hasOwn(handlers, id) || ROUTES.includes(id);
  const names = [...new Set(methods.map((row) => row.interface))].toSorted();
  const counts = names.map((name) => {
    const rows = methods.filter((row) => row.interface === name);
    const seed = rows.filter((row) => row.inSeed);
    const served = seed.filter(({ id }) => isServed(id)).length;
    const beyond = rows.filter((row) => !row.inSeed && isServed(row.id)).length;
    return { name, versions: [...new Set(rows.map(({ version }) => version))], served, seed: seed.length, beyond };
  });
  const sum = (count: 'served' | 'seed' | 'beyond'): number => counts.reduce((total, row) => total + row[count], 0);
  const rows = counts.map(
    ({ name, versions, served, seed, beyond }) =>
      `| ${name} | ${versions.join(', ')} | ${served} / ${seed} | ${beyond === 0 ? '' : beyond} |`,
  );
  return [
    '| Interface | Versions | Rows served / in the seed | Rows beyond the seed |',
    '|---|---|---|---|',
    ...rows,
    `| all | | ${sum('served')} / ${sum('seed')} | ${sum('beyond')} |`,
  ].join('\n');
}

function channels(): string {
  const rows = channelStates.map(({ state, means, accepts, on }) => {
    const moves = Object.entries(on).map(([event, next]) => `${channelEvents[event as ChannelEvent]}: \`${next}\``);
    return `| \`${state}\` | ${means} | ${accepts} | ${moves.join('; ')} |`;
  });
  return ['| State | Means | Its messages are accepted | Moved on when |', '|---|---|---|---|', ...rows].join('\n');
}

function alerts(): string {
  const rows = Object.entries(alertRows).map(
    ([kind, { severity, means, todo }]) => `| \`${kind}\` | ${severity} | ${means} | ${todo} |`,
  );
  return ['| Alert | Severity | Means | Do |', '|---|---|---|---|', ...rows].join('\n');
}

/** README with every generated part made anew. @throws Error when a part has no place in it. */
export const withParts = (readme: string): string =>
  Object.entries(parts).reduce(
    (text, [name, make]) => replaceBetween(text, `<!-- ${name}:start -->`, `\n\n${make()}\n\n`, `<!-- ${name}:end -->`),
    readme,
  );

/** `.dev.vars.example` with its generated part made anew. @throws Error when the part has no place in it. */
export const withEngines = (example: string): string =>
  replaceBetween(
    example,
    '# engines:start',
    ['', ...howToConfigure.map((step) => `# - ${step}`), ''].join('\n'),
    '# engines:end',
  );

/** `accuracy-data.ts` with the figures of the last run of the bench. @throws Error when they have no place in it. */
export const withAccuracy = (module: string): string =>
  replaceBetween(
    module,
    '// accuracy:start',
    `\n${formatAccuracyConstant(buildAccuracy(readTruthFigures()))}\n`,
    '// accuracy:end',
  );

/** `docs/project/accuracy.md` by the last run of the bench. */
export const accuracyDocument = (): string => formatAccuracyDocument(buildAccuracy(readTruthFigures()));

function replaceBetween(text: string, start: string, part: string, end: string): string {
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`There is no place for what is between ${start} and ${end}`);
  return `${text.slice(0, from + start.length)}${part}${text.slice(to)}`;
}

/** Writes the reference pages, and takes away those of checks that are gone. */
async function writeReferencePages(): Promise<void> {
  const pages = await buildReferencePages();
  mkdirSync(new URL('checks/', REFERENCE), { recursive: true });
  for (const name of readdirSync(new URL('checks/', REFERENCE)))
    if (!pages.has(`checks/${name}`)) rmSync(new URL(`checks/${name}`, REFERENCE));
  for (const [path, text] of pages) writeFileSync(new URL(path, REFERENCE), text);
}

if (import.meta.main) {
  await writeReferencePages();
  writeFileSync(README, withParts(readFileSync(README, 'utf8')));
  writeFileSync(DEV_VARS, withEngines(readFileSync(DEV_VARS, 'utf8')));
  writeFileSync(RUBRIC_PAGE, rubricPage());
  writeFileSync(CLIENTS_PAGE, clientsPage());
  writeFileSync(SERVER_JSON, serverJson());
  writeFileSync(ACCURACY_DATA, withAccuracy(readFileSync(ACCURACY_DATA, 'utf8')));
  writeFileSync(ACCURACY_DOCUMENT, accuracyDocument());
}
