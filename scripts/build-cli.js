// Bundles the command line into files that run on Node 20.19 and newer, and the filter language into one that runs
// anywhere, with its types; plain JavaScript, because `npm ci` runs it with whatever Node the machine has.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { renderLicenses } from './build/licenses.js';
import { nodeBuild } from './build/node-build.js';

/** The three parts of undici that we use: its index loads mocks, caches, WebSockets and interceptors at every start. */
const UNDICI_PARTS = `
  export { default as Agent } from 'undici/lib/dispatcher/agent.js';
  export { default as buildConnector } from 'undici/lib/core/connect.js';
  export { fetch } from 'undici/lib/web/fetch/index.js';
`;
const slimUndici = {
  name: 'slim-undici',
  setup(bundler) {
    bundler.onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({ path: resolveDir, namespace: 'slim-undici' }));
    bundler.onLoad({ filter: /.*/, namespace: 'slim-undici' }, ({ path }) => ({
      contents: UNDICI_PARTS,
      resolveDir: path,
    }));
    // Its parser comes twice, with the instructions for many values at once and without: those without run anywhere.
    bundler.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path, importer, kind }) =>
      bundler.resolve(path.replace('llhttp_simd', 'llhttp'), { importer, resolveDir: dirname(importer), kind }),
    );
  },
};

/** The highest two save 30 kB, and take a tenth of the processor time of `npm ci`. */
const WASM_QUALITY = 9;

/** The package reads its WebAssembly from beside its own file; here it lies, a third as large, beside the bundle that uses it. */
const REWRITER = `
  import { readFileSync } from 'node:fs';
  import { brotliDecompressSync } from 'node:zlib';
  import init from 'htmlrewriter/dist/html_rewriter.js';
  import { HTMLRewriterWrapper } from 'htmlrewriter/dist/html_rewriter_wrapper.js';
  import file from 'htmlrewriter/dist/html_rewriter_bg.wasm';
  const wasm = new WebAssembly.Module(brotliDecompressSync(readFileSync(new URL(file, import.meta.url))));
  export const HTMLRewriter = HTMLRewriterWrapper(init(wasm));
`;
const bundledRewriter = {
  name: 'bundled-rewriter',
  setup(bundler) {
    bundler.onResolve({ filter: /^htmlrewriter$/ }, ({ resolveDir }) => ({
      path: resolveDir,
      namespace: 'bundled-rewriter',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'bundled-rewriter' }, ({ path }) => ({
      contents: REWRITER,
      resolveDir: path,
    }));
    bundler.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
      contents: brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: WASM_QUALITY } }),
      loader: 'file',
    }));
  },
};

/** A report that is written as a file has no history, and the styles of its chart are of a development dependency. */
const withoutHistory = {
  name: 'without-history',
  setup(bundler) {
    bundler.onResolve({ filter: /\/history\.css$/ }, ({ path }) => ({ path, namespace: 'without-history' }));
    bundler.onLoad({ filter: /.*/, namespace: 'without-history' }, () => ({ contents: '', loader: 'css' }));
  },
};

/** zod has its messages in some fifty languages, a quarter of a megabyte; ours are English or are our own. */
const englishMessages = {
  name: 'english-messages',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Schemas of MCP are judged by the validator that Workers use, an eighth of the size of the one for Node, of which each half has a copy. */
const smallValidator = {
  name: 'small-validator',
  setup(bundler) {
    bundler.onLoad(
      { filter: /@modelcontextprotocol[\\/](?:client|server)[\\/]dist[\\/]shimsNode\.mjs$/ },
      ({ path }) => ({
        contents: `
        export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from
          '@modelcontextprotocol/${/server[\\/]dist/.test(path) ? 'server' : 'client'}/validators/cf-worker';
        export { default as process } from 'node:process';
        export const CORS_IS_POSSIBLE = false;
      `,
        resolveDir: dirname(path),
      }),
    );
  },
};

/**
 * What libraries bring for ways that are not taken here: models are given as objects, never by a name that a gateway resolves,
 * chains are read over HTTP, no command has a binding of Workers AI, no model is asked to decide or to extract, and
 * transactions of Solana are read by the service that is paid with them.
 */
const UNUSED_PARTS = {
  '@ai-sdk/gateway': `
    const never = { isInstance: () => false };
    export { never as GatewayError, never as GatewayAuthenticationError };
    export const createGateway = undefined;
    export const gateway = undefined;
  `,
  isows: 'export const WebSocket = globalThis.WebSocket;',
  '@solana/transactions': 'export const getTransactionDecoder = undefined;',
  '@solana/transaction-messages': 'export const getCompiledTransactionMessageDecoder = undefined;',
  'workers-ai-provider': 'export const createWorkersAI = undefined;',
  '@ai-sdk/provider-utils/experimental-decision': 'export const Experimental_DecisionLanguageModel = undefined;',
  '@ai-sdk/provider-utils/experimental-extraction': 'export const Experimental_ExtractionLanguageModel = undefined;',
};
const withoutUnusedParts = {
  name: 'without-unused-parts',
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, ({ path }) =>
      Object.hasOwn(UNUSED_PARTS, path) ? { path, namespace: 'unused' } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'unused' }, ({ path }) => ({ contents: UNUSED_PARTS[path] }));
  },
};

