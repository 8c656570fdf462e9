import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failFrom } from '../../support/cloudflare/faults.ts';
import { runWrangler, type WranglerEnd } from '../../support/cloudflare/run-wrangler.ts';
import { type CloudflareStandIn, startCloudflareStandIn } from '../../support/cloudflare/stand-in.ts';
import { createToyProject, type ToyProject } from '../../support/cloudflare/toy-project.ts';

const STORE = 'https://toy-store.tester.workers.dev';
const CALLER = 'https://toy-caller.tester.workers.dev';
let standIn: CloudflareStandIn;
let project: ToyProject;
let outside: ReturnType<typeof createServer>;

beforeAll(async () => {
  outside = createServer((_, response) => void response.end('from outside'));
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  const address = outside.address();
  const port = typeof address === 'object' ? address?.port : 0;
  standIn = await startCloudflareStandIn({
    zones: ['toys.example'],
    outside: ({ hostname }) => (hostname === 'outside.example' ? `http://127.0.0.1:${port}` : undefined),
  });
  project = createToyProject();
});
afterAll(async () => {
  await standIn.close();
  project.remove();
  outside.close();
});

const wrangler = (args: string, input?: string): Promise<WranglerEnd> =>
  runWrangler(standIn, project.folder, args.split(' '), input);
const read = async (url: string): Promise<unknown> => JSON.parse((await standIn.request(url)).text);
const succeed = async (args: string, input?: string): Promise<string> => {
  const { code, output } = await wrangler(args, input);
  expect(`${code}\n${output}`).toMatch(/^0\n/);
  return output;
};
const fail = async (args: string, text: string): Promise<void> => {
  const { code, output } = await wrangler(args);
  expect(output.replaceAll(/\s+/g, ' ')).toContain(text);
  expect(code).not.toBe(0);
};

/** One account, step by step: each test goes on where the one before ended. */
test('an account without anything refuses what needs something', async () => {
  expect(await succeed('whoami')).toContain(standIn.accountId);
  await fail('deploy -c caller.toml', "Worker 'toy-store' which was not found");
  await fail('secret list --name toy-store', 'Worker "toy-store" not found');
  await fail('r2 bucket lifecycle list toy-files', 'The specified bucket does not exist. [code: 10006]');
});

test('queues and buckets exist once', async () => {
  await succeed('queues create toy-jobs');
  await fail('queues create toy-jobs', '[code: 11009]');
  await succeed('r2 bucket create toy-files');
  await fail('r2 bucket create toy-files', '[code: 10004]');
  expect(await succeed('r2 bucket list')).toContain('toy-files');
  await succeed('r2 bucket lifecycle add toy-files runs runs/ --expire-days 30 --force');
  const rules = await succeed('r2 bucket lifecycle list toy-files');
  expect(rules).toContain('runs/');
  expect(rules).toContain('Default Multipart Abort Rule');
});

test('a Worker is uploaded with its assets, and its consumer waits for the dead-letter queue', async () => {
  await fail('deploy -c store.toml', "Queue 'toy-dead' not found");
  await succeed('queues create toy-dead');
  await succeed('deploy -c store.toml');
  expect(await succeed('queues list')).toContain('toy-dead');
  expect(await read(STORE)).toEqual({
    version: 1,
    secret: null,
    hostname: 'toy-store.tester.workers.dev',
    protocol: 'https:',
  });
  expect(await standIn.request(`${STORE}/page.txt`)).toMatchObject({ status: 200, text: 'a static page' });
  expect((await standIn.request('https://nothing.tester.workers.dev/')).status).toBe(404);
});

test('objects, bucket, queue, cron, limits, services and the network work', async () => {
  await succeed('deploy -c caller.toml');
  expect(await read(`${STORE}/add`)).toBe(1);
  expect((await standIn.request(`${STORE}/put`)).text).toBe('put');
  expect((await standIn.request(`${STORE}/outside`)).text).toBe('from outside');
  expect(await read(`${STORE}/limit`)).toEqual({ success: true });
  expect(await read(`${STORE}/limit`)).toEqual({ success: false });
  await standIn.cron('toy-store');
  expect((await standIn.request(`${STORE}/send`)).text).toBe('sent');
  await expect.poll(() => read(CALLER)).toMatchObject({ http: 1, queue: 1, cron: 1, own: { version: 1 } });
});

