import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { type FaultDesk, startFaultDesk } from '../../support/python/fault-desk.ts';
import {
  buildPythonPackage,
  installWheel,
  needSystemPython,
  type PythonPackage,
  PYTHON_SUITE,
  type PythonRun,
  runPython,
} from '../../support/python/python-client.ts';

const SLOW_MS = 420_000;
const STACK_TESTS = join(PYTHON_SUITE, '..', 'stack');

let built: PythonPackage;
let installed = '';
let world: FaultDesk;
beforeAll(async () => {
  const system = await needSystemPython();
  built = await buildPythonPackage(system);
  installed = await installWheel(built, system);
  world = await startFaultDesk();
}, SLOW_MS);
afterAll(async () => {
  await world?.stop();
  built?.remove();
});

/** Runs tests of Python against the stack, as the installed package sees it. */
function runStackTests(file: string): Promise<PythonRun> {
  const { stack, desk, proxy } = world;
  const given = {
    service: proxy.url,
    desk: desk.url,
    key: stack.buyer.privateKey,
    good: `${stack.sites.good}/`,
    poor: `${stack.sites.poor}/`,
  };
  return runPython(installed, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(STACK_TESTS, file)], {
    cwd: built.folder,
    env: {
      SIGHTLINE_TEST_STACK: JSON.stringify(given),
      SIGHTLINE_TEST_ROWS: catalog.map(({ name }) => name).join(' '),
    },
  });
}

test.each([
  ['test_catalogue.py', 'every row of the catalogue is bought, read in three sizes and paid once', catalog.length],
  ['test_faults.py', 'every order is paid once and answered, whatever is lost on the way', 20],
])(
  '%s: %s',
  async (file, _what, least) => {
    const ran = await runStackTests(file);
    expect(ran.output).toMatch(/^\d+ passed in/m);
    expect(Number(/^(\d+) passed in/m.exec(ran.output)?.[1])).toBeGreaterThanOrEqual(least);
    expect(ran.code).toBe(0);
  },
  SLOW_MS,
);
