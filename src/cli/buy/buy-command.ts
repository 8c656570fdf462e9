import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Hex, isHash } from 'viem';
import { buyWithX402 } from './buyer.ts';
import { type BuyerTools, DEFAULT_MAX_USD_PER_DAY, type OpenablePurchase, type Purchase } from './order.ts';
import { renderResult } from '../audit/print.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { createFileCounter } from './spending.ts';
import { buyWithTransfer, presentTransfer } from './transfer.ts';
import { parseJson } from '../../lib/json.ts';
import { EXIT, parseArguments, printFailure, printUsageError } from '../core/usage.ts';
import { chooseWallet, readStack, STACK_FILE, type Wallet } from './wallet.ts';

const DEFAULT_MAX_USD = 1;
/** The demo buyer's money is worth nothing, and is gone at the next start. */
const DEMO_MAX_USD_PER_DAY = 10_000;

type Paying = { by: 'x402' } | { by: 'transfer' } | { by: 'hash'; hash: Hex };

type BuyRequest = {
  capability: string;
  body: Record<string, unknown>;
  base: string | undefined;
  maxUsd: number;
  pay: Paying;
  prove: boolean;
  rpc: string | undefined;
  json: boolean;
};

/**
 * `sightline buy <capability> <url>`: buys from a service and prints the result; `sightline buy credits_5` tops an account up. Without `--base` it buys from the
 * running local stack. On this machine the stack's demo buyer pays, elsewhere the key in SIGHTLINE_WALLET_KEY (rule P8).
 */
export async function buyCommand(args: readonly string[]): Promise<number> {
  const wanted = parseWanted(args);
  if (typeof wanted === 'string') return printUsageError(wanted);
  const stack = wanted.base === undefined ? await readStack(STACK_FILE) : undefined;
  if (stack?.ok === false) return printFailure(stack.detail, EXIT.unreachable);
  const baseUrl = wanted.base ?? stack?.stack.api ?? '';
  const wallet = await chooseWallet(baseUrl, process.env, STACK_FILE);
  if (!wallet.ok) return printFailure(`${wallet.reason}: ${wallet.detail}`, EXIT.usage);
  const purchase = await pay(wanted, baseUrl, wallet);
  if (typeof purchase === 'string') return printFailure(purchase, EXIT.usage);
  if (!purchase.ok) return report(purchase);
  process.stdout.write(wanted.json ? `${formatSafeJson(purchase.result)}\n` : renderResult(purchase.result));
  return EXIT.done;
}

/** Pays in the wanted way; a string says what is missing for it. */
async function pay(
  wanted: BuyRequest,
  baseUrl: string,
  { account, rpcUrl, loopback }: Wallet,
): Promise<Purchase | string> {
  const { capability, body, maxUsd, prove } = wanted;
  const maxUsdPerDay = loopback ? DEMO_MAX_USD_PER_DAY : DEFAULT_MAX_USD_PER_DAY;
  const order: OpenablePurchase = { baseUrl, capability, body, account, maxUsd, maxUsdPerDay };
  const tools: BuyerTools = { fetch, counter: createFileCounter(getSpendingFile(loopback)), nowMs: Date.now, sleep };
  if (wanted.pay.by === 'x402') return buyWithX402(order, tools);
  if (wanted.pay.by === 'hash') return presentTransfer({ ...order, prove }, wanted.pay.hash, tools);
  const rpc = loopback ? rpcUrl : (wanted.rpc ?? rpcUrl);
  return rpc === undefined
    ? 'A transfer needs the chain: --rpc <url>, or RPC_URL.'
    : buyWithTransfer({ ...order, prove, rpcUrl: rpc }, tools);
}

const getSpendingFile = (loopback: boolean): string =>
  loopback ? join('.local', 'spending.json') : join(homedir(), '.config', 'sightline', 'spending.json');

function report({ reason, detail, signed, transaction }: Purchase & { ok: false }): number {
  const lines = [`${formatSafeLine(reason)}: ${formatSafeLine(detail)}`];
  if (transaction !== undefined)
    lines.push(`The transfer ${transaction} was sent. Present it again with --hash ${transaction}; do not pay again.`);
  else if (signed)
    lines.push('A payment was signed. It may still be settled: look at the account before paying again.');
  else lines.push('Nothing was signed or paid.');
  if (reason === 'amount_above_cap') lines.push('Raise the limit with --max-usd <amount>.');
  const unreachable = reason === 'service_unreachable' || reason === 'target_unreachable';
  return printFailure(lines.join('\n'), unreachable ? EXIT.unreachable : EXIT.below);
}

const options = {
  base: { type: 'string' },
  rpc: { type: 'string' },
  hash: { type: 'string' },
  'max-usd': { type: 'string' },
  transfer: { type: 'boolean', default: false },
  proof: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

function parseWanted(args: readonly string[]): BuyRequest | string {
  const parsed = parseArguments(args, options);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [capability, ...fields] = positionals;
  if (capability === undefined || !/^[a-z0-9_]{1,40}$/.test(capability))
    return 'Name the capability to buy, such as full_audit.';
  const body = parseFields(fields);
  if (typeof body === 'string') return body;
  const maxUsd = values['max-usd'] === undefined ? DEFAULT_MAX_USD : Number(values['max-usd']);
  if (!Number.isFinite(maxUsd) || maxUsd <= 0) return '--max-usd takes an amount in USD, such as 0.50.';
  const paying = parsePaying(values.transfer, values.hash);
  if (typeof paying === 'string') return paying;
  if (values.proof && paying.by === 'x402') return '--proof goes with --transfer or --hash.';
  const { base, rpc, json, proof } = values;
  return { capability, body, base, rpc, maxUsd, pay: paying, prove: proof, json };
}

function parsePaying(byTransfer: boolean, hash: string | undefined): Paying | string {
  if (hash === undefined) return { by: byTransfer ? 'transfer' : 'x402' };
  return isHash(hash) ? { by: 'hash', hash } : '--hash takes a transaction hash: 0x and 64 hex digits.';
}

/** The request body: one bare URL, and `key=value` pairs. A value that starts with [ or { is JSON (weak_spots). */
function parseFields(fields: readonly string[]): Record<string, unknown> | string {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const pair = /^([a-z_]{1,40})=(.*)$/s.exec(field);
    const [key, text] = pair ? [pair[1] ?? '', pair[2] ?? ''] : ['url', field];
    if (Object.hasOwn(body, key)) return `${key} is given twice.`;
    const value = parseValue(text);
    if (value === undefined) return `${key} is not valid JSON.`;
    body[key] = value;
  }
  return body;
}

const parseValue = (text: string): unknown => (/^[[{]/.test(text) ? parseJson(text) : text);
