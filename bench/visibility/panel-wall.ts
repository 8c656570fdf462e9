import { wrapFetchWithPayment } from '@x402/fetch';
import type { Account } from '../../local/chain/chain.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { type ChatServer, startChatServer } from '../../test/support/stack/chat-server.ts';
import { officialClient } from '../../test/support/stack/official-client.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { versions } from '../machine.ts';
import { median } from '../process-usage.ts';
import { NICHE, prompts, simulatedTexts } from './market.ts';

/** Times in milliseconds, in the order of the calls; the first finds the Worker cold. */
export type PanelWall = {
  engines: number;
  engineMs: number;
  idealMs: number;
  /** From the unpaid request to the whole result, by the official client. */
  wallMs: readonly number[];
  versions: Readonly<Record<string, string>>;
};

const CALLS = 5;
const ENGINE_MS = 200;
/** Prompts of one engine that are asked at once: a batch of its queue. */
const LANES = 6;
const WALL_SHARE = 2;
const BUYER_MICRO_USDC = 100_000_000n;
const TIMEOUT_MS = 60_000;
const names = ['one', 'two', 'three', 'four'];

/** The local stack with its chain and facilitator, and four engines on loopback that take their time. */
export async function measurePanelWall(): Promise<PanelWall> {
  const servers: ChatServer[] = [];
  const texts = await simulatedTexts('panel wall');
  const byPrompt = new Map(prompts.map(({ text }, at) => [text, texts[at] ?? '']));
  try {
    for (const _name of names)
      servers.push(
        await startChatServer({
          reply: (prompt) => ({ kind: 'say', text: byPrompt.get(prompt) ?? '', delayMs: ENGINE_MS }),
        }),
      );
    const rows = names.map((name, at) => ({
      name,
      kind: 'openai-compatible',
      model: 'bench',
      url: servers[at]?.url,
      usd_per_run: 0.01,
    }));
    const stack = await startStack({ bindings: { ANSWER_ENGINES: JSON.stringify(rows) } });
    try {
      return await measureCalls(stack, servers);
    } finally {
      await stack.stop();
    }
  } finally {
    for (const server of servers) await server.stop();
  }
}

export const panelWallLines = ({ engines, engineMs, idealMs, wallMs, versions: { node, workerd } }: PanelWall) => [
  `panel of ${engines} engines, 30 answers of ${engineMs} ms each, ideal ${idealMs} ms: ${wallMs.map((time) => time.toFixed(0)).join(', ')} ms (median ${round(median(wallMs) / idealMs)}x); node ${node}, workerd ${workerd}`,
];

export const panelWallAims = ({ idealMs, wallMs }: PanelWall): Aim[] => [
  atMost('visibility_panel_4, paid, wall against the ideal (median)', median(wallMs) / idealMs, WALL_SHARE, 'x'),
];

async function measureCalls(stack: Stack, servers: readonly ChatServer[]): Promise<PanelWall> {
  const buyer = await stack.chain.freshAccount(BUYER_MICRO_USDC);
  const wallMs: number[] = [];
  for (let count = 0; count < CALLS; count += 1) wallMs.push(await buyPanel(stack, buyer));
  for (const { requests } of servers)
    if (requests.length !== CALLS * prompts.length)
      throw new Error(`an engine was asked ${requests.length} times, not ${CALLS * prompts.length}`);
  const idealMs = Math.ceil(prompts.length / LANES) * ENGINE_MS;
  return { engines: names.length, engineMs: ENGINE_MS, idealMs, wallMs, versions: versions() };
}

/** As a buyer does it: the official client asks, signs the terms it gets and asks again. */
async function buyPanel(stack: Stack, buyer: Account): Promise<number> {
  const client = officialClient(buyer);
  client.setSpendControls({ maxAmountPerPayment: '$7' });
  const startedMs = performance.now();
  const answer = await wrapFetchWithPayment(fetch, client)(`${stack.api.url}/api/panels/visibility_panel_4`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ brand: 'Example Desk', niche: NICHE }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const result = (await answer.json()) as { engines?: readonly { valid: number }[] };
  const endedMs = performance.now();
  const valid = (result.engines ?? []).reduce((sum, engine) => sum + engine.valid, 0);
  if (answer.status !== 200 || valid !== names.length * prompts.length)
    throw new Error(`the paid call answered ${answer.status}: ${JSON.stringify(result).slice(0, 300)}`);
  return endedMs - startedMs;
}
