// What npm runs after an installation: it builds the command line, and with the development dependencies the packages and what
// browsers load. Plain JavaScript, because `npm ci` runs it with whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Scripts that build, each with a package that only the development dependencies bring. */
const BUILDS = [
  ['scripts/build-cli.js', 'esbuild'],
  ['scripts/build-package.js', 'esbuild'],
  ['scripts/build-emulator.js', 'workerd'],
  ['scripts/build-client.js', 'typescript'],
  ['scripts/build-web.js', 'uplot'],
];

for (const [script, needed] of BUILDS) {
  if (!existsSync(`node_modules/${needed}`)) continue;
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
