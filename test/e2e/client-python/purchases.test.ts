import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { panels } from '../../../src/capabilities/panels.ts';
import { soldTools } from '../../../src/capabilities/sold-tools.ts';
import { formatPythonProgram } from '../../../src/web/start/calls.ts';
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

const ROOT = join(import.meta.dirname, '../../..');
const EXAMPLE = join(ROOT, 'docs', 'examples', 'client-python');
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
      SIGHTLINE_TEST_ROWS: [...catalog, ...panels, ...soldTools].map(({ name }) => name).join(' '),
    },
  });
}

test('the twenty lines of the documentation, as they are printed, buy an audit and its fixes', async () => {
  const program = readFileSync(join(EXAMPLE, 'audit.py'), 'utf8');
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  for (const page of ['docs/start/agent-developer.md', 'docs/guides/client-python.md'])
    expect(readFileSync(join(ROOT, page), 'utf8')).toContain(`\`\`\`python\n${program}\`\`\``);
  const { stack } = world;
  const ran = await runPython(installed, [join(EXAMPLE, 'audit.py'), `${stack.sites.poor}/`], {
    cwd: built.folder,
    env: {
      HOME: built.folder,
      SERVICE: stack.api.url,
      PRIVATE_KEY: stack.buyer.privateKey,
      // eth-account is no package of Debian: its calls are made by the wallet of the tests.
      PYTHONPATH: [join(PYTHON_SUITE, '..', 'stand-in'), PYTHON_SUITE].join(':'),
    },
  });
  expect(ran.output).toMatch(/^AEO \d+ of 100/m);
  expect(ran.output).toMatch(/^[a-z.-]+ \((?:minutes|hours|days)\): /m);
  expect(ran.output.trim().split('\n').at(-1)).toMatch(/^http:\/\/localhost:\d+\/reports\/[0-9a-f]{32}$/);
  expect(ran.code).toBe(0);
});

test('the program of the page of prices buys an audit as it is there', async () => {
  const { stack } = world;
  const program = join(built.folder, 'prices.py');
  writeFileSync(program, formatPythonProgram(stack.api.url).replaceAll('https://example.com/', `${stack.sites.good}/`));
  const ran = await runPython(installed, [program], {
    cwd: built.folder,
    env: {
      HOME: built.folder,
      PRIVATE_KEY: stack.buyer.privateKey,
      PYTHONPATH: [join(PYTHON_SUITE, '..', 'stand-in'), PYTHON_SUITE].join(':'),
    },
  });
  expect(ran.output).toMatch(/^\d+\.\d \S/m);
  expect(ran.code).toBe(0);
});

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
