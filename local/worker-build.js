// How a Worker is bundled for workerd itself, without wrangler. Plain JavaScript, because `npm ci` builds the emulator by
// it, with whatever Node the machine has.
import { builtinModules, createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const names = builtinModules.filter((name) => !name.startsWith('_')).join('|');

/** Dependencies may ask for `buffer`; in workerd it is called `node:buffer`. */
const nodeBuiltins = {
  name: 'node-builtins',
  setup(bundler) {
    bundler.onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path }) => ({ path: `node:${path}`, external: true }));
  },
};

export const workerBuild = {
  bundle: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  mainFields: ['browser', 'module', 'main'],
  external: ['cloudflare:*', 'node:*'],
  // As in wrangler.toml: the form for browsers asks for no files.
  alias: { '@solana/keys': require.resolve('@solana/keys').replace('index.node.cjs', 'index.browser.mjs') },
  plugins: [nodeBuiltins],
};
