import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { describeThisRun, identifyMachine, isRunGone } from '../../../src/cli/deploy/holder.ts';

/** The id of a process that has ended. */
const ended = (): number => spawnSync(process.execPath, ['--version']).pid;

test('a run of this machine is gone when its process is', () => {
  const run = describeThisRun();
  expect(run.machine).toBe(identifyMachine());
  expect(isRunGone(run)).toBe(false);
  expect(isRunGone({ ...run, pid: ended() })).toBe(true);
});

test('one of another machine, or container, of the same name is not', () => {
  const run = { ...describeThisRun(), pid: ended() };
  expect(isRunGone({ ...run, machine: `${run.machine ?? ''}0` })).toBe(false);
  expect(isRunGone({ ...run, machine: undefined })).toBe(false);
});
