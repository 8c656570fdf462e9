import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../conformance/support/mppx-buyer.mjs', import.meta.url));

type Done = { id: number; value?: unknown; error?: string };

/** An answer to a purchase by mppx. */
export type MppxAnswer = { status: number; headers: Record<string, string>; body: string };

/** The key of a buyer, and the EIP-712 domain of the token it pays with. */
export type MppxBuyer = { key: string; domain?: { name: string; version: string } };

const USDC = { name: 'USD Coin', version: '2' };

/** The official client of MPP, in a process of its own. */
export type Mppx = {
  do: (task: string, given: object) => Promise<unknown>;
  sign: (buyer: MppxBuyer, header: string) => Promise<string>;
  buy: (buyer: MppxBuyer, url: string, init: object) => Promise<MppxAnswer>;
  stop: () => Promise<void>;
};

export function startMppx(): Mppx {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (done: Done) => void>();
  readAnswers(child, waiting);
  let last = 0;
  const send = async (task: string, given: object): Promise<unknown> => {
    last += 1;
    const id = last;
    const answered = new Promise<Done>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ id, task, given })}\n`);
    const done = await answered;
    if (done.error !== undefined) throw new Error(done.error);
    return done.value;
  };
  return {
    do: send,
    sign: async (buyer, header) => String(await send('sign', { domain: USDC, ...buyer, header })),
    buy: async (buyer, url, init) => (await send('buy', { domain: USDC, ...buyer, url, init })) as MppxAnswer,
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

function readAnswers(child: Child, waiting: Map<number, (done: Done) => void>): void {
  createInterface({ input: child.stdout }).on('line', (line) => {
    const done = JSON.parse(line) as Done;
    waiting.get(done.id)?.(done);
    waiting.delete(done.id);
  });
  child.once('exit', (code) => {
    for (const [id, finish] of waiting) finish({ id, error: `mppx ended with ${code}` });
  });
}
