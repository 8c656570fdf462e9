// Builds the package @sightline/emulator into dist/emulator: the program for Node 20.19 and newer, its gRPC front, and the
// bundle of its Worker. Plain JavaScript, because `npm ci` runs it with whatever Node the machine has.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { workerBuild } from '../local/worker-build.js';
import { nodeBuild } from './build/node-build.js';
import { buildPublishFields } from './build/publish-fields.js';

const OUT = 'dist/emulator';
const OPTIONAL = ['@grpc/grpc-js', '@grpc/proto-loader', 'google-proto-files'];
const REQUIRE =
  "import { createRequire as emulatorRequire } from 'node:module';\nconst require = emulatorRequire(import.meta.url);";

const readPackage = (file) => JSON.parse(readFileSync(file, 'utf8'));
const own = readPackage('package.json');
const installedVersion = (name) => readPackage(`node_modules/${name}/package.json`).version;

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });

const forNode = {
  ...nodeBuild,
  external: ['workerd', ...OPTIONAL],
  banner: { js: REQUIRE },
};
await Promise.all([
  build({ ...forNode, entryPoints: ['local/emulator/run.ts'], outfile: `${OUT}/run.js` }),
  build({ ...forNode, entryPoints: ['local/grpc/front.ts'], outfile: `${OUT}/grpc-front.js` }),
  build({
    ...workerBuild,
    entryPoints: ['local/emulator-worker.ts'],
    outfile: `${OUT}/worker.js`,
    minify: true,
    logLevel: 'warning',
  }),
]);

writeFileSync(
  `${OUT}/sightline-emulator.js`,
  "#!/usr/bin/env node\nimport { runEmulator } from './run.js';\n\nprocess.exitCode = await runEmulator(process.argv.slice(2));\n",
);
chmodSync(`${OUT}/sightline-emulator.js`, 0o755);
for (const script of ['guard.sh', 'watchdog.sh']) copyFileSync(`local/processes/${script}`, `${OUT}/${script}`);
copyFileSync('LICENSE', `${OUT}/LICENSE`);
copyFileSync('local/emulator/PACKAGE.md', `${OUT}/README.md`);
const optional = Object.fromEntries(OPTIONAL.map((name) => [name, `^${installedVersion(name)}`]));
const manifest = {
  name: '@sightline/emulator',
  ...buildPublishFields(own),
  description: 'Vendor-style management interfaces with real state, for tests on this machine.',
  type: 'module',
  bin: { 'sightline-emulator': 'sightline-emulator.js' },
  exports: { './run': './run.js', './package.json': './package.json' },
  os: ['linux', 'darwin'],
  dependencies: { workerd: installedVersion('workerd') },
  peerDependencies: optional,
  peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
};
writeFileSync(`${OUT}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
