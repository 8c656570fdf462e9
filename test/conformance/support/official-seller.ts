import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Stack } from '../../../local/stack.ts';
import { BASE } from '../../../src/payment/terms/networks-data.ts';

type OfficialSeller = AsyncDisposable & { url: string };

/** What is changed of the official server of MPP. `lifeS`: how long a challenge is good. */
type MppxSettings = { lifeS?: number; fault?: 'settles anything' | 'trusts the challenge that comes back' };

/** A seller of an official package in a process of its own, settled on the chain of the stack by its facilitator. */
async function startSeller(program: string, ...args: readonly string[]): Promise<OfficialSeller> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { url: `http://127.0.0.1:${port.toString().trim()}/paid/report`, [Symbol.asyncDispose]: stop };
}

export const startX402Seller = ({ seller, facilitator }: Stack): Promise<OfficialSeller> =>
  startSeller('x402-seller.mjs', seller.address, facilitator.url);

export const startMppxSeller = ({ seller, facilitator }: Stack, settings: MppxSettings = {}): Promise<OfficialSeller> =>
  startSeller(
    'mppx-seller.mjs',
    JSON.stringify({
      recipient: seller.address,
      currency: BASE.usdc,
      chainId: BASE.chainId,
      facilitator: facilitator.url,
      ...settings,
    }),
  );