test('secrets make versions, and their text is shown nowhere', async () => {
  await succeed('secret bulk -c store.toml', JSON.stringify({ SECRET: 'a text', OTHER: 'another' }));
  await succeed('secret put OTHER -c store.toml', 'changed');
  expect(await read(STORE)).toMatchObject({ secret: 'a text' });
  const shown = await succeed('secret list -c store.toml');
  expect(shown).toContain('OTHER');
  expect(shown).not.toContain('changed');
  project.write('store.toml', (text) => `${text}[secrets]\nrequired = ["SECRET", "MISSING"]\n`);
  await fail('deploy -c store.toml', 'The following required secrets have not been set: MISSING');
  project.write('store.toml', (text) => text.replace(', "MISSING"', ''));
});

test('data outlives a new version and a rollback', async () => {
  project.write('store.js', (text) => text.replace('version: 1', 'version: 2'));
  await succeed('deploy -c store.toml');
  expect(await read(STORE)).toMatchObject({ version: 2, secret: 'a text' });
  expect(await read(`${STORE}/add`)).toBe(2);
  await succeed('rollback -c store.toml --yes --message back');
  expect(await read(STORE)).toMatchObject({ version: 1 });
  expect(await read(`${STORE}/add`)).toBe(3);
  expect((await standIn.request(`${STORE}/get`)).text).toBe('in the bucket');
  expect(await succeed('versions list -c store.toml')).toContain('Secret Change');
  expect(await succeed('deployments list -c store.toml')).toContain('back');
});

test('migrations go on from the tag that was applied, and no rollback goes behind one', async () => {
  const before = JSON.parse(await succeed('versions list -c store.toml --json')) as { id: string }[];
  const migration = (tag: string, classes: string) =>
    `[[migrations]]\ntag = "${tag}"\nnew_sqlite_classes = ${classes}\n`;
  project.write('store.toml', (text) => `${text}${migration('v2', '["Second"]')}`);
  await fail('deploy -c store.toml', "class 'Second' that is not exported by script. [code: 10070]");
  project.write('store.js', (text) => `${text}export class Second extends DurableObject {}\n`);
  await succeed('deploy -c store.toml');
  await fail(`rollback ${before.at(-1)?.id} -c store.toml --yes --message back`, 'migration was applied after it');
  project.write('store.toml', (text) => text.replace('"v2"', '"other"'));
  await fail('deploy -c store.toml', 'already depended on by existing Durable Objects [code: 10074]');
  project.write('store.toml', (text) => text.replace('"other"', '"v2"'));
  project.write('store.js', (text) => text.replace('export class Second', 'class Second'));
  await fail('deploy -c store.toml', "does not export class 'Second'");
  project.write('store.js', (text) => text.replace('class Second', 'export class Second'));
});

test('a domain belongs to a zone of the account', async () => {
  const withRoute = (host: string) => `routes = [{ pattern = "${host}", custom_domain = true }]\n`;
  project.write('caller.toml', (text) => `${withRoute('a.other.example')}${text}`);
  await fail('deploy -c caller.toml', 'zone_not_found for "a.other.example" [code: 10083]');
  project.write('caller.toml', (text) => text.replace('a.other.example', 'a.toys.example'));
  await succeed('deploy -c caller.toml');
  expect(await read('https://a.toys.example/')).toMatchObject({ http: 3 });
});

test('faults hit the call that they name: before it had effect or after', async () => {
  standIn.forgetCalls();
  standIn.setFaults(failFrom(1, '429 before', 1));
  await fail('queues create toy-more', 'Retry-After');
  expect(standIn.account.queues.some(({ queue_name }) => queue_name === 'toy-more')).toBe(false);
  standIn.forgetCalls();
  standIn.setFaults(failFrom(1, 'cut after', 1));
  await fail('queues create toy-more', 'fetch failed');
  expect(standIn.account.queues.some(({ queue_name }) => queue_name === 'toy-more')).toBe(true);
  standIn.setFaults(undefined);
  standIn.forgetCalls();
  await succeed('queues list');
  expect(standIn.calls.map(({ method, isWrite }) => [method, isWrite])).toEqual([['GET', false]]);
});

test('what is in use cannot be deleted', async () => {
  await fail('delete --name toy-store --force', 'consumer for a Queue');
  await fail('queues delete toy-dead', 'serves as dead letter queue');
  await succeed('delete --name toy-caller --force');
  expect([...standIn.hosts().keys()]).toEqual(['toy-store.tester.workers.dev']);
});
