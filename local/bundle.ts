import { createHash } from 'node:crypto';
import { build, type BuildOptions, version } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { parseJson } from '../src/lib/json.ts';
import { workerBuild } from './worker-build.js';

/** Ignored by git and gone with the packages, of whose files bundles consist to a good deal. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/sightline-workers', import.meta.url));
/**
 * Bundles a Worker's entry file into one ES module with the names of the sources, for stack traces. Source maps would make
 * it twice as long, and workerd reads none.
 * @throws BuildFailure of esbuild
 */
export const bundleWorker = async (entry: string): Promise<string> => (await bundleEntry(entry, {})).text;

const computeSha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

type Form = Pick<BuildOptions, 'minify'>;

async function bundleEntry(entry: string, form: Form): Promise<{ text: string; inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    ...workerBuild,
    entryPoints: [entry],
    write: false,
    metafile: true,
    ...form,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`esbuild made no output of ${entry}`);
  return { text: output.text, inputs: Object.keys(metafile.inputs) };
}

/** What a bundle was made of: the path of each file from the working folder, with the time of its last change and its size. */
const stampSchema = z.object({
  made: z.string(),
  /** Of the bundle: two starts at once may each have written one of the two files. */
  sha256: z.string(),
  inputs: z.array(z.tuple([z.string(), z.number(), z.number()])),
});

/**
 * The same as `bundleWorker`. As long as no file that went into it has changed, the bundle of an earlier start is taken.
 * @throws BuildFailure of esbuild
 */
export async function bundleChangedWorker(entry: string): Promise<string> {
  // Paths of the stamp begin at the working folder.
  const made = [version, process.cwd(), entry, JSON.stringify(workerBuild)].join('\n');
  const name = join(CACHE, `${basename(entry)}-${computeSha256(made).slice(0, 32)}`);
  const kept = readUnchanged(name, made);
  if (kept !== undefined) return kept;
  const beganMs = Date.now();
  const { text, inputs } = await bundleEntry(entry, {});
  const read = inputs.map(readInput).filter((input) => input !== undefined);
  // A file that changed meanwhile may be in the bundle as it was before.
  if (read.every(([, changedMs]) => changedMs < beganMs))
    writeBundle(name, text, { made, sha256: computeSha256(text), inputs: read });
  return text;
}

function readUnchanged(name: string, made: string): string | undefined {
  try {
    const stamp = stampSchema.safeParse(parseJson(readFileSync(`${name}.json`, 'utf8')));
    if (!stamp.success || stamp.data.made !== made || stamp.data.inputs.length === 0) return undefined;
    const isSame = stamp.data.inputs.every(([path, changedMs, bytes]) => {
      const now = readInput(path);
      return now !== undefined && now[1] === changedMs && now[2] === bytes;
    });
    const text = isSame ? readFileSync(`${name}.js`, 'utf8') : '';
    return computeSha256(text) === stamp.data.sha256 ? text : undefined;
  } catch {
    return undefined; // None there, or not ours to read: it is bundled again.
  }
}

function readInput(path: string): [string, number, number] | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : [path, stats.mtimeMs, stats.size];
}

/** The stamp goes last: with it the bundle is whole. Where nothing can be written, each start bundles. */
function writeBundle(name: string, text: string, stamp: z.infer<typeof stampSchema>): void {
  try {
    mkdirSync(CACHE, { recursive: true });
    writeWhole(`${name}.js`, text);
    writeWhole(`${name}.json`, JSON.stringify(stamp));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** Others see all of a file or nothing. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/**
 * A bundle of a folder that `LOCAL_BUNDLES` names, where many processes start the same Workers: the first one of them
 * bundles, minified, because each start copies the text a few times. Its setter keeps it
 * fresh. Without it, as `bundleChangedWorker`.
 */
export async function loadCachedBundle(entry: string): Promise<string> {
  const folder = process.env['LOCAL_BUNDLES'];
  if (folder === undefined) return bundleChangedWorker(entry);
  const file = join(folder, `${basename(entry)}-${computeSha256(entry)}.js`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const { text } = await bundleEntry(entry, { minify: true });
  writeWhole(file, text);
  return text;
}
