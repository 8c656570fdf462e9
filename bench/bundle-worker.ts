import { build, type Plugin } from 'esbuild';
import { workerBuild } from '../local/worker-build.js';
import { catalog, formatUsd } from '../src/capabilities/catalog.ts';

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
    ...workerBuild,
    entryPoints: [entry],
    write: false,
    minify: true,
    external: [...workerBuild.external, '@x402/paywall'],
    plugins: [...workerBuild.plugins, offers],
    logLevel: 'error',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild made no output of ${entry}`);
  return output.text;
}
