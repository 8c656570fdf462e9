import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/client-python.md'), 'utf8');
const sources = globSync('src/client-python/sightline/*.py', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

test('the guide has every code that the client raises, and no other', () => {
  const raised = [
    ...sources.matchAll(/(?:Error|_refuse|super\(\).__init__)\(\s*"([a-z]+(?:_[a-z]+)+)",/g),
    ...sources.matchAll(/\bcode(?:: str)? ?= ?"([a-z_]+)"/g),
  ].map(([, code]) => code);
  const table = guide.slice(guide.indexOf('## Errors'));
  const listed = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code),
  );
  expect(listed.toSorted()).toEqual([...new Set(raised)].toSorted());
});

test('the guide has the limits of the code', () => {
  const limit = (name: RegExp): string => name.exec(sources)?.[1] ?? 'missing';
  const requests = limit(/requests: int = (\d+)/);
  const waits = limit(/wait_seconds: float = (\d+)/);
  expect(guide).toContain(`${requests} requests and ${waits} s of waits at most`);
  expect(guide).toContain(`a wait over ${limit(/MAX_RETRY_AFTER_SECONDS = (\d+)/)} s`);
  const [call, day] = [limit(/DEFAULT_PER_CALL = (\d+)/), limit(/DEFAULT_PER_DAY = (\d+)/)];
  expect(guide).toContain(`Budget(per_call=${call}, per_day=${day})`);
});
