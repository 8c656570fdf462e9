import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/project/architecture.md');
/** The tables of production: other environments have the same under names of their own. */
const tomls = globSync('wrangler*.toml', { cwd: root })
  .flatMap((file) => read(file).split(/^(?=\[)/m))
  .filter((table) => /^\[\[?env\.production\b/.test(table))
  .join('\n');

/** Texts that the configuration of the Workers gives to a key, each once. */
const find = (key: string): string[] => [
  ...new Set<string>([...tomls.matchAll(new RegExp(`^${key} = "([^"]+)"`, 'gm'))].map(([, text = '']) => text)),
];

const pictures = [...page.matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map(([, picture = '']) => picture);

test('the picture shows each Worker and each Durable Object', () => {
  const [picture = ''] = pictures;
  const workers = find('name').filter((name) => name.startsWith('sightline-'));
  expect(workers).toHaveLength(5);
  expect(workers.filter((name) => !picture.includes(`["${name}`))).toEqual([]);
  const words = new Set(picture.match(/[A-Za-z]+/g));
  expect(find('class_name').filter((name) => !words.has(name))).toEqual([]);
});

test('the page names each queue, bucket and binding', () => {
  const objects = new Set(
    find('class_name').map((name) => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase()),
  );
  const bindings = find('binding').filter((name) => !objects.has(name));
  const limiters = find('name').filter((name) => name.endsWith('_LIMIT'));
  const named = [...bindings, ...limiters, ...find('queue'), ...find('bucket_name')];
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('a paid request, a run of a monitor, a push and a management call have a sequence each', () => {
  expect(pictures.slice(1).map((picture) => picture.split('\n', 1)[0])).toEqual(Array(4).fill('sequenceDiagram'));
});
