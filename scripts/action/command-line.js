// Finds the built command line and runs it. Nothing is installed: the package has no dependency, so unpacking it is enough.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readInput } from './inputs.js';

/** Time of one audit, and of the download of the package. */
const RUN_MS = 600_000;
const DOWNLOAD_MS = 60_000;
const MAX_PACKAGE_BYTES = 20 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** The package as each release has it. */
const ASSET = 'sightline-cli.tgz';

const here = dirname(fileURLToPath(import.meta.url));
/** A folder of the step, removed by the runner with the job. */
export const workFolder = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), 'sightline-'));

/** @returns {Promise<string>} the program: of the input `package`, of this checkout, or of the release of this ref */
export async function findCommandLine() {
  const packed = readInput('package');
  if (packed !== '') return unpack(resolve(packed));
  const built = ['../../dist/package/cli.js', '../../dist/cli.js'].map((path) => join(here, path)).find(existsSync);
  return built ?? unpack(await downloadRelease());
}

async function downloadRelease() {
  const {
    GITHUB_ACTION_REPOSITORY: repository,
    GITHUB_ACTION_REF: ref,
    GITHUB_SERVER_URL: server = 'https://github.com',
  } = process.env;
  if (!repository || !ref) throw new Error(NOT_BUILT);
  const address = `${server}/${repository}/releases/download/${encodeURIComponent(ref)}/${ASSET}`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}. ${NOT_BUILT}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes.length > MAX_PACKAGE_BYTES) throw new Error(`${address} is larger than ${MAX_PACKAGE_BYTES} bytes.`);
  const file = join(workFolder, ASSET);
  writeFileSync(file, bytes);
  return file;
}

const NOT_BUILT =
  'Use the action at a release tag, or name a packed command line in the input package (npm pack ./dist/package).';

/** @param {string} file */
function unpack(file) {
  if (!existsSync(file)) throw new Error(`${file} is not there. ${NOT_BUILT}`);
  const folder = join(workFolder, 'cli');
  mkdirSync(folder);
  const { status, stderr } = spawnSync('tar', ['-xzf', file, '-C', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} cannot be unpacked: ${stderr}`);
  return join(folder, 'package', 'cli.js');
}

/**
 * Runs the command line with these words. What it says may quote a site, so none of it is printed here.
 * @param {string} program
 * @param {readonly string[]} words
 */
export function runCommandLine(program, words) {
  const { NODE_OPTIONS: _none, 'INPUT_GITHUB-TOKEN': _token, ...env } = process.env; // The audit needs no token.
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1' },
    timeout: RUN_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (error) throw error;
  return { status: status ?? 1, stdout, stderr };
}
