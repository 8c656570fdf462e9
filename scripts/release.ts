/**
 * `npm run release -- version 0.2.0` writes the next version wherever it is named and gives its section of the changelog its name.
 * `npm run release -- check [--tag v0.2.0] [--publishing]` builds and packs all packages, says what is against the release, and
 * publishes nothing. Packed files lie in dist/release.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}(?:-[\da-z.]{1,20})?$/;
const UNRELEASED = '## Unreleased';
const OUT = 'dist/release';
const MIB = 1_048_576;
/** Most bytes of a package, packed and unpacked. */
const MAX_PACKED_BYTES = 2 * MIB;
const MAX_UNPACKED_BYTES = 6 * MIB;

/** Files that name the version, and how. package.json is where everything else takes it from; the others are for programs without it. */
const PLACES: readonly (readonly [file: string, name: RegExp])[] = [
  ['package.json', /^( {2}"version": ")[^"]+/m],
  ['package-lock.json', /^( {2}"version": ")[^"]+/m],
  ['package-lock.json', /(^ {4}"": \{\n {6}"name": "[^"]+",\n {6}"version": ")[^"]+/m],
  ['src/lib/product.ts', /^(export const VERSION = ')[^']+/m],
  ['src/client/transport.ts', /^(export const CLIENT_VERSION = ')[^']+/m],
  ['server.json', /^( {2}"version": ")[^"]+/m],
  ['src/client-python/pyproject.toml', /^(version = ")[^"]+/m],
];

/** A file with another version in it. @throws Error where the place is not found */
export function withVersion(text: string, name: RegExp, version: string): string {
  if (!name.test(text)) throw new Error(`There is no version at ${name}`);
  return text.replace(name, `$1${version}`);
}

/** The changelog with what was not released yet under the version. @throws Error when there is nothing */
export function closeUnreleased(changelog: string, version: string): string {
  if (!changelog.includes(`${UNRELEASED}\n`)) throw new Error(`CHANGELOG.md has no section ${UNRELEASED}`);
  return changelog.replace(`${UNRELEASED}\n`, `## ${version}\n`);
}

export type Release = {
  version: string;
  changelog: string;
  /** The tag that a workflow runs for. */
  tag?: string | undefined;
  isPublishing: boolean;
  isCleanTree: boolean;
  /** The repository that a workflow runs in; the registry compares it with that of each package. */
  workflowRepository?: string | undefined;
  packed: readonly { name: string; version: string; size: number; unpackedSize: number; repositoryUrl?: string }[];
};

/** What is against a release, in words for whoever makes it; nothing when it may go out. */
export function listObstacles(release: Release): readonly string[] {
  const { version, changelog, tag, isPublishing, isCleanTree, workflowRepository, packed } = release;
  const heading = /^## (\S+)/m.exec(changelog)?.[1];
  return [
    ...(VERSION.test(version) ? [] : [`${version} is no version`]),
    ...(heading === version
      ? []
      : [`CHANGELOG.md begins with "${heading}": run npm run release -- version ${version}`]),
    ...(tag === undefined || tag === `v${version}` ? [] : [`The tag ${tag} is not v${version}`]),
    ...(isPublishing && !isCleanTree ? ['There are changes that are not committed'] : []),
    ...packed.flatMap(({ name, version: own, size, unpackedSize, repositoryUrl }) => [
      ...(isPublishing ? listWrongRepository(name, repositoryUrl, workflowRepository) : []),
      ...(own === version ? [] : [`${name} has version ${own}`]),
      ...(size <= MAX_PACKED_BYTES ? [] : [`${name} has ${size} bytes packed, more than ${MAX_PACKED_BYTES}`]),
      ...(unpackedSize <= MAX_UNPACKED_BYTES
        ? []
        : [`${name} has ${unpackedSize} bytes, more than ${MAX_UNPACKED_BYTES}`]),
    ]),
  ];
}

/** The registry refuses a package whose repository is not that of its provenance. */
function listWrongRepository(name: string, url: string | undefined, expected: string | undefined): readonly string[] {
  if (url === undefined) return [`${name} names no repository`];
  const address = url.replace(/^git\+/, '').replace(/\.git$/, '');
  if (new URL(address).hostname.endsWith('.example'))
    return [`${name} names an example as its repository: set it in package.json`];
  return expected === undefined || address === expected ? [] : [`${name} names ${address}, and this is ${expected}`];
}

function writeVersion(version: string): void {
  if (!VERSION.test(version)) throw new Error(`${version} is no version`);
  for (const [file, name] of PLACES) writeFileSync(file, withVersion(readFileSync(file, 'utf8'), name, version));
  writeFileSync('CHANGELOG.md', closeUnreleased(readFileSync('CHANGELOG.md', 'utf8'), version));
}

type Packed = Release['packed'][number];

function packAll(): readonly Packed[] {
  execFileSync(process.execPath, ['scripts/prepare.js'], { stdio: 'inherit' });
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  return ['dist/package', 'dist/emulator', 'dist/client'].map((folder) => {
    const printed = execFileSync('npm', ['pack', `./${folder}`, '--json', '--pack-destination', OUT], {
      encoding: 'utf8',
    });
    const [packed] = JSON.parse(printed) as [Packed];
    const { repository } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
      repository?: { url: string };
    };
    return { ...packed, ...(repository === undefined ? {} : { repositoryUrl: repository.url }) };
  });
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { tag: { type: 'string' }, publishing: { type: 'boolean', default: false } },
  });
  const [command, version = ''] = positionals;
  if (command === 'version') writeVersion(version);
  else if (command === 'check') {
    const packed = packAll();
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
    const obstacles = listObstacles({
      version: manifest.version,
      changelog: readFileSync('CHANGELOG.md', 'utf8'),
      tag: values.tag,
      isPublishing: values.publishing,
      isCleanTree: execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }) === '',
      workflowRepository: server && repository ? `${server}/${repository}` : undefined,
      packed,
    });
    for (const { name, size, unpackedSize } of packed)
      console.log(`${name}: ${size} bytes packed, ${unpackedSize} unpacked`);
    for (const obstacle of obstacles) console.error(obstacle);
    process.exitCode = obstacles.length === 0 ? 0 : 1;
  } else {
    console.error('usage: npm run release -- version <x.y.z> | check [--tag v<x.y.z>] [--publishing]');
    process.exitCode = 2;
  }
}
