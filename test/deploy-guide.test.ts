import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const guide = read('docs/operate/deploy.md');
const configurations = globSync('wrangler*.toml', { cwd: root });
const all = configurations.map(read).join('\n');
const listNamed = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];
const sort = (names: readonly string[]): readonly string[] => names.toSorted((a, b) => a.localeCompare(b));

/** What the guide's perl line makes of `configuration`: its pattern means the same here, and tests need no perl. */
function makeFirst(configuration: string): string {
  const line = guide.split('\n').find((one) => one.startsWith('perl -0pe ') && one.includes(` ${configuration} > `));
  const [, pattern = '(?!)'] = /^perl -0pe 's\/(.+)\/\/g' /.exec(line ?? '') ?? [];
  return read(configuration).replaceAll(new RegExp(pattern, 'g'), '');
}

const SERVICES = /\[\[(?:env\.production\.)?services\]\]\nbinding = "(\w+)"/g;

test('the guide creates every bucket and queue that the configurations name, and no other', () => {
  const created = listNamed(guide, /^npx wrangler (?:queues|r2 bucket) create ([\w-]+)/gm);
  const needed = listNamed(all, /^(?:queue|bucket_name|dead_letter_queue) = "([\w-]+)"$/gm);
  expect(needed.length).toBeGreaterThan(4);
  expect(sort(created)).toEqual(sort(needed));
});

test('the first api Worker names no other Worker, and is otherwise the same', () => {
  const first = makeFirst('wrangler.toml');
  expect(listNamed(read('wrangler.toml'), SERVICES)).toEqual(['CONTROL_TELEMETRY', 'QUOTAS']);
  expect(listNamed(first, SERVICES)).toEqual([]);
  expect(first).not.toContain('entrypoint');
  for (const section of ['durable_objects.bindings', 'queues.consumers', 'r2_buckets', 'ratelimits', 'migrations'])
    expect(first.split(section).length).toBe(read('wrangler.toml').split(section).length);
});

test('the first control Worker lacks the service of the webhook Worker alone', () => {
  const services = listNamed(read('wrangler.control.toml'), SERVICES);
  expect(services).toContain('CONSOLE_DESK');
  expect(listNamed(makeFirst('wrangler.control.toml'), SERVICES)).toEqual(
    services.filter((name) => name !== 'CONSOLE_DESK'),
  );
});

test('its steps are numbered from 1 without gaps, and deploy every Worker', () => {
  const steps = [...guide.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
  expect(steps).toEqual(steps.map((_, at) => at + 1));
  expect(sort(listNamed(guide, /^\| `sightline-\w+` \| `([\w.]+)` \|/gm))).toEqual(sort(configurations));
});
