/**
 * Writes what comes from tables: the parts of pages of docs between `<!-- name:start -->` and `<!-- name:end -->`
 * (`docs/parts/parts.ts`, `docs/parts/release-parts.ts`), those of `.dev.vars.example` between `# name:start` and `# name:end`, the generated
 * pages, and server.json for the MCP registry. A deployment serves its own at /server.json. And what the last run of the bench
 * says of accuracy: the table in `accuracy-data.ts`, and `docs/project/accuracy.md`.
 */
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cliPage } from './docs/cli-page.ts';
import { clientsPage } from './docs/clients-page.ts';
import { figuresPage } from './docs/figures-page.ts';
import { scalePage } from './docs/scale-page.ts';
import { parts } from './docs/parts/parts.ts';
import { buildReferencePages } from './docs/reference-pages.ts';
import { withReleaseParts } from './docs/parts/release-parts.ts';
import { rubricPage } from './docs/rubric-page.ts';
import { compareTexts } from '../src/lib/text.ts';
import { howToConfigure } from '../src/models/port.ts';
import { formatConfigSchema } from '../src/cli/config/schema.ts';
import { buildRegistryServer } from '../src/openapi/registry-server.ts';
import { buildAccuracy, formatAccuracyConstant, formatAccuracyDocument, readTruthFigures } from './accuracy-docs.ts';

const ROOT = new URL('../', import.meta.url);
const DEV_VARS = new URL('../.dev.vars.example', import.meta.url);
const RUBRIC_PAGE = new URL('../docs/project/rubric.md', import.meta.url);
const SCALE_PAGE = new URL('../docs/project/scale.md', import.meta.url);
const FIGURES_PAGE = new URL('../docs/project/figures.md', import.meta.url);
const CLIENTS_PAGE = new URL('../docs/platform/clients.md', import.meta.url);
const CLI_PAGE = new URL('../docs/reference/cli.md', import.meta.url);
const CONFIG_SCHEMA = new URL('../docs/reference/sightline.config.schema.json', import.meta.url);
const REFERENCE = new URL('../docs/reference/', import.meta.url);
const SERVER_JSON = new URL('../server.json', import.meta.url);
const ACCURACY_DATA = new URL('../src/audit/core/accuracy-data.ts', import.meta.url);
const ACCURACY_DOCUMENT = new URL('../docs/project/accuracy.md', import.meta.url);
/** The address that `.dev.vars.example` has too: it belongs to nobody. */
const EXAMPLE_BASE_URL = 'https://sightline.example';

/** `server.json` of the example deployment. */
export const serverJson = (): string => `${JSON.stringify(buildRegistryServer(EXAMPLE_BASE_URL), null, 2)}\n`;

/** The files that have generated parts, each once. */
export const partedFiles: readonly string[] = [...new Set(parts.map(({ file }) => file))];

/** The text of `file` with each of its generated parts made anew. @throws Error when a part has no place in it. */
export const withParts = (file: string, text: string): string =>
  parts
    .filter((part) => part.file === file)
    .reduce(
      (made, { name, make }) =>
        replaceBetween(made, `<!-- ${name}:start -->`, `\n\n${make()}\n\n`, `<!-- ${name}:end -->`),
      text,
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

/** Packages of the generator and what it has built lie below docs too. */
const isOurs = (file: string): boolean => !/\/(?:node_modules|\.vitepress)\//.test(file);

/** Documents that may say how to install, the package's own among them. */
export const listDocuments = (): readonly string[] =>
  ['README.md', 'src/cli/PACKAGE.md', ...globSync('docs/**/*.md', { cwd: ROOT }).filter(isOurs)].toSorted(compareTexts);

if (import.meta.main) {
  await writeReferencePages();
  for (const file of partedFiles) {
    const address = new URL(file, ROOT);
    writeFileSync(address, withParts(file, readFileSync(address, 'utf8')));
  }
  writeFileSync(DEV_VARS, withEngines(readFileSync(DEV_VARS, 'utf8')));
  writeFileSync(RUBRIC_PAGE, rubricPage());
  writeFileSync(FIGURES_PAGE, figuresPage());
  writeFileSync(SCALE_PAGE, scalePage());
  writeFileSync(CLIENTS_PAGE, clientsPage());
  mkdirSync(new URL('./', CLI_PAGE), { recursive: true });
  writeFileSync(CLI_PAGE, cliPage());
  writeFileSync(CONFIG_SCHEMA, formatConfigSchema());
  writeFileSync(SERVER_JSON, serverJson());
  writeFileSync(ACCURACY_DATA, withAccuracy(readFileSync(ACCURACY_DATA, 'utf8')));
  writeFileSync(ACCURACY_DOCUMENT, accuracyDocument());
  for (const name of listDocuments()) {
    const text = readFileSync(new URL(name, ROOT), 'utf8');
    if (withReleaseParts(text) !== text) writeFileSync(new URL(name, ROOT), withReleaseParts(text));
  }
}
