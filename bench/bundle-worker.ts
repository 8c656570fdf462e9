import { build, type Plugin } from 'esbuild';
import { builtinModules } from 'node:module';
import { catalog, formatUsd } from '../src/capabilities/catalog.ts';

/** In workerd `buffer` is called `node:buffer`. */
const nodeBuiltins: Plugin = {
  name: 'node-builtins',
  setup(bundler) {
    const names = builtinModules.filter((name) => !name.startsWith('_')).join('|');
    bundler.onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path }) => ({ path: `node:${path}`, external: true }));
  },
};

/** Names and prices of our catalogue as a module, so that the peer sells the same without our code in its bundle. */
const offers: Plugin = {
  name: 'offers',
  setup(bundler) {
    bundler.onResolve({ filter: /^bench:offers$/ }, ({ path }) => ({ path, namespace: 'bench' }));
    bundler.onLoad({ filter: /.*/, namespace: 'bench' }, () => ({
      contents: JSON.stringify(
        catalog.map(({ name, summary, priceMicroUsdc }) => ({ name, summary, priceUsd: formatUsd(priceMicroUsdc) })),
      ),
      loader: 'json',
    }));
  },
};

/** Bundles a Worker for workerd the same way for both sides: one minified ES module. */
export async function bundleForWorkerd(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['cloudflare:*', 'node:*', '@x402/paywall'],
    plugins: [nodeBuiltins, offers],
    logLevel: 'error',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild made no output of ${entry}`);
  return output.text;
}
