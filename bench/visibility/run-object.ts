import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import type { RunAnswer } from '../../src/visibility/run/run.ts';
import { MAX_ANSWER_BYTES, MAX_CITATIONS } from '../../src/models/port.ts';
import { MAX_CITATION_BYTES, buildRunAnswer } from '../../src/visibility/run/consume.ts';
import { createOpenAiEngine } from '../../src/models/adapters/openai-compatible/engines.ts';
import { loadPromptSet } from '../../src/visibility/run/prompts.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { serveWorkerd } from '../workerd.ts';
import { NICHE, prompts } from './market.ts';
import { classifyAnswer } from '../../src/visibility/refusals/refusals.ts';

/** Size of the object's database after 30 answers that are longer than what is kept, in bytes; `share` of the limit. */
export type RunSize = { shape: string; keptTextBytes: number; databaseBytes: number; share: number };
export type RunObject = { limitBytes: number; sizes: readonly RunSize[] };

type Said = { text: string; citations?: readonly string[] };

const LIMIT_BYTES = prompts.length * (MAX_ANSWER_BYTES + MAX_CITATION_BYTES) + 256 * 1024;
const SAID_BYTES = 40 * 1024;
const LONGEST_URL = 2048;
const TIMEOUT_MS = 30_000;

const PLAIN = 'plain text';
const sentence = 'The first option is a solid choice for small teams that answer most of their mail by hand. ';
const urls = Array.from({ length: MAX_CITATIONS }, (_, at) =>
  `https://www.example.com/${at}/`.padEnd(LONGEST_URL, 'a'),
);

/** What an engine may send. A single character outside Latin-1 makes the runtime keep a text with two bytes per character. */
const shapes: Readonly<Record<string, Said>> = {
  [PLAIN]: { text: filled(sentence) },
  'text with a curly quote': { text: filled(sentence).replace('first', '\u2019first') },
  'Japanese text': { text: filled('最初の選択肢は小さなチームに向いています。') },
  [`plain text with ${MAX_CITATIONS} sources of ${LONGEST_URL} characters`]: {
    text: filled(sentence),
    citations: urls,
  },
  'both: a curly quote, and these sources': {
    text: filled(sentence).replace('first', '\u2019first'),
    citations: urls,
  },
};

/** Through the real engine adapter, which caps, into the real object. */
export async function measureRunObject(): Promise<RunObject> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const port = await reservePort(0, 'the benchmark', '');
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(new URL('./run-object-worker.mjs', import.meta.url).pathname),
      durableObject: { className: 'VisibilityRun', binding: 'VISIBILITY_RUN' },
    },
    { method: 'GET', path: '/' },
  );
  try {
    const sizes: RunSize[] = [];
    for (const [shape, said] of Object.entries(shapes))
      sizes.push({ shape, ...(await sizeOf(`http://127.0.0.1:${port}/`, shape, said)) });
    return { limitBytes: LIMIT_BYTES, sizes };
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const runObjectLines = ({ limitBytes, sizes }: RunObject): string[] =>
  sizes.map(
    ({ shape, keptTextBytes, databaseBytes, share }) =>
      `run object, 30 answers of ${SAID_BYTES} bytes, ${shape}: ${keptTextBytes} bytes of text kept, database ${databaseBytes} bytes, ${round(share)} of ${limitBytes}`,
  );

export function runObjectAims({ sizes }: RunObject): Aim[] {
  const plain = sizes.find(({ shape }) => shape === PLAIN)?.share ?? Number.NaN;
  return [
    atMost('run object, database size with 30 capped answers of plain text against its limit', plain, 1, 'x'),
    atMost(
      'run object, database size with the worst an engine can send against its limit',
      Math.max(...sizes.map(({ share }) => share)),
      1,
      'x',
    ),
  ];
}

async function sizeOf(url: string, object: string, said: Said): Promise<Omit<RunSize, 'shape'>> {
  const answers = await keptAnswers(said);
  const engine = { kind: 'openai-compatible', model: 'bench' } as const;
  const run = {
    niche: NICHE,
    promptSet: await loadPromptSet(),
    prompts,
    engine,
    runMs: TIMEOUT_MS,
    callMs: TIMEOUT_MS,
  };
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ object, run, answers }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { kept, bytes } = (await response.json()) as { kept: number; bytes: number };
  if (kept !== prompts.length) throw new Error(`the object kept ${kept} of ${prompts.length} answers`);
  const texts = answers.flatMap((answer) => (answer.status === 'answered' ? [answer.text] : []));
  return {
    keptTextBytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    databaseBytes: bytes,
    share: bytes / LIMIT_BYTES,
  };
}

function keptAnswers({ text, citations }: Said): Promise<readonly RunAnswer[]> {
  const completion = {
    model: 'bench',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    citations,
  };
  const engine = createOpenAiEngine({
    url: 'https://engine.example/v1',
    model: 'bench',
    key: undefined,
    fetch: async () => Response.json(completion),
    maxOutputTokens: 1500,
  });
  const { signal } = new AbortController();
  return Promise.all(
    prompts.map(async (prompt) => buildRunAnswer({ prompt }, await engine.answer(prompt, signal), classifyAnswer)),
  );
}

function filled(part: string): string {
  return part.repeat(Math.ceil(SAID_BYTES / Buffer.byteLength(part)));
}
