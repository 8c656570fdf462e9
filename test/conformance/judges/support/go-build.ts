import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderOf, listSources } from './cases.ts';

const run = promisify(execFile);
const GO = '/usr/bin/go';
const PACKAGES = '/usr/share/gocode';
const CLIENT = join(PACKAGES, 'src/google.golang.org/api/admin/directory/v1/admin-gen.go');
/** Of hangs: a first build takes 20 seconds of processor time, and two cores may be shared. */
const BUILD_TIMEOUT_MS = 280_000;
/** Programs of sources that are gone are kept for so long. */
const KEPT_MS = 7 * 24 * 3_600_000;

/**
 * Builds the Go program once for its sources, this version of Go and this version of the client. Go keeps what it compiled,
 * so that another build of other sources takes seconds.
 * @returns the path of the program
 */
export async function buildGoJudge(): Promise<string> {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sightline', 'judges');
  const { stdout: version } = await run(GO, ['version']);
  const hash = createHash('sha256').update(`${version}\n${statSync(CLIENT).size}\n${statSync(CLIENT).mtimeMs}`);
  for (const file of listSources('go')) hash.update(readFileSync(file));
  const program = join(folder, `go-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const made = `${program}.${process.pid}`;
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: homedir(),
    GO111MODULE: 'off',
    GOPATH: PACKAGES,
    GOFLAGS: '',
    CGO_ENABLED: '0',
  };
  try {
    await run(GO, ['build', '-ldflags=-s -w', '-o', made, '.'], {
      cwd: folderOf('go'),
      timeout: BUILD_TIMEOUT_MS,
      env: { ...env, ...(process.env['GOCACHE'] === undefined ? {} : { GOCACHE: process.env['GOCACHE'] }) },
    });
    renameSync(made, program);
    removeOld(folder);
  } finally {
    rmSync(made, { force: true });
  }
  return program;
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true });
  }
}
