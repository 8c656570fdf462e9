import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  buildPythonPackage,
  installWheel,
  needSystemPython,
  type PythonPackage,
  PYTHON_SUITE,
  runPython,
} from '../../support/python/python-client.ts';

/** The package has the version of the service that it was generated for. */
const { version: VERSION } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  version: string;
};
const SLOW_MS = 420_000;
const PYTEST = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'];

let system = '';
let built: PythonPackage;
let installed = '';
beforeAll(async () => {
  system = await needSystemPython();
  built = await buildPythonPackage(system);
  installed = await installWheel(built, system);
}, SLOW_MS);
afterAll(() => built?.remove());

test('the wheel has the package alone, typed, and says what it needs', async () => {
  const listing = await runPython(system, [
    '-c',
    `import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
print(*sorted(wheel.namelist()), sep="\\n")
print(next(wheel.read(name).decode() for name in wheel.namelist() if name.endswith("METADATA")))`,
    built.wheel,
  ]);
  const [names = '', metadata = ''] = listing.output.split(/^(?=Metadata-Version)/m);
  const files = names.trim().split('\n');
  expect(files).toContain('sightline/py.typed');
  expect(files).toContain('sightline/models.py');
  expect(
    files.filter((name) => !name.startsWith('sightline/') && !name.startsWith(`sightline-${VERSION}.dist-info/`)),
  ).toEqual([]);
  expect(basename(built.wheel)).toBe(`sightline-${VERSION}-py3-none-any.whl`);
  for (const line of ['httpx<1,>=0.23', 'pydantic<3,>=1.10', 'anyio>=3.6'])
    expect(metadata.replaceAll(/[()]/g, '').replaceAll(' <', '<').replaceAll(' >', '>')).toContain(
      `Requires-Dist: ${line}\n`,
    );
  expect(metadata).toMatch(/^Requires-Python: >=3\.9$/m);
});

test(
  'the source distribution builds the same wheel',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-sdist-'));
    try {
      const unpacked = await runPython('/bin/tar', ['-xzf', built.sdist, '-C', folder, '--strip-components=1']);
      expect(unpacked).toEqual({ code: 0, output: '' });
      const again = await runPython(system, [
        '-m',
        'build',
        '--no-isolation',
        '--wheel',
        '--outdir',
        join(folder, 'out'),
        folder,
      ]);
      expect(again.output).toContain(`Successfully built sightline-${VERSION}-py3-none-any.whl`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  SLOW_MS,
);

test('every module compiles, also in the grammar of Python 3.9', async () => {
  const where = await runPython(installed, ['-c', 'import os, sightline; print(os.path.dirname(sightline.__file__))']);
  expect(where).toEqual({ code: 0, output: expect.stringContaining(`${built.folder}/`) });
  const compiled = await runPython(installed, ['-W', 'error', '-m', 'compileall', '-q', '-f', where.output.trim()]);
  expect(compiled).toEqual({ code: 0, output: '' });
  const older = await runPython(installed, [
    '-c',
    `import ast, pathlib, sys
for file in pathlib.Path(sys.argv[1]).glob("*.py"):
    ast.parse(file.read_text(), feature_version=(3, 9))`,
    where.output.trim(),
  ]);
  expect(older).toEqual({ code: 0, output: '' });
});

test(
  `the suite passes with the packages of the system`,
  async () => {
    const ran = await runPython(installed, [...PYTEST, PYTHON_SUITE], { cwd: built.folder });
    expect(ran.output).toMatch(/^\d{3,} passed in/m);
    expect(ran.code).toBe(0);
  },
  SLOW_MS,
);

test(
  'the suite passes with pydantic 2, where pip can get it',
  async ({ skip }) => {
    const place = join(built.folder, 'pydantic2');
    const python = join(place, 'bin', 'python');
    await runPython(system, ['-m', 'venv', place]);
    const packages = ['pydantic>=2', 'httpx', 'pytest', 'ecdsa', 'pycryptodomex'];
    const got = await runPython(python, ['-m', 'pip', 'install', '--quiet', '--retries', '0', ...packages]);
    skip(got.code !== 0, `pip cannot get ${packages.join(', ')} here`);
    const own = await runPython(python, ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', built.wheel]);
    expect(own.code).toBe(0);
    const version = await runPython(python, ['-c', 'import pydantic; print(pydantic.VERSION)']);
    expect(version.output).toMatch(/^2\./);
    const ran = await runPython(python, [...PYTEST, PYTHON_SUITE], { cwd: built.folder });
    expect(ran.output).toMatch(/^\d{3,} passed in/m);
    expect(ran.code).toBe(0);
  },
  SLOW_MS,
);

test(
  'a program that uses the package is typed throughout',
  async () => {
    const file = join(built.folder, 'consumer.py');
    writeFileSync(file, CONSUMER);
    const judge = (): Promise<{ code: number; output: string }> =>
      runPython(system, ['-m', 'mypy', '--strict', '--no-incremental', '--python-executable', installed, file], {
        cwd: built.folder,
      });
    expect(await judge()).toEqual({ code: 0, output: 'Success: no issues found in 1 source file\n' });
    writeFileSync(file, CONSUMER.replace('score: float', 'score: str'));
    expect((await judge()).output).toContain('Incompatible types in assignment');
  },
  SLOW_MS,
);

const CONSUMER = `from typing import List, Optional
from sightline import AsyncSightline, Budget, FileOrderStore, Progress, Report, Sightline, SightlineError, Wallet
from sightline.models import ScoreAeoResult, SectionCheck
from sightline.sections import SectionFix

def buy(wallet: Wallet) -> Optional[str]:
    client = Sightline(base_url="https://sightline.example", wallet=wallet, budget=Budget(per_call=2), orders=FileOrderStore("orders"))
    def show(counts: Progress) -> None:
        print(counts.done, counts.total)
    try:
        report: Report = client.audit("example.com", on_progress=show)
    except SightlineError as error:
        return error.code
    score: float = report.scores["aeo"].score
    fixes: List[SectionFix] = list(report.section("fixes", status="fail"))
    check: SectionCheck = next(report.section("checks"))
    print(score, fixes[0].id, check.status, report.do_first[0].id, report.fix("a").title)
    full = client.buy("score_aeo", url="example.com", view="full")
    print(full.parse_as(ScoreAeoResult).scores.aeo.grade)
    return full.report_url

async def read(report_id: str) -> List[str]:
    async with AsyncSightline(base_url="https://sightline.example") as client:
        report = await client.report(report_id)
        return [fix.id async for fix in report.section("fixes")]
`;
