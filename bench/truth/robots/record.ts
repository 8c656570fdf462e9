/**
 * Renews `manifest.tsv` from all files of the collections. `record.ts questions` prints what to ask Google's parser: the
 * number of agents and their names, then for each file its path, the number of addresses, and these, a line each. What it
 * decides goes into a file: a line for each file with its path, a tab, and for each agent a word of 0 and 1, one digit an
 * address. `record.ts answers <file>` keeps every file that differs and a quarter of all others, drawn by their digests.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedAgents } from './agents-data.ts';
import { countDifferences, decideOurs, toAskedUrl } from './compare.ts';
import { type Decisions, encodeDecisions } from './decisions.ts';
import { digestPaths, listAskedPaths } from './questions.ts';
import { reasons } from './reasons.ts';
import {
  digestFile,
  locateRobotsFile,
  renderRobotsManifest,
  type RobotsCase,
  robotsCorpora,
} from './robots-corpora.ts';

const DRAWN = 1 / 4;
/** A file without such a line says nothing to any agent, and both sides allow everything. */
const NAMES_AGENTS = /^[\t\v\f ]{0,99}user.?agent/im;

type File = Pick<RobotsCase, 'corpus' | 'name' | 'sha256'> & { path: string; bytes: Uint8Array<ArrayBuffer> };

/** Files of different bytes, the first of each by the order of the collections and of names. */
function* listFiles(folder: string): Generator<File> {
  const seen = new Set<string>();
  for (const corpus of ['p', 'e', 'i'] as const) {
    const { repository, folder: inside } = robotsCorpora[corpus];
    for (const name of readdirSync(join(folder, repository, inside)).toSorted()) {
      if (/[^!-~]/.test(name)) continue;
      const path = locateRobotsFile(folder, { corpus, name });
      const bytes = new Uint8Array(readFileSync(path));
      const sha256 = digestFile(bytes);
      if (seen.has(sha256) || !NAMES_AGENTS.test(Buffer.from(bytes).toString('latin1'))) continue;
      seen.add(sha256);
      yield { corpus, name, sha256, path, bytes };
    }
  }
}

function printQuestions(folder: string): void {
  console.log([askedAgents.length, ...askedAgents].join('\n'));
  for (const { path, bytes } of listFiles(folder)) {
    const paths = listAskedPaths(bytes);
    console.log([path, paths.length, ...paths.map(toAskedUrl)].join('\n'));
  }
}

function keepAnswers(folder: string, file: string): void {
  const answers = new Map(
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([path = '', rows = '']) => [path, rows.trim().split(' ')]),
  );
  const kept: RobotsCase[] = [];
  const count = { files: 0, decisions: 0, differ: 0, filesThatDiffer: 0 };
  for (const { path, bytes, ...one } of listFiles(folder)) {
    const google = answers.get(path);
    if (google?.length !== askedAgents.length) throw new Error(`No answers about ${path}`);
    const paths = listAskedPaths(bytes);
    const differ = countDifferences(decideOurs(bytes, paths, []), google);
    count.files += 1;
    count.decisions += paths.length * google.length;
    count.differ += differ;
    count.filesThatDiffer += Number(differ > 0);
    if (differ === 0 && !isDrawn(one.sha256)) continue;
    const found = differ === 0 ? [] : findReasons(bytes, paths, google);
    if (!found) console.log(`Without a reason: ${path}, ${differ} decisions`);
    kept.push({ ...one, paths: digestPaths(paths), reasons: found ?? [], decisions: encodeDecisions(google) });
  }
  writeFileSync(new URL('manifest.tsv', import.meta.url), renderRobotsManifest(kept));
  console.log(JSON.stringify({ ...count, kept: kept.length }));
}

const isDrawn = (sha256: string): boolean => (Buffer.from(sha256, 'base64url')[0] ?? 0) < DRAWN * 256;

/** The fewest reasons with which our decisions are Google's. */
function findReasons(
  bytes: Uint8Array<ArrayBuffer>,
  paths: readonly string[],
  google: Decisions,
): readonly string[] | undefined {
  const sets = Array.from({ length: 2 ** reasons.length }, (_, bits) =>
    reasons.filter((_reason, index) => (bits >> index) % 2 === 1).map(({ id }) => id),
  ).toSorted((one, other) => one.length - other.length);
  return sets.find((ids) => countDifferences(decideOurs(bytes, paths, ids), google) === 0);
}

const [command, file] = process.argv.slice(2);
const folder = process.env['TRUTH_CORPORA'];
if (folder === undefined) throw new Error('TRUTH_CORPORA names no folder: see README.md');
if (command === 'questions') printQuestions(folder);
else if (command === 'answers' && file !== undefined) keepAnswers(folder, file);
else throw new Error('record.ts takes: questions, or answers and a file');
