/**
 * Runs all tests: those inside the Workers' runtime, which go one after the other, beside the rest, which wait more than
 * they work. Closes with `N passed, N failed, N skipped` of both together. With arguments it is one run of vitest with them.
 */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { buildDocs } from './build-docs.js';
import { needChromium } from './chromium.js';
import { createFaultFilter } from './expected-faults.js';
import { needJudges } from './judges.js';

const VITEST = 'node_modules/vitest/vitest.mjs';
const REPORTERS = ['--reporter=default', '--reporter=./test/plain-line.ts'];
const PARTS = [
  ['workers', 'control', 'webhook'],
  ['unit', 'regexes', 'e2e'],
];
const SUM = /^(\d+) passed, (\d+) failed, (\d+) skipped$/;

const given = process.argv.slice(2);
const runs = given.length > 0 ? [given] : PARTS.map((projects) => projects.flatMap((name) => ['--project', name]));
// Whatever names no project of its own runs the end-to-end tests too, which drive a browser: without one they fail, and say so.
const projects = given.flatMap((word, at) =>
  word === '--project' ? [given[at + 1]] : word.split('--project=').slice(1),
);
if (projects.length === 0 || projects.includes('e2e')) {
  needChromium();
  buildDocs(); // Its pages are judged as all others are.
}
if (!needJudges()) process.exit(1);
const children = runs.map((options) =>
  spawn(process.execPath, [VITEST, 'run', ...REPORTERS, ...options], { stdio: ['ignore', 'pipe', 'pipe'] }),
);
// Tests inside the runtime have clocks and leases of seconds: they go first where both want the processor.
for (const { pid } of children.slice(1))
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => children.forEach((child) => child.kill(signal)));

const sums = [0, 0, 0];
const hiddenFaults = [];
const failures = [];
/** Shows a stream but for the faults that tests make on purpose. */
async function showErrors(stream) {
  const { isShown, hidden } = createFaultFilter();
  for await (const line of createInterface({ input: stream })) if (isShown(line)) console.error(line);
  hiddenFaults.push(...hidden);
}
const codes = await Promise.all(
  children.map(async (child) => {
    const ended = new Promise((resolve) => {
      child.on('close', (code) => resolve(code ?? 1));
    });
    let isSummed = false;
    const { isShown, hidden } = createFaultFilter();
    const errors = showErrors(child.stderr);
    for await (const line of createInterface({ input: child.stdout })) {
      const [, ...counts] = SUM.exec(line) ?? [];
      if (line.startsWith('FAILED ')) failures.push(line);
      else if (counts.length === 0 && isShown(line)) console.log(line);
      counts.forEach((count, index) => {
        sums[index] += Number(count);
      });
      isSummed ||= counts.length > 0;
    }
    const code = await ended;
    await errors;
    hiddenFaults.push(...hidden);
    if (!isSummed) sums[1] += 1; // A run that ended before its end has failed, whatever it said.
    return isSummed ? code : code || 1;
  }),
);
if (codes.some((code) => code !== 0)) for (const line of hiddenFaults) console.log(line);
for (const line of failures) console.log(line); // Both runs print at once: what failed is found here, at the end.
console.log(`${sums[0]} passed, ${sums[1]} failed, ${sums[2]} skipped`);
process.exitCode = codes.find((code) => code !== 0) ?? 0;
