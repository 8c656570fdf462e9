import { build as bundle, type Plugin } from 'esbuild';
import { builtinModules } from 'node:module';

/** Dependencies may ask for `buffer`; in workerd it is called `node:buffer`. */
const nodeBuiltins: Plugin = {
  name: 'node-builtins',
  setup(build) {
    const names = builtinModules.filter((name) => !name.startsWith('_')).join('|');
    build.onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path }) => ({ path: `node:${path}`, external: true }));
  },
};

/** Bundles a Worker's entry file into one readable ES module with its source map inside. @throws BuildFailure of esbuild */
export async function bundleWorker(entry: string): Promise<string> {
  const { outputFiles } = await bundle({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [nodeBuiltins],
    sourcemap: 'inline',
    minify: false,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`esbuild made no output of ${entry}`);
  return output.text;
}
