import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SYSTEM_PYTHON = '/usr/bin/python3';
/** Debian's packages of what the package needs, is built with, and is judged with; the module that proves that it is there. */
const NEEDED: Readonly<Record<string, string>> = {
  httpx: 'python3-httpx',
  pydantic: 'python3-pydantic',
  pytest: 'python3-pytest',
  ecdsa: 'python3-ecdsa',
  Cryptodome: 'python3-pycryptodome',
  setuptools: 'python3-setuptools',
  wheel: 'python3-wheel',
  build: 'python3-build',
  ensurepip: 'python3-venv',
  mypy: 'mypy',
};
/** For hangs only. */
const RUN_TIMEOUT_MS = 400_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** The suite of the package, which runs wherever it is installed. */
export const PYTHON_SUITE = join(ROOT, 'test', 'client-python', 'suite');

export type PythonRun = { code: number; output: string };

/** Runs a program of Python, with nothing of this process in its environment but what finds programs and packages. */
export function runPython(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<PythonRun> {
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|HOME|LANG|PIP_\w+|SSL_CERT_FILE)$/.test(name),
  );
  const env = {
    ...Object.fromEntries(passed),
    PYTHONDONTWRITEBYTECODE: '1',
    SIGHTLINE_TEST_DATA: DATA,
    ...options.env,
  };
  return new Promise((resolve) => {
    execFile(
      program,
      [...args],
      {
        cwd: options.cwd ?? DATA, // Python imports from where it runs: no modules are there.
        env,
        timeout: RUN_TIMEOUT_MS,
        maxBuffer: MAX_OUTPUT_BYTES,
        killSignal: 'SIGKILL',
      },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
          output: `${stdout}${stderr}`,
        }),
    );
  });
}

const DATA = join(ROOT, 'test', 'data', 'client-python');

/** The system's Python with all that is needed. @throws Error that says what to install: a missing judge fails */
export async function needSystemPython(): Promise<string> {
  const code = `import importlib.util, sys; print(*[m for m in sys.argv[1:] if importlib.util.find_spec(m) is None])`;
  const found = existsSync(SYSTEM_PYTHON)
    ? await runPython(SYSTEM_PYTHON, ['-c', code, ...Object.keys(NEEDED)])
    : { code: 1, output: '' };
  const missing = found.code === 0 ? found.output.trim().split(/\s+/).filter(Boolean) : Object.keys(NEEDED);
  if (missing.length === 0) return SYSTEM_PYTHON;
  const packages = missing.map((name) => NEEDED[name] ?? name).join(' ');
  throw new Error(`The Python client cannot be tested here: apt-get install ${packages}`);
}

export type PythonPackage = { folder: string; wheel: string; sdist: string; remove: () => void };

/** Builds wheel and source distribution in a copy, with what the system has and no network. */
export async function buildPythonPackage(python: string): Promise<PythonPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-python-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const source = join(folder, 'source');
    cpSync(join(ROOT, 'src', 'client-python'), source, {
      recursive: true,
      filter: (path) => !/__pycache__|\.egg-info|\/build(?:\/|$)/.test(path),
    });
    cpSync(join(ROOT, 'LICENSE'), join(source, 'LICENSE'));
    const out = join(folder, 'dist');
    const built = await runPython(python, ['-m', 'build', '--no-isolation', '--outdir', out, source]);
    const [wheel] = globSync(join(out, '*.whl'));
    const [sdist] = globSync(join(out, '*.tar.gz'));
    if (built.code !== 0 || wheel === undefined || sdist === undefined) throw new Error(built.output);
    return { folder, wheel, sdist, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** An environment of its own that sees the packages of the system, with the wheel in it. @returns its Python */
export async function installWheel({ folder, wheel }: PythonPackage, python: string): Promise<string> {
  const place = join(folder, 'venv');
  const program = join(place, 'bin', 'python');
  for (const [runner, ...args] of [
    [python, '-m', 'venv', '--system-site-packages', place],
    [program, '-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', wheel],
  ] as const) {
    const done = await runPython(runner, args);
    if (done.code !== 0) throw new Error(done.output);
  }
  return program;
}
