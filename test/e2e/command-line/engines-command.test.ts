import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { presentPanel } from '../../../src/capabilities/panel-presenter.ts';
import { parsePanelRecording } from '../../../src/capabilities/panel-recording.ts';
import { panelResult } from '../../../src/capabilities/panel-results.ts';
import type { Ended } from '../../support/runner/run-cli.ts';
import { type ChatReply, startChatServer } from '../../support/stack/chat-server.ts';
import { readSample, startEngineServer } from '../../support/stack/engine-server.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const MAX_OUTPUT_BYTES = 20_000_000;
const NAMED = 'For help desk software teams like **Acme**. **Rival One** is cheaper.';
const ABSENT = 'For help desk software teams like **Rival One**. **Rival Two** is cheaper.';
const about = ['--brand', 'Acme', '--niche', 'help desk software'] as const;

type Panel = z.infer<typeof panelResult> & { capability: string; warnings: string[]; fixes?: object[] };

let folder = '';
const stops: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-engines-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the built command line as a program; the servers live in this process. */
const sightline = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { cwd: folder, env, maxBuffer: MAX_OUTPUT_BYTES }, (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
const visibility = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  sightline(['visibility', ...about, ...args], env);

const configure = (engines: readonly object[]): void =>
  writeFileSync(join(folder, 'sightline.config.json'), JSON.stringify({ engines }));

/** A recorded answer of a vendor with another text in it. */
function sayAs(file: string, before: string, text: string): string {
  const sample = readSample(file);
  const [had, has] = [JSON.stringify(before).slice(1, -1), JSON.stringify(text).slice(1, -1)];
  if (!sample.includes(had)) throw new Error(`${file} does not say that`);
  return sample.replace(had, has);
}

async function startVendor(body: string) {
  const server = await startEngineServer({ body });
  stops.push(server.stop);
  return server;
}

async function startChat(reply: (prompt: string, nth: number) => ChatReply) {
  const server = await startChatServer({ reply });
  stops.push(server.stop);
  return server;
}
const say = (text: string): ChatReply => ({ kind: 'say', text });

/** A row of the configuration for an engine that speaks OpenAI chat completions. */
const row = (name: string, { url }: { url: string }, model = 'a-model') => ({
  name,
  kind: 'openai-compatible',
  url,
  model,
});

/** Perplexity, Google and an engine of one's own: two name the brand, the last does not. */
async function startThree() {
  const perplexity = await startVendor(
    sayAs(
      'perplexity/search-results.json',
      'Acme Desk leads.[1][2] Beta Works is cheaper.[2] More soon.[7]',
      `${NAMED}[1]`,
    ),
  );
  const google = await startVendor(
    sayAs(
      'google/text.json',
      "There are **3** r's in strawberry.\n\nHere is the breakdown: st**r**awbe**rr**y.",
      NAMED,
    ),
  );
  const own = await startChat(() => say(ABSENT));
  configure([
    { kind: 'perplexity', model: 'sonar-pro', country: 'DE', usd_per_run: 0.4 },
    { kind: 'google', model: 'gemini-asked', web_search: false, usd_per_run: 0.2 },
    row('own', own, 'llama'),
  ]);
  const env = {
    ANSWER_KEY_PERPLEXITY: 'sk-perplexity',
    ANSWER_URL_PERPLEXITY: perplexity.url,
    ANSWER_KEY_GOOGLE: 'sk-google',
    ANSWER_URL_GOOGLE: `${google.url}/v1beta`,
  };
  return { perplexity, google, own, env };
}

const readPanel = ({ out }: Ended): Panel => JSON.parse(out) as Panel;

describe('several engines of a configuration', () => {
  test('each answers 30 prompts with its own key; the result is the panel that the service makes of these answers', async () => {
    const { perplexity, google, own, env } = await startThree();
    const ended = await visibility(['--competitor', 'Rival One', '--snapshot', 'kept.json', '--json'], env);
    expect({ status: ended.status, err: ended.err }).toEqual({ status: 0, err: '' });
    const { capability, warnings, ...result } = readPanel(ended);
    expect(panelResult.parse(result)).toEqual(result);
    expect(result).toMatchObject({
      engines: [
        { name: 'perplexity', status: 'measured', web_search: true, country: 'DE', mention_rate: { value: 1, n: 30 } },
        { name: 'google', status: 'measured', web_search: false, mention_rate: { value: 1, n: 30 } },
        { name: 'own', kind: 'openai-compatible', model: 'llama', mention_rate: { value: 0, n: 30 } },
      ],
      pooled: { engines: 3, mention_rate: { n: 90 }, competitors: [{ name: 'Rival One', verdict: 'competitor' }] },
      citations: { measured: 30, pages: [{ domain: 'acme.example' }, { domain: 'tests.example' }] },
    });
    expect(result.pooled.mention_rate.value).toBeCloseTo(2 / 3, 3);
    expect(result.differences.filter(({ verdict }) => verdict === 'first')).toHaveLength(2);

    const kept = await parsePanelRecording(JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8')));
    if (!kept.ok) throw new Error(kept.detail);
    const made = await presentPanel(kept.recording);
    expect({ ok: true, result, warnings }).toEqual(JSON.parse(JSON.stringify(made)));
    expect(capability).toBe(kept.recording.capability);

    expect([perplexity, google, own].map(({ requests }) => requests.length)).toEqual([30, 30, 30]);
    const keysOf = (requests: readonly { headers: Record<string, unknown> }[]) =>
      new Set(requests.map(({ headers }) => headers['authorization'] ?? headers['x-goog-api-key']));
    expect(keysOf(perplexity.requests)).toEqual(new Set(['Bearer sk-perplexity']));
    expect(keysOf(google.requests)).toEqual(new Set(['sk-google']));
    expect(new Set(own.requests.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
    expect(ended.out + readFileSync(join(folder, 'kept.json'), 'utf8')).not.toMatch(/sk-perplexity|sk-google/);
  });

  test('are printed for people, and written as Markdown, a page and tables; a replay gives the same bytes', async () => {
    const { env } = await startThree();
    const text = await visibility(['--snapshot', 'kept.json'], env);
    expect(text.status).toBe(0);
    expect(text.err).toMatch(/^Asking perplexity, google, own: about 0\.60 USD for 30 questions/m);
    expect(text.out).toMatch(/^Acme in answers about help desk software\n30 prompts, asked of 3 engines\n/);
    expect(text.out).toMatch(/^ {2}google \(gemini-asked\) +100 % {2}\(95 %: 89 % to 100 %, n 30\)$/m);
    expect(text.out).toMatch(/^ {2}Mentioned +67 % .* n 90\)$/m);
    expect(text.out).toMatch(/^ {2}perplexity names it more often than own: only perplexity 30, only own 0/m);
    expect(await sightline(['replay', 'kept.json'])).toEqual({ status: 0, out: text.out, err: '' });
    const as = async (format: string) => (await sightline(['replay', 'kept.json', '--format', format])).out;
    expect(await as('md')).toMatch(/^\| `google` \| 100 % \(89 % to 100 %\) \|/m);
    expect(await as('html')).toContain('<bdi>perplexity</bdi>');
    expect((await as('jsonl')).trim().split('\n')).toHaveLength(90);
    expect(await as('csv')).toContain('gemini');
    expect((await sightline(['replay', 'kept.json', '--show', 'missing'])).out).toMatch(/ \(own\)$/m);
  });

  test('--output writes the report, --fixes adds texts against weak spots of all engines', async () => {
    const [one, two] = [await startChat(() => say(ABSENT)), await startChat(() => say(ABSENT))];
    configure([row('one', one), row('two', two)]);
    const ended = await visibility(['--fixes', '--format', 'json', '--output', 'panel.json', '-q']);
    expect(ended).toEqual({ status: 0, out: '', err: '' });
    const { fixes = [], pooled } = JSON.parse(readFileSync(join(folder, 'panel.json'), 'utf8')) as Panel;
    expect(fixes.map((fix) => (fix as { topic: string }).topic)).toEqual(pooled.weak_spots.map(({ topic }) => topic));
    expect(fixes.length).toBeGreaterThan(0);
  });

  test('--engines asks some of them; of one the result is that of one engine', async () => {
    const { perplexity, google, own, env } = await startThree();
    const two = readPanel(await visibility(['--engines', 'own,perplexity', '--json'], env));
    expect(two.engines.map(({ name }) => name)).toEqual(['own', 'perplexity']);
    const one = await visibility(['--engines', 'google', '--json'], env);
    expect(JSON.parse(one.out)).toMatchObject({
      capability: 'visibility_check',
      engine: { kind: 'google', model: 'gemini-asked' },
      mention_rate: { value: 1 },
    });
    expect([perplexity, google, own].map(({ requests }) => requests.length)).toEqual([30, 30, 30]);
  });

  test('own questions are asked of each of them', async () => {
    const [one, two] = [await startChat(() => say(NAMED)), await startChat(() => say(NAMED))];
    configure([row('one', one), row('two', two)]);
    const questions = ['cheap', 'fast', 'safe', 'small', 'simple', 'popular'].map(
      (word) => `Which help desk software is ${word}?`,
    );
    writeFileSync(join(folder, 'questions.txt'), `${questions.join('\n\n')}\n`);
    const panel = readPanel(await visibility(['--prompts', 'questions.txt', '--json']));
    expect(panel.prompts).toMatchObject({ set: 'own', total: 6 });
    for (const { requests } of [one, two])
      expect(
        requests.map(({ body }) => JSON.stringify(body)).filter((body) => /Which help desk/.test(body)),
      ).toHaveLength(6);
    const refused = await visibility(['--prompts', 'questions.txt', '--kind', 'service']);
    expect({ status: refused.status, out: refused.out }).toEqual({ status: 2, out: '' });
  });
});

describe('an engine of several that cannot answer', () => {
  test('at the first prompt ends the command with its name; the others are not asked further', async () => {
    const [good, bad] = [await startChat(() => say(NAMED)), await startChat(() => ({ kind: 'status', status: 401 }))];
    configure([row('good', good), row('bad', bad)]);
    const { status, out, err } = await visibility(['--json']);
    expect({ status, out }).toEqual({ status: 3, out: '' });
    expect(JSON.parse(err)).toMatchObject({
      reason: 'measurement_incomplete',
      message: expect.stringContaining('The engine bad did not answer the first prompt'),
      next: expect.stringContaining('--engines'),
    });
    expect([good, bad].map(({ requests }) => requests.length)).toEqual([1, 1]);
  });

  test('later is named as not measured, and the others are not lost for it', async () => {
    const good = await startChat(() => say(NAMED));
    const bad = await startChat((_prompt, nth) => (nth < 6 ? say(NAMED) : { kind: 'status', status: 401 }));
    configure([row('good', good), row('bad', bad)]);
    const ended = await visibility(['--snapshot', 'kept.json']);
    expect(ended.status).toBe(0);
    expect(ended.out).toMatch(/^ {2}bad \(a-model\) +not measured: \d+ of 30 prompts were answered/m);
    expect(ended.out).toMatch(/^ {2}good \(a-model\) +100 % /m);
    expect(readPanel(await sightline(['replay', 'kept.json', '--json']))).toMatchObject({
      degraded: true,
      engines: [{ status: 'measured' }, { status: 'unavailable' }],
      pooled: { engines: 1 },
    });
  });

  test('as its key may not be sent to the address of the file is refused before any is asked', async () => {
    const [good, stranger] = [await startChat(() => say(NAMED)), await startVendor('{}')];
    configure([row('good', good), { kind: 'perplexity', model: 'sonar', url: stranger.url }]);
    const { status, err } = await visibility(['--json'], { ANSWER_KEY_PERPLEXITY: 'sk-mine' });
    expect(status).toBe(2);
    expect(err).toContain('engines.1, key_secret');
    expect([good.requests, stranger.requests]).toEqual([[], []]);
  });
});

describe('--baseline of several engines', () => {
  const replies = { one: NAMED, two: NAMED };
  beforeEach(async () => {
    Object.assign(replies, { one: NAMED, two: NAMED });
    const [one, two] = [await startChat(() => say(replies.one)), await startChat(() => say(replies.two))];
    configure([row('one', one), row('two', two)]);
    await visibility(['--snapshot', 'before.json', '-q', '-o', 'before-result.json', '--json']);
  });

  test('compares each with itself: exit 1 with the name of the one that fell', async () => {
    replies.two = ABSENT;
    const fell = await visibility(['--baseline', 'before.json', '--snapshot', 'after.json']);
    expect(fell.status).toBe(1);
    expect(fell.err).toMatch(/^Worse than the baseline: .* \(two\)\.$/m);
    expect(fell.out).toMatch(/^one\n.*\n.*: may be chance$/m);
    const all = await sightline(['history', 'before.json', 'after.json', '--json']);
    expect(JSON.parse(all.out)).toMatchObject({
      engines: [{ engine: 'one' }, { engine: 'two', stretches: [{ changes: [{ verdict: 'fell' }] }] }],
    });
  });

  test('is refused before any is asked where its figures are of a panel, or of other engines', async () => {
    const figures = await visibility(['--baseline', 'before-result.json']);
    expect({ status: figures.status, out: figures.out }).toEqual({ status: 2, out: '' });
    configure([
      { name: 'three', kind: 'simulated' },
      { name: 'four', kind: 'simulated' },
    ]);
    const others = await visibility(['--baseline', 'before.json']);
    expect({ status: others.status, out: others.out }).toEqual({ status: 2, out: '' });
    expect(others.err).toContain('no engine is in both');
  });
});
