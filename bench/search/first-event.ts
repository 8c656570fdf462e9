import { median } from '../process-usage.ts';
import { startControlStack } from '../../test/conformance/support/control-stack.ts';

/** Milliseconds of calls: the median, and what 95 of 100 do not pass. */
export type Times = { median: number; p95: number };
export type FirstEvents = {
  /** The first pair, which finds the Worker cold, is left out. */
  pairs: number;
  /** A search from its request to the end of its answer. */
  searchMs: Times;
  /** A streamed chat of the same question, from its request to its first event, which has the chunks. */
  chunksMs: Times;
  /** The second less the first, of each pair. */
  overMs: Times;
};

const PAIRS = 50;
const TIMEOUT_MS = 30_000;
const ACCOUNT = 'b'.repeat(32);
const INSTANCE = 'bench';
const FIRST_EVENT = 'event: chunks\n';

type Ask = (path: string, body: object | FormData) => Promise<Response>;
export type File = { key: string; text: string };

/** The local stack with the engine that is none, and one instance with the files. Searches and chats in turns. */
export async function measureFirstEvents(files: readonly File[], questions: readonly string[]): Promise<FirstEvents> {
  const stack = await startControlStack({ controlBindings: { ANSWER_ENGINE: 'simulated' } });
  try {
    const ask = askerOf(`${stack.world.url}/client/v4/accounts/${ACCOUNT}/ai-search`, stack.world.token);
    await fill(ask, files);
    const pairs: { searchMs: number; chunksMs: number }[] = [];
    for (let pair = 0; pair <= PAIRS; pair += 1) {
      const question = questions[pair % questions.length] ?? '';
      // Whoever comes second finds the pages of the database in memory: they take turns.
      const chatFirst = pair % 2 === 0 ? await chatMs(ask, question) : undefined;
      const searchMs = await searchMsOf(ask, question);
      pairs.push({ searchMs, chunksMs: chatFirst ?? (await chatMs(ask, question)) });
    }
    const warm = pairs.slice(1);
    return {
      pairs: warm.length,
      searchMs: timesOf(warm.map(({ searchMs }) => searchMs)),
      chunksMs: timesOf(warm.map(({ chunksMs }) => chunksMs)),
      overMs: timesOf(warm.map(({ searchMs, chunksMs }) => chunksMs - searchMs)),
    };
  } finally {
    await stack.stop();
  }
}

const timesOf = (values: readonly number[]): Times => {
  const p95 = values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;
  return { median: median(values), p95 };
};

const askerOf =
  (url: string, token: string): Ask =>
  async (path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return response;
  };

async function fill(ask: Ask, files: readonly File[]): Promise<void> {
  await ask('/instances', { id: INSTANCE }).then((response) => response.text());
  for (const { key, text } of files) {
    const form = new FormData();
    form.set('file', new Blob([text], { type: 'text/markdown' }), key);
    form.set('wait_for_completion', 'true');
    await ask(`/instances/${INSTANCE}/items`, form).then((response) => response.text());
  }
}

async function searchMsOf(ask: Ask, question: string): Promise<number> {
  const startMs = performance.now();
  const response = await ask(`/instances/${INSTANCE}/search`, { query: question });
  await response.arrayBuffer();
  return performance.now() - startMs;
}

/** Until the first event is whole. The rest of the chat is read too, so that nothing of it runs beside the next call. */
async function chatMs(ask: Ask, question: string): Promise<number> {
  const startMs = performance.now();
  const response = await ask(`/instances/${INSTANCE}/chat/completions`, {
    messages: [{ role: 'user', content: question }],
    stream: true,
  });
  const decoder = new TextDecoder();
  let [text, firstMs] = ['', Number.NaN];
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (Number.isNaN(firstMs) && text.includes('\n\n')) firstMs = performance.now() - startMs;
  }
  if (!text.startsWith(FIRST_EVENT)) throw new Error(`The stream begins with ${text.slice(0, 40)}`);
  return firstMs;
}
