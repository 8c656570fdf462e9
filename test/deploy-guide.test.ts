import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const guide = read('docs/operate/deploy.md');
const configurations = globSync('wrangler*.toml', { cwd: root, exclude: ['wrangler*.staging.toml'] });
/** A configuration without the tables that other environments have of their own. */
const readProduction = (file: string): string =>
  read(file)
    .split(/^(?=\[)/m)
    .filter((table) => !table.startsWith('[env.staging') && !table.startsWith('[[env.staging'))
    .join('');
const all = configurations.map((file) => readProduction(file).replace(/^[\s\S]+^\[env\.production\]$/m, '')).join('\n');
const listNamed = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];
const sort = (names: readonly string[]): readonly string[] => names.toSorted((a, b) => a.localeCompare(b));

/** What the page's perl line makes of `configuration`: its pattern means the same here, and tests need no perl. */
function makeFirst(configuration: string, page = guide): string {
  const line = page.split('\n').find((one) => one.startsWith('perl -0pe ') && one.includes(` ${configuration} > `));
  const [, pattern = '(?!)'] = /^perl -0pe 's\/(.+)\/\/g' /.exec(line ?? '') ?? [];
  return readProduction(configuration).replaceAll(new RegExp(pattern, 'g'), '');
}

const SERVICES = /\[\[(?:env\.production\.)?services\]\]\nbinding = "(\w+)"/g;

test('the guide creates every bucket and queue that the configurations name, and no other', () => {
  const created = listNamed(guide, /^npx wrangler (?:queues|r2 bucket) create ([\w-]+)/gm);
  const needed = listNamed(all, /^(?:queue|bucket_name|dead_letter_queue) = "([\w-]+)"$/gm);
  expect(needed.length).toBeGreaterThan(4);
  expect(sort(created)).toEqual(sort(needed));
});

test('staging creates the same buckets and queues under names of its own, and its Workers are those of the guide', () => {
  const staging = read('docs/operate/staging.md');
  const create = /^npx wrangler (?:queues|r2 bucket) create ([\w-]+)/gm;
  const renamed = listNamed(guide, create).map((name) => `${name}-staging`);
  expect(listNamed(staging, create)).toEqual(renamed);
  const rules = /^npx wrangler r2 bucket lifecycle add [\w-]+ (.+)$/gm;
  expect(listNamed(staging, rules)).toEqual(listNamed(guide, rules));
  const perl = /^perl -0pe '(.+)' wrangler/gm;
  expect(listNamed(guide, perl)).toHaveLength(2);
  expect(listNamed(staging, perl)).toEqual(listNamed(guide, perl).map((line) => line.replace('production', 'staging')));
});

test('the first api Worker names no other Worker, and is otherwise the same', () => {
  const first = makeFirst('wrangler.toml');
  expect(listNamed(readProduction('wrangler.toml'), SERVICES)).toEqual(['CONTROL_TELEMETRY', 'QUOTAS']);
  expect(listNamed(first, SERVICES)).toEqual([]);
  expect(first).not.toContain('entrypoint');
  for (const section of ['durable_objects.bindings', 'queues.consumers', 'r2_buckets', 'ratelimits', 'migrations'])
    expect(first.split(section).length).toBe(readProduction('wrangler.toml').split(section).length);
});

test('the first control Worker lacks the service of the webhook Worker alone', () => {
  const services = listNamed(readProduction('wrangler.control.toml'), SERVICES);
  expect(services).toContain('CONSOLE_DESK');
  expect(listNamed(makeFirst('wrangler.control.toml'), SERVICES)).toEqual(
    services.filter((name) => name !== 'CONSOLE_DESK'),
  );
});

test('the webhook Worker without a control Worker lacks the service of that one alone', () => {
  const services = listNamed(readProduction('wrangler.webhook.toml'), SERVICES);
  expect(services).toContain('CONTROL_TELEMETRY');
  expect(listNamed(makeFirst('wrangler.webhook.toml', read('docs/operate/webhooks.md')), SERVICES)).toEqual(
    services.filter((name) => name !== 'CONTROL_TELEMETRY'),
  );
});

test('api.env of the guide has every setting that sales need', () => {
  const [, file = ''] = /^umask 077 && cat > api\.env <<END\n([\s\S]+?)\nEND$/m.exec(guide) ?? [];
  expect(listNamed(file, /^(?:# )?([A-Z_]+)=/gm)).toEqual(
    expect.arrayContaining(['PAY_TO', 'RPC_URL', 'FACILITATOR_URL', 'FACILITATOR_AUTHORIZATION', 'LEDGER_SECRET']),
  );
});

test('the guide sets WEBHOOK_URL of the api Worker before the webhook Worker is made, and that of the control Worker after', () => {
  const puts = listNamed(guide, /wrangler secret put (WEBHOOK_URL --\w+)/g);
  expect(puts).toEqual(['WEBHOOK_URL --env', 'WEBHOOK_URL --config']); // The api Worker, then the control Worker.
  const [before = '', after = ''] = guide.split('[Directory notifications](webhooks.md#set-it-up');
  expect(before).toContain('wrangler secret put WEBHOOK_URL --env production');
  expect(after).toContain('wrangler secret put WEBHOOK_URL --config wrangler.control.toml');
});

test('the pages that call `sightline` install it before', () => {
  for (const page of ['docs/operate/deploy.md', 'docs/operate/webhooks.md']) {
    const text = read(page);
    expect(text.indexOf('npm install --global ./dist/package')).toBeGreaterThan(0);
    expect(text.indexOf('npm install --global ./dist/package')).toBeLessThan(text.search(/^(?:\w+=\S+ )?sightline /m));
  }
});

test('its steps are numbered from 1 without gaps, and deploy every Worker', () => {
  const steps = [...guide.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
  expect(steps).toEqual(steps.map((_, at) => at + 1));
  expect(sort(listNamed(guide, /^\| `sightline-\w+` \| `([\w.]+)` \|/gm))).toEqual(sort(configurations));
});

test('files with secrets that the pages write into the clone are ignored by git', () => {
  const pages = globSync('docs/operate/*.md', { cwd: root }).map(read).join('\n');
  const written = [...pages.matchAll(/(?:>|tee|-c|put \w+ <) ([\w-]+\.(?:env|json|txt))\b/g)].map(
    ([, name = '']) => name,
  );
  expect(written).toEqual(expect.arrayContaining(['api.env', 'operator-key.json', 'session.json', 'cookies.txt']));
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', ...new Set(written)], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(sort(stdout.trim().split('\n'))).toEqual(sort([...new Set(written)]));
});
