import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONTROL_RESOURCES } from '../../../local/worker-resources-data.ts';

test("the emulator's Worker exports every class of the control Worker's objects: workerd starts with no less", () => {
  const entry = readFileSync(new URL('../../../local/emulator-worker.ts', import.meta.url), 'utf8');
  const exported = [...entry.matchAll(/^export (?:class (\w+)|\{ (\w+) \})/gm)].map(([, own, passed]) => own ?? passed);
  const classes = Object.values(CONTROL_RESOURCES.durableObjects).map(({ className }) => className);
  expect(classes.filter((name) => !exported.includes(name))).toEqual([]);
});
