import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { reservePort } from '../../../local/ports.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { visibilityFixResult } from '../../../src/capabilities/visibility-results.ts';
import { buildPrompts } from '../../../src/visibility/run/prompts.ts';
import {
  type ChatReply,
  type ChatServer,
  crowdOf,
  SERVER_SECRET,
  startChatServer,
} from '../../support/stack/chat-server.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const MAX_OUTPUT_BYTES = 20_000_000;
const KEY = 'sk-of-the-person-at-this-machine';
const about = ['--brand', 'Acme', '--niche', 'help desk software'] as const;
const simulated = [...about, '--engine', 'simulated'] as const;
const unreachable = [...about, '--engine', 'openai-compatible', '--model', 'a-model'] as const;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-visibility-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the built command line as a program, with no settings; servers live in this process, so it must not block. */
const started = (args: readonly string[], cwd: string): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { cwd, env: {}, maxBuffer: MAX_OUTPUT_BYTES }, (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

/** Runs the command line with no settings but these. */
const sightline = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCli(args, { cwd: folder, env });
const visibility = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  sightline(['visibility', ...args], env);

const done = { status: 0, err: '' };

/** The result of a run that went well, exactly as the catalogue's row says. */
function resultOf({ status, out, err }: Ended, name = 'visibility_check'): Record<string, unknown> {
  expect({ status, err }).toEqual(done);
  const row = findCapability(name);
  if (!row) throw new Error('no such row');
  const result = JSON.parse(out) as Record<string, unknown>;
  const printed = z.strictObject({
    ...row.result.shape,
    capability: z.literal(name),
    fixes: visibilityFixResult.shape.fixes.optional(),
    draft: visibilityFixResult.shape.draft,
    filled: visibilityFixResult.shape.filled,
    warnings: z.array(z.string()),
  });
  expect(printed.parse(result)).toEqual(result);
  return result;
}

/** A transcript file with one line for each of these prompts. */
function transcripts(textOf: (index: number) => string, count = 30): string {
  const lines = buildPrompts('x')
    .slice(0, count)
    .map(({ id, index }) => JSON.stringify({ id, text: textOf(index), model: 'kept-model' }));
  writeFileSync(join(folder, 'answers.jsonl'), `${lines.join('\n')}\n`);
  return 'answers.jsonl';
}
const recorded = (file: string): readonly string[] => [...about, '--engine', 'recorded', '--answers', file];
const plain = (): string => '1. **Acme**: fine.\n2. **Rival One**: fine too.';

describe('with the simulated engine', () => {
  test('measures what is true of its market, and says that nobody was asked', async () => {
    const args = [...simulated, '--simulate', 'Acme=1,Beta Corp=0,Gamma=0.5', '--json'];
    const result = resultOf(await visibility(args));
    expect(result).toMatchObject({
      brand: 'Acme',
      niche: 'help desk software',
      mention_rate: { value: 1, n: 30 },
      engine: { kind: 'simulated', simulated: true },
      prompts: { valid: 30, total: 30 },
      warnings: [expect.stringContaining('simulated engine')],
    });
    const rivals = (result['rivals'] as { name: string }[]).map(({ name }) => name);
    expect(rivals).toContain('Gamma');
    expect(rivals).not.toContain('Beta Corp');
  });

  test('compares two brands on the same answers', async () => {
    const args = [...simulated, '--competitor', 'Beta Corp', '--simulate', 'Acme=1,Beta Corp=0', '--json'];
    expect(resultOf(await visibility(args), 'visibility_vs_competitor')).toMatchObject({
      competitor_brand: 'Beta Corp',
      verdict: 'brand',
      discordant: { brand_only: 30, competitor_only: 0, both: 0, neither: 0 },
    });
  });

  test('gives the same answers for the same seed, others for another, and every run an id of its own', async () => {
    const hashOf = async (seed: string) => {
      const { run_id, transcripts_sha256 } = resultOf(await visibility([...simulated, '--seed', seed, '--json']));
      return { run_id, transcripts_sha256 };
    };
    const [one, again, other] = [await hashOf('a'), await hashOf('a'), await hashOf('b')];
    expect(again.transcripts_sha256).toBe(one.transcripts_sha256);
    expect(other.transcripts_sha256).not.toBe(one.transcripts_sha256);
    expect(new Set([one, again, other].map(({ run_id }) => run_id)).size).toBe(3);
  });

  test('takes its settings from the environment too', async () => {
    const env = { ANSWER_ENGINE: 'simulated', ANSWER_ENGINE_BRANDS: 'Acme=0,Gamma=1' };
    expect(resultOf(await visibility([...about, '--json'], env))).toMatchObject({
      mention_rate: { value: 0 },
      rivals: [{ name: 'Gamma', mentioned: 30 }],
    });
  });

  test('prints a report for people: every rate with its interval, the rivals, the weak spots', async () => {
    const { status, out, err } = await visibility([...simulated, '--simulate', 'Acme=0,Gamma=1']);
    expect({ status, err }).toEqual(done);
    expect(out).toMatch(/^Acme in answers about help desk software\n30 of 30 prompts answered by simulated/);
    expect(out).toMatch(/^! simulated engine/m);
    expect(out).toMatch(/^Mentioned +0 % {2}\(95 %: 0 % to 11 %, n 30\)$/m); // Wilson: 0 of 30 is 0 to 11.4 %.
    expect(out).toMatch(/^ {2}Gamma: 30, \d+$/m);
    expect(out).toMatch(/^Weak spots:\n {2}.+: Gamma named more often in these five$/m);
  });

  test('prints a verdict for people', async () => {
    const args = [...simulated, '--competitor', 'Beta Corp', '--simulate', 'Acme=1,Beta Corp=0'];
    const { out } = await visibility(args);
    expect(out).toMatch(/^Verdict: Acme \(p [0-9.e-]+; only Acme 30, only Beta Corp 0\)$/m);
    expect(out).toMatch(/^-- Acme$/m);
    expect(out).toMatch(/^-- Beta Corp$/m);
  });
});

describe('--fixes', () => {
  test.each<[string, readonly string[]]>([
    ['one brand', []],
    ['two brands', ['--competitor', 'Gamma']],
  ])('of %s adds the fix pack for the weak spots just found', async (_what, more) => {
    const name = more.length === 0 ? 'visibility_check' : 'visibility_vs_competitor';
    const ended = await visibility([...simulated, ...more, '--simulate', 'Acme=0.2,Gamma=0.9', '--fixes', '--json']);
    const result = resultOf(ended, name) as {
      fixes: { topic: string }[];
      weak_spots?: { topic: string }[];
      brands?: { brand: { weak_spots: { topic: string }[] } };
    };
    const spots = result.weak_spots ?? result.brands?.brand.weak_spots ?? [];
    expect(spots.length).toBeGreaterThan(0);
    expect(result.fixes.map(({ topic }) => topic)).toEqual(spots.map(({ topic }) => topic));
  });

  test('are printed for people too, with the slots to fill', async () => {
    const args = [...simulated, '--simulate', 'Acme=0,Gamma=1'];
    const [without, with_] = [await visibility(args), await visibility([...args, '--fixes'])];
    expect(without.out).not.toContain('[FACT NEEDED');
    expect(with_).toMatchObject(done);
    expect(with_.out.match(/^-- Fix: .+$/gm)?.length).toBeGreaterThan(0);
    expect(with_.out).toMatch(/^For \/llms\.txt:\n## Acme/m);
    expect(with_.out).toContain('[FACT NEEDED: ');
  });
});

describe('with answers from a file', () => {
  test('measures them and says that nobody was asked now', async () => {
    const result = resultOf(await visibility([...recorded(transcripts(plain)), '--json']));
    expect(result).toMatchObject({
      mention_rate: { value: 1, n: 30 },
      rivals: [{ name: 'Rival One', mentioned: 30 }],
      engine: { kind: 'recorded', simulated: true, served_models: ['kept-model'] },
      warnings: [expect.stringContaining('recorded engine')],
    });
  });

  test('finds the file by ANSWER_ENGINE_FILE as the local stack does; an argument goes before it', async () => {
    const env = { ANSWER_ENGINE: 'recorded', ANSWER_ENGINE_FILE: transcripts(plain) };
    expect(resultOf(await visibility([...about, '--json'], env))).toMatchObject({ mention_rate: { value: 1 } });
    writeFileSync(
      join(folder, 'other.jsonl'),
      readFileSync(join(folder, 'answers.jsonl'), 'utf8').replaceAll('Acme', 'Mono'),
    );
    expect(resultOf(await visibility([...about, '--json', '--answers', 'other.jsonl'], env))).toMatchObject({
      mention_rate: { value: 0 },
    });
  });

  test('24 of them are degraded, 23 no measurement: exit 3 and no result', async () => {
    expect(resultOf(await visibility([...recorded(transcripts(plain, 24)), '--json']))).toMatchObject({
      degraded: true,
      mention_rate: { n: 24 },
    });
    const { status, out, err } = await visibility([...recorded(transcripts(plain, 23)), '--json']);
    expect({ status, out }).toEqual({ status: 3, out: '' });
    expect(JSON.parse(err)).toMatchObject({
      reason: 'measurement_incomplete',
      message: expect.stringMatching(/23 of 30 prompts were answered.*refused 7/),
      exit: 3,
    });
  });
});

describe('with an API that speaks OpenAI chat completions', () => {
  let server: ChatServer;
  let reply: (prompt: string, nth: number) => ChatReply | Promise<ChatReply>;
  beforeAll(async () => {
    server = await startChatServer({ reply: (prompt, nth) => reply(prompt, nth) });
  });
  beforeEach(() => {
    reply = () => ({ kind: 'say', text: plain() });
  });
  afterAll(() => server.stop());

  /** A run against the server, and the requests that it made. */
  async function asking(args: readonly string[], env: Record<string, string> = {}) {
    const before = server.requests.length;
    const ended = await visibility([...about, '--engine', 'openai-compatible', ...args], env);
    return { ended, requests: server.requests.slice(before) };
  }
  const named = (): readonly string[] => ['--url', server.url, '--model', 'asked-model'];

  test('asks 30 prompts, six at a time, that hold the niche and no brand, and nothing beside them', async () => {
    const crowd = crowdOf(6);
    reply = async () => {
      await crowd.join();
      return { kind: 'say', text: plain(), citations: ['https://www.third.example/a'] };
    };
    const { ended, requests } = await asking([...named(), '--competitor', 'Rival One', '--json']);
    expect(resultOf(ended, 'visibility_vs_competitor')).toMatchObject({
      verdict: 'too_close_to_call',
      discordant: { both: 30 },
      engine: {
        kind: 'openai-compatible',
        model: 'asked-model',
        served_models: ['served-model-1'],
        simulated: false,
      },
      warnings: [],
      brands: { brand: { sources: [{ domain: 'third.example', answers: 30 }] } },
    });
    expect(requests).toHaveLength(30);
    expect(crowd.most()).toBe(6);
    const texts = requests.map(({ body }) => {
      const { messages, model, max_tokens } = body as Record<string, unknown>;
      expect({ model, enough: Number(max_tokens) >= 1200 }).toEqual({ model: 'asked-model', enough: true });
      expect(messages).toEqual([{ role: 'user', content: expect.stringContaining('help desk software') }]);
      return JSON.stringify(messages);
    });
    expect(new Set(texts).size).toBe(30);
    expect(texts.join('\n')).not.toMatch(/acme|rival/i);
  });

  test('X9: sends the key of the environment, and shows it nowhere', async () => {
    const { ended, requests } = await asking([...named(), '--json', '--snapshot', 'kept.json'], {
      ANSWER_ENGINE_KEY: KEY,
    });
    resultOf(ended);
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));
    expect(ended.out).not.toContain(KEY);
    expect(readFileSync(join(folder, 'kept.json'), 'utf8')).not.toContain(KEY);
  });

  test('takes no key as an argument, where every process could read it', async () => {
    const { ended, requests } = await asking([...named(), '--key', KEY]);
    expect(ended.status).toBe(2);
    expect(ended.err).toContain('Unknown option --key.');
    expect(requests).toEqual([]);
  });

  test('asks without a key where there is none, at the address of the environment', async () => {
    const env = { ANSWER_ENGINE_URL: server.url, ANSWER_ENGINE_MODEL: 'of-the-environment' };
    const { ended, requests } = await asking(['--json'], env);
    expect(resultOf(ended)).toMatchObject({ engine: { model: 'of-the-environment' } });
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
  });

  test('asks again what was busy', async () => {
    const first = new Set<string>();
    reply = (prompt) => {
      if (first.size < 3 && !first.has(prompt)) {
        first.add(prompt);
        return { kind: 'status', status: 503 };
      }
      return { kind: 'say', text: plain() };
    };
    const { ended, requests } = await asking([...named(), '--json']);
    expect(resultOf(ended)).toMatchObject({ prompts: { valid: 30 }, failures: { total: 0 } });
    expect(requests).toHaveLength(33);
  });

  test.each<[string, ChatReply, string]>([
    ['refuses the key', { kind: 'status', status: 401 }, 'the engine refused the key (unauthorized: status 401)'],
    [
      'does not know the model',
      { kind: 'status', status: 404 },
      'the engine refused the request (refused: status 404)',
    ],
    ['answers no JSON', { kind: 'raw', body: '<html>' }, 'invalid_response: '],
  ])('that %s is exit 3 with the reason, in words of ours', async (_what, answer, reason) => {
    reply = () => answer;
    const { ended, requests } = await asking([...named(), '--json'], { ANSWER_ENGINE_KEY: KEY });
    expect({ status: ended.status, out: ended.out }).toEqual({ status: 3, out: '' });
    expect(ended.err).toContain(`The engine at ${new URL(server.url).origin} did not answer the first prompt`);
    expect(ended.err).toContain(reason);
    expect(ended.err).not.toContain(SERVER_SECRET);
    expect(ended.err).not.toContain(KEY);
    expect(requests).toHaveLength(1); // What will not pass is asked neither again nor of the other prompts.
  });
});

