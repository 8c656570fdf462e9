import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { micromark } from 'micromark';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { type Sites, startSites } from '../local/sites/sites.ts';
import { formats } from '../src/cli/audit/formats.ts';

const root = join(import.meta.dirname, '..');
const LONG_MS = 120_000;

const action = z
  .object({
    inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
    outputs: z.record(z.string(), z.object({ description: z.string() })),
    runs: z.object({ using: z.literal('node24'), main: z.string() }),
  })
  .parse(parse(readFileSync(join(root, 'action.yml'), 'utf8')));

let folder = '';
let server: Server;
let origin = '';
let sites: Sites;
type Comment = { id: number; body: string; user: { type: string } };
/** What the stand-in for GitHub has, and what it was asked. */
const gitHub = { comments: [] as Comment[], status: 200, asked: [] as string[], tokens: new Set<string>() };

const TOKEN = 'ghs_secret_of_the_job';
const PULL_REQUEST = 7;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-action-'));
  // The action as it is checked out, without anything built.
  cpSync(join(root, 'scripts/action'), join(folder, 'checkout/scripts/action'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'checkout/package.json'));
  pack('fake.tgz', (at) => writeFileSync(join(at, 'cli.js'), FAKE));
  writeFileSync(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: PULL_REQUEST } }));
  [server, sites] = [createServer(answerAsGitHub), await startSites()];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, LONG_MS);
afterAll(async () => {
  await sites.stop();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  Object.assign(gitHub, { comments: [], status: 200, asked: [], tokens: new Set() });
});

/** Stands in for the command line: records how it was called, and ends as it is asked to. */
const FAKE = `
const fs = require('node:fs');
const words = process.argv.slice(2);
fs.appendFileSync(process.env.CALLS, JSON.stringify({ words, env: process.env }) + '\\n');
const read = (name) => words.find((word) => word.startsWith('--' + name + '='))?.slice(name.length + 3);
if (words[0] === 'audit') {
  fs.writeFileSync(read('output'), 'report');
  fs.writeFileSync(read('snapshot'), '{}');
  process.stderr.write(process.env.SAYS ?? '');
} else process.stdout.write(process.env.RESULT ?? '{}');
process.exit(words[0] === 'audit' ? Number(process.env.END ?? 0) : 0);
`;

function pack(name: string, fill: (at: string) => void): void {
  const at = join(folder, `${name}-content`);
  mkdirSync(join(at, 'package'), { recursive: true });
  fill(join(at, 'package'));
  execFileSync('tar', ['-czf', join(folder, name), '-C', at, 'package']);
}

function answerAsGitHub(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '';
  gitHub.asked.push(`${request.method} ${url}`);
  gitHub.tokens.add(request.headers.authorization ?? '');
  if (url.includes('/releases/')) {
    if (url === '/acme/sightline/releases/download/v1/sightline-cli.tgz')
      response.end(readFileSync(join(folder, 'fake.tgz')));
    else response.writeHead(404).end();
    return;
  }
  let text = '';
  request.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  request.on('end', () => {
    if (gitHub.status !== 200) return void response.writeHead(gitHub.status).end('{}');
    const { body } = text === '' ? { body: '' } : z.object({ body: z.string() }).parse(JSON.parse(text));
    const [, id] = /\/comments\/(\d+)$/.exec(url) ?? [];
    const known = gitHub.comments.find((one) => one.id === Number(id));
    if (request.method === 'PATCH' && known) known.body = body;
    if (request.method === 'POST')
      gitHub.comments.push({ id: gitHub.comments.length + 1, body, user: { type: 'Bot' } });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.method === 'GET' ? gitHub.comments : {}));
  });
}

type Ran = {
  status: number | null;
  out: string;
  outputs: Record<string, string>;
  summary: string;
  calls: { words: string[]; env: Record<string, string> }[];
  at: string;
};

