import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Hex, isHash } from 'viem';
import { buyWithX402 } from './buyer.ts';
import { type BuyerTools, DEFAULT_MAX_USD_PER_DAY, type OpenablePurchase, type Purchase } from './order.ts';
import type { LocalResult } from '../audit/local-run.ts';
import { refusePdf } from '../audit/pdf.ts';
import { renderSiteResult } from '../audit/site-commands.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import { writeResult } from '../core/output.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { createFileCounter } from './spending.ts';
import { buyWithTransfer, presentTransfer } from './transfer.ts';
import { parseJson } from '../../lib/json.ts';
import { EXIT } from '../core/usage.ts';
import { chooseWallet, readStack, STACK_FILE, type Wallet } from './wallet.ts';

const DEFAULT_MAX_USD = 1;
/** The demo buyer's money is worth nothing, and is gone at the next start. */
const DEMO_MAX_USD_PER_DAY = 10_000;

type Paying = { by: 'x402' } | { by: 'transfer' } | { by: 'hash'; hash: Hex };

type BuyValues = GivenWords<CommandTable['buy']['options']>['values'];

type BuyRequest = {
  capability: string;
  body: Record<string, unknown>;
  maxUsd: number;
  pay: Paying;
  values: BuyValues;
};

/**
 * `sightline buy <capability> <url>`: buys from a service and prints the result; `sightline buy credits_5` tops an account up. Without `--base` it buys from the
 * running local stack. On this machine the stack's demo buyer pays, elsewhere the key in SIGHTLINE_WALLET_KEY (rule P8).
 */
export async function buyCommand(args: readonly string[]): Promise<CommandEnd> {
  const wanted = parseWanted(args);
  if (isFailure(wanted)) return wanted;
  // Before anything is paid.
  const refused = await refusePdf(wanted.values);
  if (refused !== undefined) return refused;
  const base = wanted.values.base;
  const stack = base === undefined ? await readStack(STACK_FILE) : undefined;
  if (stack?.ok === false) return refuseCommand(stack.reason, stack.detail, EXIT.unreachable, NAME_SERVICE);
  const baseUrl = base ?? stack?.stack.api ?? '';
  const wallet = await chooseWallet(baseUrl, process.env, STACK_FILE);
  if (!wallet.ok) return refuseCommand(wallet.reason, `${wallet.reason}: ${wallet.detail}`, EXIT.usage);
  const purchase = await pay(wanted, baseUrl, wallet);
  if (isFailure(purchase)) return purchase;
  if (!purchase.ok) return refusePurchase(purchase);
  // Every format takes a result of the service.
  return writeResult(await renderSiteResult(purchase.result as LocalResult, wanted.values), wanted.values);
}

const NAME_SERVICE = 'Name the service with --base <url>; npm start in a checkout runs one here.';

/** Pays in the wanted way; a failure says what is missing for it. */
async function pay(
  wanted: BuyRequest,
  baseUrl: string,
  { account, rpcUrl, loopback }: Wallet,
): Promise<Purchase | CommandFailure> {
  const { capability, body, maxUsd, values } = wanted;
  const prove = values.proof === true;
  const maxUsdPerDay = loopback ? DEMO_MAX_USD_PER_DAY : DEFAULT_MAX_USD_PER_DAY;
  const order: OpenablePurchase = { baseUrl, capability, body, account, maxUsd, maxUsdPerDay };
  const tools: BuyerTools = { fetch, counter: createFileCounter(getSpendingFile(loopback)), nowMs: Date.now, sleep };
  if (wanted.pay.by === 'x402') return buyWithX402(order, tools);
  if (wanted.pay.by === 'hash') return presentTransfer({ ...order, prove }, wanted.pay.hash, tools);
  const rpc = loopback ? rpcUrl : (values.rpc ?? rpcUrl);
  return rpc === undefined
    ? refuseUsage('A transfer needs the chain: --rpc <url>, or RPC_URL.')
    : buyWithTransfer({ ...order, prove, rpcUrl: rpc }, tools);
}

const getSpendingFile = (loopback: boolean): string =>
  loopback ? join('.local', 'spending.json') : join(homedir(), '.config', 'sightline', 'spending.json');

function refusePurchase({ reason, detail, signed, transaction }: Purchase & { ok: false }): CommandFailure {
  const unreachable = reason === 'service_unreachable' || reason === 'target_unreachable';
  const paid =
    transaction !== undefined
      ? `The transfer ${transaction} was sent. Present it again with --hash ${transaction}; do not pay again.`
      : signed
        ? 'A payment was signed and may still be settled: check the account before you pay again.'
        : 'Nothing was signed or paid.';
  const next = reason === 'amount_above_cap' ? 'Raise the limit with --max-usd <amount>.' : undefined;
  const exit = unreachable ? EXIT.unreachable : EXIT.below;
  return { ...refuseCommand(formatSafeLine(reason), `${reason}: ${detail}`, exit, next), detail: [paid] };
}

function parseWanted(args: readonly string[]): BuyRequest | CommandFailure {
  const given = parseCommand('buy', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const [capability = '', ...fields] = words;
  if (!/^[a-z0-9_]{1,40}$/.test(capability)) return refuseUsage('Name the capability to buy, such as full_audit.');
  const body = parseFields(fields);
  if (typeof body === 'string') return refuseUsage(body);
  const maxUsd = values['max-usd'] === undefined ? DEFAULT_MAX_USD : Number(values['max-usd']);
  if (!Number.isFinite(maxUsd) || maxUsd <= 0) return refuseUsage('--max-usd takes an amount in USD, such as 0.50.');
  const paying = parsePaying(values.transfer === true, values.hash);
  if (typeof paying === 'string') return refuseUsage(paying);
  if (values.proof === true && paying.by === 'x402') return refuseUsage('--proof goes with --transfer or --hash.');
  return { capability, body, maxUsd, pay: paying, values };
}

function parsePaying(byTransfer: boolean, hash: string | undefined): Paying | string {
  if (hash === undefined) return { by: byTransfer ? 'transfer' : 'x402' };
  return isHash(hash) ? { by: 'hash', hash } : '--hash takes a transaction hash: 0x and 64 hex digits.';
}

/**
 * The request body: addresses first, then `key=value` pairs. The second address is the competitor. A value that starts
 * with [ or { is JSON (weak_spots).
 */
function parseFields(fields: readonly string[]): Record<string, unknown> | string {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const pair = /^([a-z_]{1,40})=(.*)$/s.exec(field);
    const [key, text] = pair
      ? [pair[1] ?? '', pair[2] ?? '']
      : [Object.hasOwn(body, 'url') ? 'competitor' : 'url', field];
    if (Object.hasOwn(body, key)) return `${key} is given twice.`;
    const value = parseValue(text);
    if (value === undefined) return `${key} is not valid JSON.`;
    body[key] = pair ? value : completeAddress(text);
  }
  return body;
}

/** A bare host is https: the service tries http where that cannot be connected to. */
const completeAddress = (text: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);

const parseValue = (text: string): unknown => (/^[[{]/.test(text) ? parseJson(text) : text);