describe('--snapshot', () => {
  test.each<[string, readonly string[]]>([
    ['one brand', []],
    ['two brands', ['--competitor', 'Sample Support']],
  ])('of %s replays to the same bytes, as JSON and for people', async (_what, more) => {
    const args = ['--brand', 'Example Desk', '--niche', 'help desk software', '--engine', 'simulated', ...more];
    const measured = await visibility([...args, '--snapshot', 'kept.json', '--json']);
    expect(measured).toMatchObject(done);
    expect(await sightline(['replay', 'kept.json', '--json'])).toEqual(measured);
    expect(await sightline(['replay', 'kept.json', '--format', 'json'])).toEqual(measured);
    const text = await sightline(['replay', 'kept.json']);
    expect(text).toMatchObject(done);
    expect(text.out).toContain((JSON.parse(measured.out) as { run_id: string }).run_id);
    expect(text.out).toMatch(/^Example Desk in answers about help desk software\n/);
  });

  test('with --fixes replays to the result without the fix pack', async () => {
    const measured = resultOf(await visibility([...simulated, '--fixes', '--snapshot', 'kept.json', '--json']));
    const { fixes, draft: _draft, filled: _filled, ...rest } = measured;
    expect(fixes).toBeDefined();
    expect(resultOf(await sightline(['replay', 'kept.json', '--json']))).toEqual(rest);
  });

  test.each([
    ['--snapshot', 'no/such/folder.json', 'ENOENT'],
    ['--output', 'no/such/report.json', 'ENOENT'],
    ['--output', '.', 'EISDIR'],
  ])('%s %s that cannot be written is refused before the engine is asked', async (option, file, code) => {
    const { status, out, err } = await visibility([...simulated, '--json', option, file]);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(JSON.parse(err)).toMatchObject({
      reason: 'file_unwritable',
      message: `${file} cannot be written (${code}).`,
    });
  });

  test('on a disk that is full is refused after the result, which was paid for', async () => {
    const ended = await visibility([...simulated, '--json', '--snapshot', '/dev/full']);
    expect(ended.status).toBe(2);
    expect(JSON.parse(ended.err)).toMatchObject({ message: '/dev/full cannot be written (ENOSPC).' });
    expect(JSON.parse(ended.out)).toMatchObject({ capability: 'visibility_check' });
  });

  test('is not written for a measurement that is none', async () => {
    expect((await visibility([...recorded(transcripts(plain, 23)), '--snapshot', 'kept.json'])).status).toBe(3);
    expect(existsSync(join(folder, 'kept.json'))).toBe(false);
  });

  test.each<[string, (text: string) => string, RegExp]>([
    ['another text', (text) => text.replace('"text":"', '"text":"Acme! '), /answer 0 is not what its hash says/],
    ['another niche', (text) => text.replace('"niche":"help desk software"', '"niche":"tea"'), /another niche/],
    ['a broken end', (text) => text.slice(0, -1), /not JSON/],
  ])('that was changed to %s is refused', async (_what, change, message) => {
    await visibility([...simulated, '--snapshot', 'kept.json']);
    writeFileSync(join(folder, 'kept.json'), change(readFileSync(join(folder, 'kept.json'), 'utf8')));
    const { status, out, err } = await sightline(['replay', 'kept.json']);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err.split('\n')[0]).toMatch(message);
  });

  test.each([
    [['--format', 'sarif'], /A measurement has no checks to write as sarif/],
    [['--format', 'junit'], /A measurement has no checks to write as junit/],
    [['--out', 'there'], /A measurement has no files to write\./],
  ])('replayed with %j is wrong usage', async (args, message) => {
    await visibility([...simulated, '--snapshot', 'kept.json']);
    const { status, out, err } = await sightline(['replay', 'kept.json', ...args]);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(message);
  });
});

