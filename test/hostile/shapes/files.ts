import { splitIntoChunks } from '../../../src/search/ingest/indexed-file.ts';
import { readFileText } from '../../../src/search/ingest/text-of.ts';
import { analyseBrand } from '../../../src/visibility/metrics/analyse.ts';
import type { CollectedRun } from '../../../src/visibility/run/run.ts';
import { MAX_ANSWER_BYTES } from '../../../src/models/port.ts';
import { buildPrompts } from '../../../src/visibility/run/prompts.ts';
import { counted } from '../counters.ts';
import { call, ingest, streamOf } from '../entries.ts';
import { each, often, repeated, shape, type Shape } from '../shape.ts';
import { rewriteEvents } from '../../../src/models/core/event-lines.ts';

/** The largest file that AI Search takes. */
const LARGEST = 4 * 1024 * 1024;
const SIZE = often(200_000, LARGEST);
const bytes = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? new Uint8Array(Buffer.from(text)) : text;
const of = (key: string, type: string) => (text: string | Uint8Array) => ({ key, type, bytes: bytes(text) });
const page = of('a.html', 'text/html');
const markdown = of('a.md', 'text/markdown');
const json = of('a.json', 'application/json');
const fill = (text: string): string => repeated(text, SIZE).slice(0, SIZE);

/** From a file to the chunks that are indexed. */
const chunked = (text: string) => async () => {
  const read = await readFileText(markdown(text), () => Promise.reject(new Error('this is no PDF')));
  return read.ok
    ? `${splitIntoChunks(read.text, { title: read.title, chunkTokens: 256, overlapTokens: 80 }).length > 0}`
    : read.reason;
};

const prompts = buildPrompts('help desk software');
const NAMES = ['Quoltix', 'Zendril', 'Brimvale'];
/** A run in which the engine says the same hostile text to every prompt. */
const engine = (text: string) => () => {
  const cut = Buffer.from(text).subarray(0, MAX_ANSWER_BYTES).toString();
  const run: CollectedRun = {
    runId: '01890a5d-ac96-774b-bcce-b302099a8057',
    promptSet: { id: 'v1', sha256: '0'.repeat(64) },
    engine: { kind: 'recorded', model: 'hostile-1' },
    niche: 'help desk software',
    startedAtMs: 0,
    endedAtMs: 1_000,
    answers: prompts.map(({ index }) => ({
      index,
      status: 'answered',
      text: cut,
      sha256: '0'.repeat(64),
      servedModel: 'hostile-1',
      finishReason: 'stop',
      citations: undefined,
    })),
  };
  return analyseBrand(run, 'Zendril', prompts);
};
/** An answer of the largest size there is, in a usual run of a quarter of it. */
const answer = (text: string, size = often(MAX_ANSWER_BYTES / 4, MAX_ANSWER_BYTES)): string => repeated(text, size);
/** 75 calls for each character were too many. */
const BRACKETS = { calls: 45_000_000 };

/** A stream of events of an engine, read to its end or to its refusal. */
const events = (pieces: Iterable<Uint8Array>) => async () => {
  const reader = rewriteEvents(streamOf(pieces), (event) => event).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (counted.served > LARGEST) return 'endless';
    return 'ended';
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown';
  }
};
function* forever(text: string): Generator<Uint8Array> {
  for (;;) yield bytes(repeated(text, 65_536));
}

/** Files of AI Search, answers of engines, and what becomes of their text. */
export const files: readonly Shape[] = [
  shape('a page of <', () => page(fill('<')), ingest),
  shape('a page of list items', () => page(fill('<li>x')), ingest),
  shape('a page of line breaks', () => page(fill('a<br>')), ingest),
  shape('a page as deep as it is long', () => page(fill('<div>')), ingest),
  shape('a page of lists in lists', () => page(fill('<ul><li>')), ingest),
  shape('a page of quotes in quotes', () => page(fill('<blockquote>')), ingest),
  shape('a page of tables in tables', () => page(fill('<table><tr><td>x')), ingest),
  shape('a table of columns', () => page(`<table><tr>${fill('<td>x')}`.slice(0, SIZE)), ingest),
  shape('a page of code', () => page(fill('<pre>`')), ingest),
  shape('a page of entities', () => page(fill('&amp;')), ingest),
  shape('a page of attributes', () => page(`<p ${each(often(20_000, 400_000), (index) => `a${index} `)}>x`), ingest),
  shape('Markdown of headings', () => chunked(fill('# x\n')), call),
  shape('Markdown of fences', () => chunked(fill('```\n')), call),
  shape('Markdown of fences that grow', () => chunked(each(2_500, (index) => `${'`'.repeat(index)}\n`)), call),
  shape('Markdown of underlines', () => chunked(fill('x\n---\n')), call),
  shape('Markdown of blank lines', () => chunked(fill(' \n\n')), call),
  shape('Markdown of one word', () => chunked('x'.repeat(SIZE)), call),
  shape('Markdown of sentences', () => chunked(fill('A. ')), call),
  shape('Markdown of tables', () => chunked(fill('|a|b|\n|-|-|\n')), call),
  shape('Markdown of surrogates', () => chunked(fill('\ud83d')), call),
  shape('JSON of open brackets', () => json(fill('[')), ingest),
  shape(
    'UTF-16 without its pairs',
    () => of('a.txt', 'text/plain; charset=utf-16le')(Buffer.from('\ufeff\ud800'.repeat(SIZE / 4), 'utf16le')),
    ingest,
  ),
  shape('bytes that are no text', () => of('a.txt', 'text/plain')(new Uint8Array(SIZE).fill(0xff)), ingest, {
    outcomes: ['not_utf8'],
  }),
  shape('a type of 60 KB', () => of('a', `text/${'x'.repeat(60_000)}`)('x'), ingest),
  shape('an answer of brackets', () => engine(answer('[', MAX_ANSWER_BYTES)), call, BRACKETS),
  shape('an answer of brackets and their end', () => engine(`${answer('[').slice(9)}](/a)`), call, BRACKETS),
  shape('an answer of stars', () => engine(answer('*a **b ')), call),
  shape(
    'an answer of lists in lists',
    () => engine(each(700, (index) => `${' '.repeat(index % 90)}- ${NAMES[index % 3]}\n`)),
    call,
  ),
  shape('an answer of names', () => engine(answer(`${NAMES.join(', ')} `)), call),
  shape('an answer of quotes', () => engine(answer('>')), call),
  shape(
    'an answer of tables',
    () => engine(`|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${answer('|Zendril|\n')}`),
    call,
  ),
  shape('an answer of backticks', () => engine(each(240, (index) => `${'`'.repeat(index)} `)), call),
  shape('an answer of links', () => engine(answer('[a](b)[')), call),
  shape('an answer of capital words', () => engine(answer('Aa Bb Cc ')), call),
  shape('an answer of combining marks', () => engine(`Zendril${answer('\u0301')}`), call),
  shape('events that never end', () => events(forever('data: {"a":1}\n\n')), call, { outcomes: ['endless'], out: 100 }),
  shape('an event that never ends', () => events(forever('data: xxxx')), call, {
    outcomes: ['EngineAnswerRefused'],
    served: 2 * 1024 * 1024,
  }),
  shape('events of comments', () => events(Array.from({ length: 64 }, () => bytes(repeated(': x\n', 65_536)))), call, {
    outcomes: ['EngineAnswerRefused'],
  }),
];
