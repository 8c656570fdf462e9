import { createHash } from 'node:crypto';
import { build, type BuildOptions } from 'esbuild';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { workerBuild } from './worker-build.js';

/** Bundles a Worker's entry file into one readable ES module with its source map inside. @throws BuildFailure of esbuild */
export const bundleWorker = (entry: string): Promise<string> => bundleEntry(entry, { sourcemap: 'inline' });

async function bundleEntry(entry: string, form: Pick<BuildOptions, 'minify' | 'sourcemap'>): Promise<string> {
  const { outputFiles } = await build({
    ...workerBuild,
    entryPoints: [entry],
    write: false,
    ...form,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`esbuild made no output of ${entry}`);
  return output.text;
}

/**
 * The same of a folder that `LOCAL_BUNDLES` names, where many processes start the same Workers: the first one of them
 * bundles, minified and without a source map, because each start copies the text a few times. Its setter keeps it
 * fresh. Without it every process bundles for itself.
 */
export async function loadCachedBundle(entry: string): Promise<string> {
  const folder = process.env['LOCAL_BUNDLES'];
  if (folder === undefined) return bundleWorker(entry);
  const file = join(folder, `${basename(entry)}-${createHash('sha256').update(entry).digest('hex')}.js`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const text = await bundleEntry(entry, { minify: true });
  const written = `${file}.${process.pid}`; // Others see all of it or nothing.
  writeFileSync(written, text);
  renameSync(written, file);
  return text;
}