/** Runs the action as the runner does: inputs as variables, files for outputs and summary, a folder of the job. */
async function runAction(
  inputs: Record<string, string>,
  more: NodeJS.ProcessEnv = {},
  { config, checkout = join(folder, 'checkout') }: { config?: object; checkout?: string } = {},
): Promise<Ran> {
  const at = mkdtempSync(join(folder, 'job-'));
  if (config !== undefined) writeFileSync(join(at, 'sightline.config.json'), JSON.stringify(config));
  const given = Object.fromEntries(
    Object.entries(action.inputs).map(([name, row]) => [
      `INPUT_${name.toUpperCase()}`,
      inputs[name] ?? (name === 'github-token' ? TOKEN : row.default),
    ]),
  );
  const env = {
    PATH: process.env['PATH'],
    RUNNER_TEMP: at,
    CALLS: join(at, 'calls'),
    GITHUB_OUTPUT: join(at, 'outputs'),
    GITHUB_STEP_SUMMARY: join(at, 'summary'),
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_REPOSITORY: 'acme/site',
    GITHUB_WORKFLOW: 'Visibility',
    GITHUB_JOB: 'audit',
    GITHUB_API_URL: `${origin}/api`,
    GITHUB_SERVER_URL: origin,
    GITHUB_ACTION_REPOSITORY: 'acme/sightline',
    GITHUB_ACTION_REF: 'v1',
    ...given,
    ...more,
  };
  const child = spawn(process.execPath, [join(checkout, action.runs.main)], { cwd: at, env });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      out += piece.toString();
    });
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const read = (name: string): string => (existsSync(join(at, name)) ? readFileSync(join(at, name), 'utf8') : '');
  const outputs = Object.fromEntries(
    [...read('outputs').matchAll(/^(\w+)<<(.+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
  ) as Record<string, string>;
  const calls = read('calls')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Ran['calls'][number]);
  return { status, out, outputs, summary: read('summary'), calls, at };
}

/** Lines that the runner would obey. */
function listCommands(out: string): string[] {
  const obeyed: string[] = [];
  let stopped: string | undefined;
  for (const line of out.split('\n')) {
    const [, token] = /^::stop-commands::(.+)$/.exec(line) ?? [];
    if (stopped !== undefined && line === `::${stopped}::`) stopped = undefined;
    else if (stopped === undefined && token !== undefined) stopped = token;
    else if (stopped === undefined && line.startsWith('::')) obeyed.push(line);
  }
  return obeyed;
}

const result = (scores: Record<string, number>, title = 'Add a sitemap'): string =>
  JSON.stringify({
    scores: Object.fromEntries(
      Object.entries(scores).map(([name, score]) => [
        name,
        { score, grade: 'B', checks: [{ id: 'x', status: 'fail' }] },
      ]),
    ),
    summary: { fixes: [{ title, fix: 'Generate it.', gains: { aeo: 4 } }] },
  });

describe('the GitHub Action', () => {
  test('says in action.yml what it does: its outputs, and a format that the command line knows', async () => {
    const { outputs } = await runAction({ url: 'a.example' }, { RESULT: result({ aeo: 80 }) });
    expect(Object.keys(outputs).toSorted()).toEqual(Object.keys(action.outputs).toSorted());
    expect(formats.map(({ name }) => name)).toContain(action.inputs['format']?.default);
  });

  test('takes the packed command line of the release that it is used at, and audits with the options given', async () => {
    const inputs = {
      url: 'https://acme.example/',
      'min-score': 'aeo=80',
      baseline: 'b.json',
      rubric: '3',
      profile: 'docs',
      'max-pages': '3',
      format: 'md',
      report: 'out.md',
    };
    const { calls, outputs, status } = await runAction(inputs, { RESULT: result({ aeo: 91, mcp: 40 }) });
    expect(status).toBe(0);
    expect(gitHub.asked[0]).toBe('GET /acme/sightline/releases/download/v1/sightline-cli.tgz');
    const given = calls[0]?.words.filter((word) => !word.startsWith('--snapshot='));
    expect(given).toEqual([
      'audit',
      '--min-score=aeo=80',
      '--baseline=b.json',
      '--rubric=3',
      '--profile=docs',
      '--max-pages=3',
      '--format=md',
      '--output=out.md',
      '--quiet',
      '--',
      'https://acme.example/',
    ]);
    expect(outputs).toEqual({ aeo: '91', geo: '', agent: '', mcp: '40', passed: 'true', report: 'out.md' });
  });

  test('hands its token to GitHub only', async () => {
    const { calls } = await runAction({ url: 'x' });
    for (const { env } of calls) expect(Object.values(env).filter((value) => value.includes(TOKEN))).toEqual([]);
    expect([...gitHub.tokens].toSorted()).toEqual(['', `Bearer ${TOKEN}`]);
  });

  test.each([1, 2, 3])('ends as the command line ended: %i', async (end) => {
    const { status, outputs, summary } = await runAction(
      { url: 'x' },
      { END: String(end), SAYS: 'Below the minimum\n' },
    );
    expect({ status, passed: outputs['passed'] }).toEqual({ status: end, passed: 'false' });
    expect(summary).toContain('Below the minimum');
  });

  test.each(['"; touch pwned; "', '$(touch pwned)', '`touch pwned`', '--json', '-x'])(
    'hands on %j as words after the options',
    async (url) => {
      const { calls, at } = await runAction({ url });
      const words = calls.filter(({ words: [command] }) => command === 'audit').map(({ words: all }) => all.at(-1));
      expect(words).toEqual(url.split(' '));
      for (const { words: all } of calls) expect(all.at(-2)).toBe('--');
      expect(existsSync(join(at, 'pwned'))).toBe(false);
    },
  );

  test('audits the sites of sightline.config.json, each with a report, and shows the lowest scores', async () => {
    const { calls, outputs } = await runAction(
      {},
      { RESULT: result({ geo: 55 }) },
      { config: { urls: ['a.example', 'b.example'] } },
    );
    expect(calls.filter(({ words: [command] }) => command === 'audit').map(({ words }) => words.at(-1))).toEqual([
      'a.example',
      'b.example',
    ]);
    expect(outputs).toMatchObject({ geo: '55', report: 'sightline-report.sarif\nsightline-report-2.sarif' });
  });

  test.each([
    [{ url: 'a.example b.example', baseline: 'b.json' }, undefined],
    [{}, { urls: ['a.example', 'b.example'], baseline: 'b.json' }],
  ])('holds no two sites against one baseline: %j %j', async (inputs: Record<string, string>, config) => {
    const { status, out, calls } = await runAction(inputs, {}, config === undefined ? {} : { config });
    expect([status, calls]).toEqual([2, []]);
    expect(listCommands(out)).toEqual([expect.stringContaining('A baseline is a report of one site')]);
  });

  test('hands one site of several over, whose baseline the command line holds', async () => {
    const config = { urls: ['a.example', 'b.example'], baseline: 'b.json' };
    expect((await runAction({ url: 'a.example' }, {}, { config })).status).toBe(0);
  });

  test('without a site it says what to set', async () => {
    const { status, out } = await runAction({});
    expect(status).toBe(2);
    expect(listCommands(out)).toEqual([expect.stringMatching(/^::error::There is no site.*sightline\.config\.json/)]);
  });

  test('without a built command line it says what to use', async () => {
    const { status, out } = await runAction({ url: 'x' }, { GITHUB_ACTION_REF: 'main' });
    expect(status).toBe(2);
    expect(out).toContain('release tag');
  });

  test('obeys nothing that the command line quotes', async () => {
    const { out } = await runAction(
      { url: 'x' },
      { SAYS: '::error::from the site\n::add-mask::a\n::stop-commands::guess\n', END: '1' },
    );
    expect(out).toContain('::error::from the site');
    expect(listCommands(out)).toEqual([]);
  });
});

test('docs/guides/ci-gate.md names every input and output, and its workflow uses only those', () => {
  const guide = readFileSync(join(root, 'docs/guides/ci-gate.md'), 'utf8');
  const names = [...Object.keys(action.inputs), ...Object.keys(action.outputs)];
  expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  const [, workflow = ''] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
  const step = z.object({
    uses: z.string().optional(),
    with: z.record(z.string(), z.unknown()).optional(),
    'continue-on-error': z.string().optional(),
  });
  const { jobs } = z.object({ jobs: z.record(z.string(), z.object({ steps: z.array(step) })) }).parse(parse(workflow));
  const used = jobs['audit']?.steps.find(({ uses }) => uses?.includes('sightline@'));
  expect(Object.keys(used?.with ?? {}).filter((name) => !(name in action.inputs))).toEqual([]);
  // A pull request from a fork may not upload: that is no failure of the job.
  const upload = jobs['audit']?.steps.find(({ uses }) => uses?.includes('upload-sarif@'));
  expect(upload?.['continue-on-error']).toContain("== 'pull_request'");
  const outputs = [...workflow.matchAll(/steps\.sightline\.outputs\.([\w-]+)/g)].map(([, name = '']) => name);
  expect(outputs.length).toBeGreaterThan(1);
  expect(outputs.filter((name) => !(name in action.outputs))).toEqual([]);
});

describe('the comment of a pull request', () => {
  test('is written once and updated from then on; a comment of a person with our marker is left alone', async () => {
    await runAction({ url: 'a.example' }, { RESULT: result({ aeo: 40 }) });
    expect(gitHub.comments).toHaveLength(1);
    const [first] = gitHub.comments;
    expect(first?.body).toContain('| AI search visibility (AEO) | 40 | B |');
    const marker = first?.body.split('\n')[0] ?? '';
    gitHub.comments.unshift({ id: 99, body: `${marker}\nby a person`, user: { type: 'User' } });
    await runAction({ url: 'a.example' }, { RESULT: result({ aeo: 77 }) });
    expect(gitHub.comments).toHaveLength(2);
    expect(gitHub.comments[0]?.body).toContain('by a person');
    expect(gitHub.comments[1]?.body).toContain('| AI search visibility (AEO) | 77 | B |');
  });

  test('without the permission the job goes on, and says which one it needs', async () => {
    gitHub.status = 403;
    const { status, out } = await runAction({ url: 'x', package: join(folder, 'fake.tgz') });
    expect(status).toBe(0);
    expect(out).toContain('pull-requests: write');
  });

  test.each([
    ['comment is false', { comment: 'false' }, {}],
    ['there is no pull request', {}, { GITHUB_EVENT_PATH: '/nowhere' }],
    ['there is no token', { 'github-token': '' }, {}],
  ] as const)('is not written where %s', async (_why, inputs, env) => {
    const { status } = await runAction({ url: 'x', ...inputs }, env);
    expect(status).toBe(0);
    expect(gitHub.asked.filter((one) => one.includes('/api/'))).toEqual([]);
  });

  test('X7: nothing of a site is markup, a link or a mention in it, nor in the job summary', async () => {
    const attack =
      '![x](https://tracker.example/p.png) <img src=x> @octocat #1 https://auto.example `code` | cell\n# heading\n```\n<b>';
    const { summary } = await runAction(
      { url: 'http://x/`](https://evil.example)' },
      { RESULT: result({ aeo: 40 }, attack), SAYS: `${attack}\n`, END: '1' },
    );
    const [comment] = gitHub.comments;
    for (const text of [summary, comment?.body ?? '']) {
      expect(text.length).toBeGreaterThan(100);
      const html = micromark(text.replace(/^<!--.*-->/, ''), {
        extensions: [gfm()],
        htmlExtensions: [gfmHtml()],
        allowDangerousHtml: true,
      });
      const outside = html.replaceAll(/<code[^>]*>[^<]*<\/code>/g, '');
      expect(outside).not.toMatch(/<(?:a|img|b|h1)\b|@octocat|#1/);
    }
  });
});

test(
  'with the real command line a step has scores, a summary, a report and a comment',
  async () => {
    // The built command line of this checkout.
    const { status, outputs, summary, at } = await runAction(
      { url: sites.poor, 'min-score': 'aeo=90' },
      {},
      { checkout: root },
    );
    expect(gitHub.asked.filter((one) => one.includes('/releases/'))).toEqual([]);
    expect(status).toBe(1);
    expect(outputs).toMatchObject({ passed: 'false', mcp: '', report: 'sightline-report.sarif' });
    expect(Number(outputs['aeo'])).toBeGreaterThan(0);
    expect(summary).toMatch(/\| MCP readiness \| does not apply \|/);
    expect(summary).toMatch(/\*\*Fix first\*\*\n\n1\. \*\*/);
    expect(summary).toContain('Below the minimum: aeo');
    const log = JSON.parse(readFileSync(join(at, 'sightline-report.sarif'), 'utf8')) as {
      runs: { results: object[] }[];
    };
    expect(log.runs[0]?.results.length).toBeGreaterThan(10);
    expect(gitHub.comments[0]?.body).toContain('Below the gate');
  },
  LONG_MS,
);
