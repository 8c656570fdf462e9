/**
 * A local stack in a process of its own, whose Workers count (`counted`) or are its own (`plain`):
 * `stack-child.ts <counted|plain> <folder> <payers>`. Prints one JSON line (`ScaleStack`) and stops when its input ends.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { startStack } from '../../local/stack.ts';

export type ScaleStack = {
  api: string;
  control: string;
  webhook: string;
  /** The key file of the operator's service account, which tokens are got with. */
  keyFile: string;
  channelKeys: string;
  good: string;
  payTo: `0x${string}`;
  payers: readonly { address: `0x${string}`; privateKey: `0x${string}` }[];
  workerdPid: number;
};

/** Made at each start: what the vendor's stand-in signs its pushes with. */
const CHANNEL_KEYS = `1:${randomBytes(32).toString('base64url')}`;
const PAYER_MICRO_USDC = 1_000_000_000n;
const [kind = '', folder = '', payers = ''] = process.argv.slice(2);
const fileOf = (name: string): string => new URL(name, import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
process.chdir(folder);
process.env['TELEMETRY'] = 'none'; // As deployed, where no setting says otherwise.

const stack = await startStack({
  webhookBindings: { CHANNEL_TOKEN_KEYS: CHANNEL_KEYS },
  ...(kind === 'plain'
    ? {}
    : {
        entry: fileOf('counted-api-worker.ts'),
        controlEntry: fileOf('counted-control-worker.ts'),
        webhookEntry: fileOf('counted-webhook-worker.ts'),
      }),
});
process.stdin.resume();
try {
  const accounts: { address: `0x${string}`; privateKey: `0x${string}` }[] = [];
  for (let made = 0; made < Number(payers); made += 1) {
    const { address, privateKey } = await stack.chain.freshAccount(PAYER_MICRO_USDC);
    accounts.push({ address, privateKey });
  }
  const { api, control, webhook, operator, sites, seller } = stack.file;
  const workerdPid = stack.api.pid();
  if (control === undefined || webhook === undefined || operator === undefined || workerdPid === undefined)
    throw new Error('the stack lacks a part');
  const facts: ScaleStack = {
    api,
    control,
    webhook,
    keyFile: operator.keyFile,
    channelKeys: CHANNEL_KEYS,
    good: sites.good,
    payTo: seller.address,
    payers: accounts,
    workerdPid,
  };
  console.log(JSON.stringify(facts));
  await once(process.stdin, 'end');
} finally {
  await stack.stop();
}
process.exit();