describe('wrong usage is exit 2, a plain sentence and no result', () => {
  const tea = ['--brand', 'Acme', '--niche', 'tea'] as const;
  const chat = [...tea, '--engine', 'openai-compatible'] as const;
  test.each<[string, readonly string[], RegExp]>([
    ['no argument', [], /^Name a brand with --brand and its market with --niche\.$/],
    ['no brand', ['--niche', 'tea', '--engine', 'simulated'], /^Name a brand with --brand/],
    ['no niche', ['--brand', 'Acme', '--engine', 'simulated'], /^Name a brand with --brand/],
    ['an empty brand', ['--brand', ' ', '--niche', 'tea', '--engine', 'simulated'], /^--brand: /],
    [
      'a brand of signs',
      ['--brand', '***', '--niche', 'tea', '--engine', 'simulated'],
      /^--brand: must contain a letter/,
    ],
    [
      'a brand of two lines',
      ['--brand', 'A\nB', '--niche', 'tea', '--engine', 'simulated'],
      /^--brand: must be one line/,
    ],
    [
      'a niche that is too long',
      ['--brand', 'Acme', '--niche', 'x'.repeat(121), '--engine', 'simulated'],
      /^--niche: .*120/,
    ],
    ['an empty competitor', [...tea, '--competitor', '', '--engine', 'simulated'], /^--competitor: /],
    [
      'a niche that names the brand',
      ['--brand', 'Acme', '--niche', 'ACME add-ons', '--engine', 'simulated'],
      /^--niche names a brand that is measured/,
    ],
    [
      'a niche that names the competitor',
      ['--brand', 'Acme', '--niche', 'tools for Rival One users', '--competitor', 'Rival One', '--engine', 'simulated'],
      /^--niche names a brand/,
    ],
    [
      'a brand against itself',
      [...tea, '--competitor', 'acme', '--engine', 'simulated'],
      /^--competitor must be another brand/,
    ],
    [
      'no engine',
      tea,
      /^Name the answer engine: --engine takes one of openai-compatible, openai, anthropic, google, perplexity, recorded, simulated\.$/,
    ],
    ['an unknown engine', [...tea, '--engine', 'gpt'], /^--engine takes one of/],
    ['an engine that is a word of the language', [...tea, '--engine', '__proto__'], /^--engine takes one of/],
    ['an engine of another place', [...tea, '--engine', 'workers-ai'], /^--engine takes one of/],
    ['no address of the engine', [...chat, '--model', 'm'], /^--url is not set$/],
    ['no model', [...chat, '--url', 'http://127.0.0.1:1/v1'], /^--model is not set$/],
    ['an address that is none', [...chat, '--url', 'ftp://a.example', '--model', 'm'], /^--url is no http/],
    ['no transcripts', [...tea, '--engine', 'recorded'], /^No transcripts are given \(--answers\)$/],
    [
      'an unreadable file',
      [...tea, '--engine', 'recorded', '--answers', 'nowhere.jsonl'],
      /^nowhere\.jsonl cannot be read\.$/,
    ],
    ['a folder as a file', [...tea, '--engine', 'recorded', '--answers', '.'], /^\. cannot be read\.$/],
    [
      'brands without rates',
      [...tea, '--engine', 'simulated', '--simulate', 'Acme'],
      /^brand 1 is not written as name=probability$/,
    ],
    [
      'a rate over 1',
      [...tea, '--engine', 'simulated', '--simulate', 'Acme=0.4,Beta=7'],
      /^brand 2 has no probability/,
    ],
    [
      'a format that a measurement does not have',
      [...tea, '--engine', 'simulated', '--format', 'junit'],
      /^--format takes one of text, json, md, html, pdf, csv, jsonl, not junit\./,
    ],
    [
      'a table of a format that has none',
      [...tea, '--engine', 'simulated', '--table', 'answers'],
      /^--table names a table of --format csv or jsonl\.$/,
    ],
    [
      'answers to show in a format that has them',
      [...tea, '--engine', 'simulated', '--show', 'answers', '--format', 'md'],
      /^--show prints answers below the text/,
    ],
    [
      'one file for the answers of both measurements',
      [...tea, '--engine', 'simulated', '--snapshot', 'a.json', '--baseline', './a.json'],
      /^--snapshot would replace a\.json, which is read \(--baseline\)\. Name another file\.$/,
    ],
    [
      'one file for both outputs',
      [...tea, '--engine', 'simulated', '--snapshot', 'a.json', '-o', './a.json'],
      /^--snapshot and --output name the same file\. Give each its own\.$/,
    ],
    ['an unknown option', [...tea, '--engine', 'simulated', '--rounds', '3'], /^Unknown option --rounds\./],
    ['an option without its value', ['--brand'], /--brand/],
    ['a word that belongs to nothing', [...tea, '--engine', 'simulated', 'coffee'], /^Unexpected word coffee/],
  ])('%s', async (_what, args, message) => {
    const { status, out, err } = await visibility(args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err.split('\n')[0]).toMatch(message);
    expect(err).toMatch(
      /\n(?:See sightline visibility --help|Name another format, .*|Name a file of answers with --answers\.)\n$/,
    );
    expect(err).not.toMatch(/\bat .*\.js:\d/); // No stack of a fault.
  });

  test.each<[string, string, RegExp]>([
    ['is no JSON', '{"id":"price-1","text":"x"}\nAcme is good\n', /^line 2 of the transcript file is not JSON$/],
    ['holds no text', '{"id":"price-1","text":" "}\n', /^line 1 of the transcript file: .*holds no text/],
    ['answers no prompt', '\n\n{"text":"Acme"}\n', /^line 3 of the transcript file has neither prompt nor id$/],
    [
      'steers the terminal',
      '{"id":"a","text":"x","finish_reason":"\u001B[2J\\u001b[31m"}',
      /^line 1 of the transcript file/,
    ],
  ])('a transcript with a line that %s', async (_what, text, message) => {
    writeFileSync(join(folder, 'broken.jsonl'), text);
    const { status, out, err } = await visibility(recorded('broken.jsonl'));
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err.split('\n')[0]).toMatch(message);
    expect(err).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

test('X8: names and texts of strangers are printed as one safe line each', async () => {
  const hostile = '\u001B[2J\u001B]0;owned\u0007Evil\u202E Twin\u2066\u200B';
  const text = `1. **${hostile}**: a fine choice.\n2. **Fake\u2028Verdict: Mallory wins**: fine.\n3. **Fake\u0085Mentioned 777 %**: fine.`;
  const lines = buildPrompts('x').map(({ id }) => JSON.stringify({ id, text, model: `${hostile}\nVerdict: Mallory` }));
  writeFileSync(join(folder, 'answers.jsonl'), lines.join('\n'));
  const args = [...recorded('answers.jsonl'), '--model', `${hostile}\nVerdict: Mallory`, '--fixes'];
  for (const more of [[], ['--competitor', 'Other']]) {
    const { status, out, err } = await visibility([...args, ...more]);
    expect({ status, err }).toEqual(done);
    expect(out).toMatch(/Twin: 30, \d+$/m);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(out).not.toMatch(/^Verdict: Mallory/m);
    expect(out).not.toMatch(/^Mentioned 777 %/m);
  }
});

describe('the answers', () => {
  const absent = (): string => '1. **Rival One**: fine.\n\n\u001B[31mred';
  const mixed = (index: number): string =>
    index === 0 ? "I'm sorry, I can't help with that." : index < 10 ? plain() : absent();

  test('are printed with --show: all of them, or those that leave the brand out, refusals not among them', async () => {
    const all = await visibility([...recorded(transcripts(mixed)), '--show', 'answers']);
    expect({ status: all.status, err: all.err }).toEqual(done);
    expect(all.out).toMatch(
      /^What the answers say\nMarks: \[\[Acme\]\] measured brand, \[Name\] other brand; \\\[ and \\\] are brackets of the answer$/m,
    );
    expect(all.out.match(/^-- /gm)).toHaveLength(30);
    expect(all.out).toMatch(
      /^-- Best help desk software\?\nNo real answer: the engine refused to answer\n {2}I'm sorry/m,
    );
    expect(all.out).toMatch(/^Recommended\n {2}- \[\[Acme\]\]: fine\.\n {2}- \[Rival One\]: fine too\.$/m);
    const missing = await visibility([...recorded(transcripts(mixed)), '--show', 'missing']);
    expect(missing.out).toMatch(/^Answers that do not name Acme$/m);
    expect(missing.out.match(/^-- /gm)).toHaveLength(20);
    expect(missing.out).not.toContain('No real answer:');
    expect(missing.out).not.toContain('\u001B');
  });

  test('have no marks but ours: brackets that an engine wrote are shown as its own', async () => {
    const fake = (): string => 'I recommend [[Fake Desk]] and Acme.';
    const { out } = await visibility([...recorded(transcripts(fake)), '--show', 'answers']);
    expect(out).toContain('I recommend \\[\\[Fake Desk\\]\\] and [[Acme]].');
    expect(out).not.toContain('[[Fake');
  });

  test('are files: CSV and JSON Lines, whole or as a table, to a file or to standard output', async () => {
    const csv = await visibility([...recorded(transcripts(mixed)), '--format', 'csv', '-o', 'answers.csv']);
    expect({ status: csv.status, out: csv.out }).toEqual({ status: 0, out: '' });
    const text = readFileSync(join(folder, 'answers.csv'), 'utf8');
    expect(text).toMatch(/^prompt_id,kind,prompt,outcome: Acme,also_named,/);
    expect(text).toContain('refused: the engine refused to answer');
    const lines = await visibility([...recorded(transcripts(mixed)), '--format', 'jsonl', '--table', 'mentions']);
    const rows = lines.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; whose: string; outcome: string });
    expect(rows.filter(({ whose }) => whose === 'brand')).toHaveLength(9);
    expect(rows[0]).toMatchObject({
      prompt_id: 'discovery-2',
      engine: 'recorded',
      name: 'Acme',
      outcome: 'recommended',
    });
  });

  test('are in Markdown and in the page, and in those of a replay, without a script or a link of the service', async () => {
    const page = await visibility([...recorded(transcripts(mixed)), '--format', 'html', '--snapshot', 'kept.json']);
    expect(page.out).toContain('<mark class="name of-brand">Acme</mark>');
    expect(page.out).not.toMatch(/<script|href="\//);
    const again = await sightline(['replay', 'kept.json', '--format', 'html']);
    expect(again.out).toContain('<mark class="name of-brand">Acme</mark>');
    const markdown = await sightline(['replay', 'kept.json', '--format', 'md']);
    expect(markdown.out).toContain('## What the answers say');
    const csv = await sightline(['replay', 'kept.json', '--format', 'csv', '--table', 'prompts']);
    expect(csv.out.split('\r\n')).toHaveLength(32);
  });
});

describe('--baseline', () => {
  const saved = async (named: number, file: string, more: readonly string[] = []): Promise<void> => {
    const args = [...recorded(transcripts((index) => (index < named ? plain() : 'Rival One is fine.'))), ...more];
    expect((await visibility([...args, '--snapshot', file])).status).toBe(0);
  };
  const against = (named: number, file: string, more: readonly string[] = []): Promise<Ended> =>
    visibility([
      ...recorded(transcripts((index) => (index < named ? plain() : 'Rival One is fine.'))),
      '--baseline',
      file,
      ...more,
    ]);

  test('a brand named far less often than in a snapshot is exit 1, with the paired change', async () => {
    await saved(25, 'before.json');
    const { status, out, err } = await against(5, 'before.json');
    expect(status).toBe(1);
    expect(err).toMatch(/^Worse than the baseline: the mention rate fell by more than chance \(recorded\)\.$/m);
    expect(out).toMatch(/^Since the baseline:$/m);
    expect(out).toMatch(/; -67 points \(-\d+ to -\d+\), 0 of 30 prompts more often, 20 less often, p [\d.e-]+: fell$/m);
  });

  test('a small difference, and a rise, are exit 0; JSON has the change', async () => {
    await saved(15, 'before.json');
    const small = await against(14, 'before.json', ['--json']);
    expect(small.status).toBe(0);
    const { change } = JSON.parse(small.out) as { change: Record<string, unknown> };
    expect(change).toMatchObject({
      method: 'paired',
      brand: 'Acme',
      engines: [{ engine: 'recorded', simulated: true, stretches: [{ changes: [{ verdict: 'no_change_seen' }] }] }],
    });
    expect((await against(30, 'before.json')).status).toBe(0);
  });

  test('a JSON result without its answers is compared by its figures, and says what a snapshot would show', async () => {
    const { out } = await visibility([...recorded(transcripts((at) => (at < 28 ? plain() : 'Nothing.'))), '--json']);
    writeFileSync(join(folder, 'result.json'), out);
    const fell = await against(5, 'result.json');
    expect(fell.status).toBe(1);
    expect(fell.out).toMatch(/^Since the baseline: 93 % before, 17 % now, -77 points \(95 %: -\d+ to -\d+\): fell$/m);
    expect(fell.out).toContain('each prompt is compared with itself');
  });

  test('of another model nothing is called a change of the brand', async () => {
    await saved(25, 'before.json');
    const lines = buildPrompts('x').map(({ id }) => JSON.stringify({ id, text: 'Rival One.', model: 'later-model' }));
    writeFileSync(join(folder, 'later.jsonl'), lines.join('\n'));
    const { status, out } = await visibility([...recorded('later.jsonl'), '--baseline', 'before.json']);
    expect(status).toBe(0);
    expect(out).toMatch(/^! Another model answered: .*kept-model.* before, .*later-model.* after\./m);
  });

  test('of another kind of engine is no change of the brand either, by its answers and by its figures', async () => {
    await saved(25, 'before.json');
    const { out: figures } = await visibility([...recorded(transcripts(plain)), '--json']);
    writeFileSync(join(folder, 'figures.json'), figures);
    const other = [...simulated, '--simulate', 'Acme=0.1'];
    const paired = await visibility([...other, '--snapshot', 'after.json', '--baseline', 'before.json']);
    expect(paired.status).toBe(0);
    expect(paired.out).toMatch(/^! Another model answered: /m);
    const counted = await visibility([...other, '--baseline', 'figures.json']);
    expect(counted.status).toBe(0);
    expect(counted.out).toMatch(/^Since the baseline: another model answered/m);
    const all = await sightline(['history', 'before.json', 'after.json', '--json']);
    expect(JSON.parse(all.out)).toMatchObject({
      engines: [{ model_changed: [{}], stretches: [{ points: [{}] }, { points: [{}] }] }],
      without_partner: [],
    });
  });

  test.each<[string, (file: object) => object, RegExp]>([
    ['another market', (file) => ({ ...file, niche: 'tea' }), /^The baseline is about another market: tea\.$/],
    ['another brand', (file) => ({ ...file, brand: 'Beta' }), /^The baseline is a measurement of Beta\.$/],
    [
      'another prompt set',
      (file) => ({ ...file, prompts: { ...(file as { prompts: object }).prompts, sha256: 'b'.repeat(64) } }),
      /^The baseline asked the prompt set v1 \(bbbbbbbbbbbb\), and this measurement asks v1/,
    ],
    ['no measurement', () => ({ scores: {} }), /neither a snapshot nor the JSON result of a measurement\.$/],
  ])('%s is refused with exit 2 before an engine is asked', async (_what, change, message) => {
    const { out } = await visibility([...recorded(transcripts(plain)), '--json']);
    writeFileSync(join(folder, 'other.json'), JSON.stringify(change(JSON.parse(out) as object)));
    const refused = await visibility([...unreachable, '--url', 'http://127.0.0.1:1/v1', '--baseline', 'other.json']);
    expect({ status: refused.status, out: refused.out }).toEqual({ status: 2, out: '' });
    expect(refused.err.split('\n')[0]).toMatch(message);
  });

  test('history shows several snapshots with their trend, and refuses what does not compare', async () => {
    for (const [at, named] of [28, 15, 2].entries()) {
      await saved(named, `${at}.json`);
      const kept = JSON.parse(readFileSync(join(folder, `${at}.json`), 'utf8')) as {
        run: { startedAtMs: number; endedAtMs: number };
      };
      const atMs = Date.UTC(2026, at, 1);
      writeFileSync(
        join(folder, `${at}.json`),
        JSON.stringify({ ...kept, run: { ...kept.run, startedAtMs: atMs, endedAtMs: atMs } }),
      );
    }
    const { status, out, err } = await sightline(['history', '2.json', '0.json', '1.json']);
    expect({ status, err }).toEqual(done);
    expect(out).toMatch(
      /^ {2}2026-01-01 {2}.*\n {2}2026-02-01 {2}.*fell\n {2}2026-03-01 {2}.*fell\n {2}Trend: -\d+ points in 30 days .*: it falls\.$/m,
    );
    expect(out).toContain('p is corrected for 2 comparisons (Holm).');
    expect((await sightline(['history', '0.json'])).status).toBe(2);
    const twice = await sightline(['history', '0.json', '0.json']);
    expect({ status: twice.status, err: twice.err.split('\n')[0] }).toEqual({
      status: 2,
      err: 'One of the measurements is given twice.',
    });
    const gone = await sightline(['history', '0.json', 'nowhere.json']);
    expect(gone.err.split('\n')[0]).toBe('nowhere.json: cannot be read (ENOENT).');
  });
});

test('an engine that cannot be reached is exit 3 with the reason, and no result', async () => {
  const port = await reservePort(0, 'no service', '--port');
  const { status, out, err } = await started(
    ['visibility', ...unreachable, '--url', `http://127.0.0.1:${port}/v1`],
    folder,
  );
  expect({ status, out }).toEqual({ status: 3, out: '' });
  expect(err).toMatch(
    /^The engine at http:\/\/127\.0\.0\.1:\d+ did not answer the first prompt: .*\(unavailable: .*\nCheck the address/,
  );
});