/** What other builds write. */
const OF_OTHERS = new Set(['client', 'emulator', 'package']);
for (const name of existsSync('dist') ? readdirSync('dist') : [])
  if (!OF_OTHERS.has(name)) rmSync(`dist/${name}`, { recursive: true, force: true });
/** The first file turns on the cache of compiled code: what is in it is compiled at every call. */
function leaveOutMain(bundler) {
  bundler.onResolve({ filter: /\/core\/main\.ts$/ }, () => ({ path: './chunks/main.js', external: true }));
}

const shared = {
  ...nodeBuild,
  // Nothing reads the names of functions, and they are 4 % of the package.
  keepNames: false,
  metafile: true,
  // Some dependencies are CommonJS and ask for `require`.
  banner: {
    js: "import { createRequire as sightlineRequire } from 'node:module';\nconst require = sightlineRequire(import.meta.url);",
  },
};

/** What answers without a command: help and version. */
const OF_EVERY_CALL = /\/(?:help|service)\.ts$/;
/** Where commands begin, by the name of their file in the package. */
const commands = new Map();
/** Leaves out of a bundle what it loads for one command alone, and notes it for a bundle of its own. */
const commandsApart = {
  name: 'commands-apart',
  setup(bundler) {
    bundler.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import' || OF_EVERY_CALL.test(path)) return undefined;
      const file = join(resolveDir, path);
      const name = relative('src', file).replaceAll(sep, '-').replace(/\.ts$/, '');
      commands.set(`chunks/${name}`, file);
      return { path: `./${name}.js`, external: true };
    });
  },
};
// What every call loads is one file, because each file costs a short command half a millisecond.
const main = await build({
  ...shared,
  entryPoints: { 'chunks/main': 'src/cli/core/main.ts' },
  outdir: 'dist',
  plugins: [commandsApart, englishMessages],
});
const parts = await build({
  ...shared,
  entryPoints: Object.fromEntries(commands),
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  plugins: [slimUndici, bundledRewriter, englishMessages, smallValidator, withoutUnusedParts],
  assetNames: 'chunks/[name]-[hash]',
  // Used where it is installed.
  external: ['playwright-core'],
});
await build({
  ...shared,
  entryPoints: ['src/cli.ts'],
  outdir: 'dist',
  inject: [],
  plugins: [{ name: 'main-apart', setup: leaveOutMain }],
  banner: { js: '#!/usr/bin/env node' },
});
const inputs = [main, parts].flatMap(({ metafile }) => Object.keys(metafile.inputs));
chmodSync('dist/cli.js', 0o755);
writeFileSync('dist/licenses.txt', renderLicenses([...new Set(inputs)]));
// The styles of reports that are written as one file: those of the service's pages, in one sheet.
const sheets = await build({
  entryPoints: ['src/web/styles/site.css', 'src/web/styles/report.css'],
  outdir: 'dist',
  bundle: true,
  minify: true,
  write: false,
  plugins: [withoutHistory],
  logLevel: 'warning',
  target: ['chrome120', 'firefox121', 'safari17'],
});
cpSync('docs/reference/sightline.config.schema.json', 'dist/sightline.config.schema.json');
writeFileSync('dist/report.css', sheets.outputFiles.map(({ text }) => text).join(''));
await build(JSON.parse(readFileSync(new URL('build/filter-module.json', import.meta.url), 'utf8')));

// Types only: `npm run types` has judged the sources.
const TYPES =
  '--ignoreConfig --noCheck --declaration --emitDeclarationOnly --allowImportingTsExtensions --target es2024';
const TYPE_FILES = '--module esnext --moduleResolution bundler --rootDir src --outDir dist/types';
const TSC = 'node_modules/typescript/bin/tsc';
// An installation without development dependencies has no compiler: the module works without its types.
if (existsSync(TSC))
  execFileSync(process.execPath, [TSC, 'src/management/core/filter/index.ts', ...`${TYPES} ${TYPE_FILES}`.split(' ')]);
