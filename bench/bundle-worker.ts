import { build, type Plugin } from 'esbuild';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { catalog, usd } from '../src/capabilities/catalog.ts';

/** In workerd `buffer` is called `node:buffer`. */
const nodeBuiltins: Plugin = {
  name: 'node-builtins',
  setup({ onResolve }) {
    const names = builtinModules.filter((name) => !name.startsWith('_')).join('|');
    onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path }) => ({ path: `node:${path}`, external: true }));
  },
};

/** Names and prices of our catalogue as a module, so that the peer sells the same without our code in its bundle. */
const offers: Plugin = {
  name: 'offers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^bench:offers$/ }, ({ path }) => ({ path, namespace: 'bench' }));
    onLoad({ filter: /.*/, namespace: 'bench' }, () => ({
      contents: JSON.stringify(
        catalog.map(({ name, summary, priceMicroUsdc }) => ({ name, summary, priceUsd: usd(priceMicroUsdc) })),
      ),
      loader: 'json',
    }));
  },
};

/**
 * Lifts the budget of facilitator calls (40 a second). At the rates of a benchmark every request would be past half of
 * it, where signatures are recovered locally first: a guard for floods, not the path of a sale.
 */
const withoutFacilitatorBudget: Plugin = {
  name: 'without-facilitator-budget',
  setup({ onLoad }) {
    onLoad({ filter: /src\/payment\/facilitator\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const lifted = source.replace(/FACILITATOR_CALLS_PER_S = \d+/, 'FACILITATOR_CALLS_PER_S = 1e9');
      if (lifted === source) throw new Error(`${path} has no FACILITATOR_CALLS_PER_S to lift`);
      return { contents: lifted, loader: 'ts' };
    });
  },
};

/** Bundles a Worker for workerd the same way for both sides: one minified ES module. */
export async function bundleForWorkerd(entry: string, facilitatorBudget: 'kept' | 'lifted' = 'kept'): Promise<string> {
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
    plugins: [nodeBuiltins, offers, ...(facilitatorBudget === 'lifted' ? [withoutFacilitatorBudget] : [])],
    logLevel: 'error',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild made no output of ${entry}`);
  return output.text;
}
