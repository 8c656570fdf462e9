import { startStack } from '../../local/stack.ts';
import { type Aim, atMost } from '../aims.ts';
import { median } from '../process-usage.ts';

/** What the first event of a live audit takes, in milliseconds from the request; `lastMs` is the whole preview. */
export type FirstEvents = { previews: number; firstMs: { median: number; worst: number }; lastMs: number };

const PREVIEWS = 20;
const LIMIT_MS = 300;

/**
 * Free previews of the good demo site on the local stack, each of an address and by a caller of its own, so that none is
 * reused or refused. The first, which finds the Worker cold, counts too.
 */
export async function measureFirstEvent(log: (line: string) => void): Promise<{ aims: readonly Aim[] } & FirstEvents> {
  const stack = await startStack();
  try {
    const times: Times[] = [];
    for (let run = 0; run < PREVIEWS; run += 1) times.push(await timesOf(stack.api.url, stack.file.sites.good, run));
    const first = times.map(({ firstMs }) => firstMs);
    const firstMs = { median: median(first), worst: Math.max(...first) };
    const lastMs = median(times.map((each) => each.lastMs));
    const shown = (ms: number): string => `${Math.round(ms)} ms`;
    log(
      `live audit: first event after ${shown(firstMs.median)} (worst of ${PREVIEWS}: ${shown(firstMs.worst)}), result after ${shown(lastMs)}`,
    );
    const aim = atMost('live audit: first event after the request, worst', firstMs.worst, LIMIT_MS, 'ms');
    return { aims: [aim], previews: PREVIEWS, firstMs, lastMs };
  } finally {
    await stack.stop();
  }
}

type Times = { firstMs: number; lastMs: number };

async function timesOf(api: string, site: string, run: number): Promise<Times> {
  const startedMs = performance.now();
  const answer = await fetch(`${api}/audit/stream`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'cf-connecting-ip': `198.18.0.${run + 1}`,
    },
    body: JSON.stringify({ url: new URL(`/?run=${run}`, site).href }),
  });
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  const firstMs = performance.now() - startedMs;
  const start = new TextDecoder().decode(first?.value);
  if (!start.startsWith('event: start\n') || start.includes('"reused":true'))
    throw new Error(`status ${answer.status}, not the start of a new preview: ${start.slice(0, 200)}`);
  let text = '';
  const decoder = new TextDecoder();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
    text = (text + decoder.decode(piece.value, { stream: true })).slice(-1_000_000);
  if (!text.includes('\nevent: result\n')) throw new Error('the preview has no result');
  return { firstMs, lastMs: performance.now() - startedMs };
}
