import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { wrapFetchWithPayment } from '@x402/fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { officialClient } from '../../support/stack/official-client.ts';
import { textOf } from '../../support/pages/view-page.ts';

const run = promisify(execFile);
const LONG_MS = 120_000;
/** Commands that wait for our own site are done at once. */
const COMMAND_MS = 20_000;

let stack: Stack;
/** The project of the buyer of the skill, and the skill in it where the page says. */
let project = '';
let skill = '';
let instruction = '';

// What a buyer does: buys, opens the page, downloads what it links, and unpacks it where it says.
beforeAll(async () => {
  stack = await startStack();
  project = mkdtempSync(join(tmpdir(), 'sightline-skill-'));
  const paying = wrapFetchWithPayment(fetch, officialClient(stack.buyer));
  const bought = await paying(`${stack.api.url}/api/agent/generate_skill`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: stack.sites.poor }),
  });
  const { report_id: id } = z.object({ report_id: z.string() }).parse(await bought.json());
  const page = await (await fetch(`${stack.api.url}/reports/${id}`, { headers: { accept: 'text/html' } })).text();
  instruction = textOf(page);
  const [, href = ''] = /<a href="([^"]+)">Download all files \(ZIP\)<\/a>/.exec(page) ?? [];
  const archive = join(project, 'download.zip');
  writeFileSync(archive, await (await fetch(new URL(href, stack.api.url))).bytes());
  const [, folder = ''] = /unpack the ZIP into the skills folder of your agent: (\S+) for/.exec(instruction) ?? [];
  mkdirSync(join(project, folder), { recursive: true });
  await run('python3', ['-m', 'zipfile', '-e', archive, join(project, folder)]);
  const [, found = ''] = /The agent then finds (\S+) ?;/.exec(instruction) ?? [];
  skill = join(project, found);
}, LONG_MS);
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await stack?.stop();
});

const read = (path: string): string => readFileSync(path, 'utf8');
const listDocuments = (): readonly string[] => {
  const references = join(dirname(skill), 'references');
  const more = existsSync(references) ? readdirSync(references).map((name) => join(references, name)) : [];
  return [skill, ...more];
};

test('the page sends no one to publish instructions for an agent', () => {
  expect(instruction).toContain('Do not publish them');
  expect(instruction).not.toContain('root of the site');
});

test('where the page says, there is a skill by the rules of agentskills.io, in a folder of its name', () => {
  const [, matter = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/u.exec(read(skill)) ?? [];
  const { name, description } = z
    .looseObject({
      name: z
        .string()
        .max(64)
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
      description: z.string().min(1).max(1024),
      compatibility: z.string().max(500).optional(),
      metadata: z.record(z.string(), z.string()).optional(),
    })
    .parse(parse(matter));
  expect(name).toBe(basename(dirname(skill)));
  expect(description).toContain('website');
  expect(body.split('\n').length).toBeLessThan(500);
});

test('every file that it links is there', () => {
  const links = listDocuments().flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)]+)\)/gu)].map(([, link = '']) => link),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !existsSync(join(dirname(skill), link)))).toEqual([]);
});

describe('what a task tells the agent to run', () => {
  /** A task as it is written: its title, how to read its data, and how to verify it. */
  type Task = { title: string; data: readonly string[]; verify: readonly string[] };
  const listTasks = (): readonly Task[] =>
    listDocuments()
      .flatMap((path) =>
        read(path)
          .split(/^## Task (?=\d)/mu)
          .slice(1),
      )
      .map((text) => ({
        title: text.split('\n', 1)[0] ?? '',
        data: [...text.matchAll(/`(jq -r [^`]+)`/gu)].map(([, command = '']) => command),
        verify: [...text.matchAll(/```sh\n([^`]+)\n```/gu)].map(([, command = '']) => command),
      }));
  const inSkill = (command: string) => run('sh', ['-c', command], { cwd: dirname(skill), timeout: COMMAND_MS });

  test('gives the data of the task', async () => {
    const tasks = listTasks();
    expect(tasks.length).toBeGreaterThan(10);
    for (const { title, data } of tasks)
      for (const command of data) {
        const { stdout } = await inSkill(command);
        expect({ title, said: stdout.trim() }).toEqual({
          title,
          said: expect.not.stringMatching(/^(?:null)?$/) as string,
        });
      }
  });

  test(
    'asks the audited site and ends well',
    async () => {
      const ends = await Promise.all(
        listTasks().map(async ({ title, verify }) => {
          const [command = ''] = verify;
          const end = await inSkill(command).then(
            ({ stdout }) => (stdout === '' ? 'said nothing' : 'ok'),
            (error: unknown) => String(error),
          );
          return { title, command, count: verify.length, end };
        }),
      );
      expect(ends.filter(({ count, end }) => count !== 1 || end !== 'ok')).toEqual([]);
    },
    LONG_MS,
  );
});
