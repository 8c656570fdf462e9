import { type Hex, isHash } from 'viem';
import { buyWithX402 } from './buyer.ts';
import {
  type BuyerTools,
  DEFAULT_MAX_USD_PER_DAY,
  DEMO_MAX_USD_PER_DAY,
  forgetOrder,
  type OpenablePurchase,
  type Purchase,
} from './order.ts';
import type { LocalResult } from '../audit/local-run.ts';
import { NETWORK } from '../../payment/terms/constants.ts';
import { formatPaidLine } from '../audit/print.ts';
import { refuseOutput } from '../audit/output-check.ts';
import { renderSiteResult } from '../audit/render-site.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import { createHints, createNotes, writeWholeResult } from '../core/output.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { printDryRun } from './dry-run.ts';
import { describeOtherNetworks, type PaymentNetwork, readNetwork } from './network.ts';
import { createBuyerTools } from './tools.ts';
import type { ProvablePurchase } from './present-transfer.ts';
import { buyWithTransfer, presentTransfer } from './transfer.ts';
import { parseOrderFields, refuseBody } from './typed-order.ts';
import { EXIT } from '../core/usage.ts';
import { chooseWallet, readStack, STACK_FILE, type Wallet } from './wallet.ts';

const DEFAULT_MAX_USD = 1;

type Paying = { by: 'x402' } | { by: 'transfer' } | { by: 'hash'; hash: Hex };

type BuyValues = GivenWords<CommandTable['buy']['options']>['values'];

type BuyRequest = {
  capability: string;
  body: Record<string, unknown>;
  maxUsd: number;
  network: PaymentNetwork;
  pay: Paying;
  values: BuyValues;
};

/**
 * `sightline buy <capability> <url>`: buys from a service and prints the result; `sightline buy credits_5` tops an account up. Without `--base` it buys from the
 * running local stack. On this machine the stack's demo buyer pays, elsewhere the key in SIGHTLINE_WALLET_KEY (rule P8).
 * The same command after any failure sends the same payment.
 */
export async function buyCommand(args: readonly string[]): Promise<CommandEnd> {
  const wanted = parseWanted(args);
  if (isFailure(wanted)) return wanted;
  const { capability, body, values } = wanted;
  // Before anything is paid.
  const refused = (await refuseOutput(capability, values)) ?? (await refuseBody(capability, body));
  if (refused !== undefined) return refused;
  const { base } = values;
  const stack = base === undefined ? await readStack(STACK_FILE) : undefined;
  if (stack?.ok === false) return refuseCommand(stack.reason, stack.detail, EXIT.unreachable, NAME_SERVICE);
  const baseUrl = base ?? stack?.stack.api ?? '';
  if (values['dry-run'] === true)
    return printDryRun({ baseUrl, capability, body }, values, createBuyerTools({ loopback: false }).fetch);
  const wallet = await chooseWallet(baseUrl, process.env, STACK_FILE);
  if (!wallet.ok) return refuseCommand(wallet.reason, `${wallet.reason}: ${wallet.detail}`, EXIT.usage);
  const order = buildOrder(wanted, baseUrl, wallet);
  const tools = createBuyerTools(wallet);
  const purchase = await pay(wanted, order, wallet, tools);
  if (isFailure(purchase)) return purchase;
  if (!purchase.ok) return refusePurchase(purchase, formatAgain(values));
  return deliver(purchase, order, values, tools);
}

/** Writes the result. Its payment is forgotten only then: until it is written, the same command gets it again, free. */
async function deliver(
  purchase: Purchase & { ok: true },
  order: OpenablePurchase,
  values: BuyValues,
  tools: BuyerTools,
): Promise<CommandEnd> {
  const { result, paidAtMs } = purchase;
  const next = `Run ${formatAgain(values)} again, with another file or format if you like: it pays nothing more.`;
  if (paidAtMs !== undefined) createNotes(values)(formatResumed(paidAtMs));
  const ended = await writeWholeResult(await renderOrSay(result, order, { values, next }), values);
  if (isFailure(ended)) return { ...ended, detail: [...(ended.detail ?? []), formatPlace(result, order)], next };
  const paid = values.output === undefined ? undefined : formatPaidLine(result);
  if (paid !== undefined) createHints(values)(`${paid}. ${formatPlace(result, order)}`);
  await forgetOrder(order, purchase, tools);
  return ended;
}

/** Where rendering breaks, which is a fault of this program, the buyer still hears where the result is. */
async function renderOrSay(
  result: Record<string, unknown>,
  order: OpenablePurchase,
  { values, next }: { values: BuyValues; next: string },
) {
  try {
    // Every format that is left takes a result of the service.
    return await renderSiteResult(result as LocalResult, values);
  } catch (error) {
    process.stderr.write(`${formatPlace(result, order)}\n${next}\n`);
    throw error;
  }
}

/** What gets the result of this payment: with --new it would pay once more. */
const formatAgain = (values: BuyValues): string =>
  values.new === true ? 'the same command without --new' : 'the same command';

