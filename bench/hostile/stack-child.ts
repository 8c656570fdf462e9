/**
 * A local stack in a process of its own: `stack-child.ts <checkout> <folder> <payers> <micro-USDC of each>`, where `checkout` is
 * the code to run and `folder` holds its state. Prints one JSON line (`StackFacts`) once the stack is ready, and stops
 * when its input ends.
 */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as LocalStack from '../../local/stack.ts';

/** A payer of the stack's chain and its key, which was made at this start. */
export type Payer = { address: `0x${string}`; privateKey: `0x${string}` };
export type StackFacts = {
  api: string;
  control: string;
  token: string;
  good: string;
  rpc: string;
  payTo: `0x${string}`;
  payers: readonly Payer[];
  workerdPid: number;
  anvilPid: number;
};

const [checkout = '', folder = '', payers = '', microUsdc = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
process.chdir(folder);

const { startStack } = (await import(join(checkout, 'local/stack.ts'))) as typeof LocalStack;
const stack = await startStack();
process.stdin.resume();
try {
  console.log(JSON.stringify(await factsOf()));
  await once(process.stdin, 'end');
} finally {
  await stack.stop();
}
process.exit();

async function factsOf(): Promise<StackFacts> {
  const accounts: Payer[] = [];
  for (let made = 0; made < Number(payers); made += 1) {
    const { address, privateKey } = await stack.chain.freshAccount(BigInt(microUsdc));
    accounts.push({ address, privateKey });
  }
  const { api, control, operator, rpc, sites, seller } = stack.file;
  const [workerdPid, anvilPid] = [stack.api.pid(), stack.chain.pid()];
  if (control === undefined || operator === undefined || workerdPid === undefined || anvilPid === undefined)
    throw new Error('the stack lacks a part');
  return {
    api,
    control,
    token: operator.token,
    good: sites.good,
    rpc,
    payTo: seller.address,
    payers: accounts,
    workerdPid,
    anvilPid,
  };
}
