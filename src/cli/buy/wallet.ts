import { parseJson } from '../../lib/json.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { addressSchema, bytes32Schema, parseBaseUrl, type ServiceRefusal } from './service.ts';

/** Environment variable with the private key that pays services on Base. Never used against this machine. */
export const WALLET_KEY_VARIABLE = 'SIGHTLINE_WALLET_KEY';

/** Where `npm start` says what runs; relative to the folder that a command is run in. */
export const STACK_FILE = join('.local', 'stack.json');

const httpUrl = z.url({ protocol: /^https?$/ });

/** What `npm start` writes there while it runs. */
export const stackSchema = z.object({
  api: httpUrl,
  webhook: httpUrl.optional(),
  control: httpUrl.optional(),
  /** Host and port of gRPC in front of the control Worker. */
  grpc: z.string().optional(),
  rpc: httpUrl,
  facilitator: httpUrl,
  /** The stand-in of Stripe, where its page pays by card; stacks of earlier versions have none. */
  stripe: httpUrl.optional(),
  sites: z.object({ good: httpUrl, poor: httpUrl }),
  buyer: z.object({ address: addressSchema, privateKey: bytes32Schema }),
  seller: z.object({ address: addressSchema }),
  /** The operator's service account: a token of an hour for `control`, the key file for newer ones, and the names of its tenant. */
  operator: z
    .object({
      token: z.string(),
      keyFile: z.string(),
      /** Signs in as the operator: at the console, and at the api. */
      secret: z.string(),
      customerId: z.string(),
      domain: z.string(),
      project: z.string(),
    })
    .optional(),
});
export type StackFile = z.infer<typeof stackSchema>;

export type StackRefusal = { ok: false; reason: 'no_local_stack' | 'stack_file_unreadable'; detail: string };

/** Reads the stack file. */
export async function readStack(path: string): Promise<{ ok: true; stack: StackFile } | StackRefusal> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return {
      ok: false,
      reason: 'no_local_stack',
      detail: `no local stack runs in this folder (${path} ${error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'is not there' : 'cannot be read'}).`,
    };
  }
  const stack = stackSchema.safeParse(parseJson(text));
  return stack.success
    ? { ok: true, stack: stack.data }
    : {
        ok: false,
        reason: 'stack_file_unreadable',
        detail: `${path} is not a stack file: ${stack.error.issues[0]?.message ?? ''}`,
      };
}

export type Wallet = { ok: true; account: LocalAccount; rpcUrl: string | undefined; loopback: boolean };
export type WalletRefusal = StackRefusal | ServiceRefusal | { ok: false; reason: 'no_wallet'; detail: string };

/**
 * The account that pays `baseUrl`. On this machine that is the demo buyer of the stack file and nothing else: the local
 * chain calls itself Base, so a signature of a real key could be cashed on the real one (rule P8). Elsewhere it is the
 * key in the environment, and never the demo buyer's.
 */
export async function chooseWallet(
  baseUrl: string,
  environment: Readonly<Record<string, string | undefined>>,
  stackPath: string,
): Promise<Wallet | WalletRefusal> {
  const base = parseBaseUrl(baseUrl);
  if (!base.ok) return base;
  if (base.loopback) {
    const local = await readStack(stackPath);
    if (!local.ok) {
      const pays = `On this machine the demo buyer of the local stack pays, and never ${WALLET_KEY_VARIABLE}: run the command in the clone in which npm start runs.`;
      return { ...local, detail: `${local.detail} ${pays}` };
    }
    const { buyer, rpc } = local.stack;
    return { ok: true, account: privateKeyToAccount(buyer.privateKey), rpcUrl: rpc, loopback: true };
  }
  const key = bytes32Schema.safeParse(environment[WALLET_KEY_VARIABLE]);
  if (!key.success) {
    return {
      ok: false,
      reason: 'no_wallet',
      detail: `set ${WALLET_KEY_VARIABLE} to the private key (0x and 64 hex digits) that pays`,
    };
  }
  return { ok: true, account: privateKeyToAccount(key.data), rpcUrl: environment['RPC_URL'], loopback: false };
}