const formatResumed = (paidAtMs: number): string =>
  `This is the result of the payment from ${formatUtcMinute(paidAtMs)}, whose run did not end. Nothing more was paid; --new buys another one.`;

const formatUtcMinute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Where a paid result is stored. */
function formatPlace({ report_id: id }: Record<string, unknown>, { baseUrl }: OpenablePurchase): string {
  const isId = typeof id === 'string' && /^[0-9a-f]{32}$/.test(id);
  return isId
    ? `The result is paid for and stored: ${new URL(`/reports/${id}`, baseUrl).href}`
    : 'The result is paid for.';
}

const NAME_SERVICE = 'Name the service with --base <url>; npm start in a checkout runs one here.';

function buildOrder(
  { capability, body, maxUsd, network, values }: BuyRequest,
  baseUrl: string,
  { account, loopback }: Wallet,
): ProvablePurchase {
  const maxUsdPerDay = loopback ? DEMO_MAX_USD_PER_DAY : DEFAULT_MAX_USD_PER_DAY;
  const ways = { prove: values.proof === true, isNew: values.new === true };
  return { baseUrl, capability, body, account, maxUsd, maxUsdPerDay, network, ...ways };
}

/** Pays in the wanted way; a failure says what is missing for it. */
async function pay(
  { pay: paying, network, values }: BuyRequest,
  order: ProvablePurchase,
  { rpcUrl, loopback }: Wallet,
  tools: BuyerTools,
): Promise<Purchase | CommandFailure> {
  if (paying.by === 'x402') return buyWithX402(order, tools);
  if (paying.by === 'hash') return presentTransfer(order, paying.hash, tools);
  // The chain of the local stack is the first one that its service is paid on.
  const isOfStack = loopback && network === NETWORK;
  const rpc = isOfStack ? rpcUrl : (values.rpc ?? (loopback ? undefined : rpcUrl));
  return rpc === undefined
    ? refuseUsage(`A transfer needs the chain: --rpc <url>${loopback ? '' : ', or RPC_URL'}.`)
    : buyWithTransfer({ ...order, rpcUrl: rpc }, tools);
}

/** What to do about a refusal, where that is one thing. */
const NEXT: Readonly<Partial<Record<string, string>>> = {
  amount_above_cap: 'Raise the limit with --max-usd <amount>.',
};

function refusePurchase(purchase: Purchase & { ok: false }, again: string): CommandFailure {
  const { reason, detail } = purchase;
  const unreachable = reason === 'service_unreachable' || reason === 'target_unreachable';
  const next = NEXT[reason] ?? describeOtherNetworks(purchase.offered);
  const exit = unreachable ? EXIT.unreachable : EXIT.below;
  const refused = refuseCommand(formatSafeLine(reason), `${reason}: ${detail}`, exit, next);
  return { ...refused, detail: describeMoney(purchase, again) };
}

/** What became of the money, and what the same command does. `again`: that command in words. */
function describeMoney(
  { signed, status, reason, transaction }: Purchase & { ok: false },
  again: string,
): readonly string[] {
  if (transaction !== undefined)
    return [
      `The transfer ${transaction} was sent.`,
      `Run ${again} again: it sends no other transfer. From another machine: --hash ${transaction}.`,
    ];
  if (!signed) return ['Nothing was signed or paid.'];
  if (status === 402) return ['A payment was signed, and the service says that it was not taken.'];
  if (status === 422)
    return [
      `A payment was signed, and not taken for this. Run ${again} again: it sends the same payment, and you pay once at most.`,
    ];
  if (reason === 'payment_already_used')
    return ['This payment was used, and its result cannot be fetched with it any more. To pay for another one: --new.'];
  return [`A payment was signed. Run ${again} again: it sends the same payment, so that you pay once.`];
}

function parseWanted(args: readonly string[]): BuyRequest | CommandFailure {
  const given = parseCommand('buy', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const [capability = '', ...fields] = words;
  if (!/^[a-z0-9_]{1,40}$/.test(capability)) return refuseUsage('Name the capability to buy, such as full_audit.');
  const body = parseOrderFields(capability, fields);
  if (typeof body === 'string') return refuseUsage(body);
  const maxUsd = values['max-usd'] === undefined ? DEFAULT_MAX_USD : Number(values['max-usd']);
  if (!Number.isFinite(maxUsd) || maxUsd <= 0) return refuseUsage('--max-usd takes an amount in USD, such as 0.50.');
  const network = readNetwork(values);
  if (isFailure(network)) return network;
  const paying = parsePaying(values.transfer === true, values.hash);
  if (typeof paying === 'string') return refuseUsage(paying);
  if (values.proof === true && paying.by === 'x402') return refuseUsage('--proof goes with --transfer or --hash.');
  return { capability, body, maxUsd, network, pay: paying, values };
}

function parsePaying(byTransfer: boolean, hash: string | undefined): Paying | string {
  if (hash === undefined) return { by: byTransfer ? 'transfer' : 'x402' };
  return isHash(hash) ? { by: 'hash', hash } : '--hash takes a transaction hash: 0x and 64 hex digits.';
}
