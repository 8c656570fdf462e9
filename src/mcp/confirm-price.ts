import {
  type CallToolResult,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { findCapability } from '../capabilities/catalog.ts';
import { buildProblem } from '../problems/codes.ts';
import { PAYMENT_META } from './payment-meta.ts';
import { buildProblemResult } from './result.ts';
import { formatShortUsd } from './tools.ts';

/** From this price on, in micro-USDC, the user is asked before credits are spent, where the client can ask. */
export const CONFIRM_FROM_MICRO_USDC = 500_000;
/** How long a client of the 2025 era may take for the answer of its user, in milliseconds. */
export const CONFIRM_TIMEOUT_MS = 300_000;
/** An answer that is none is asked for once more. */
export const CONFIRM_ROUNDS = 2;

/**
 * The question for the price, where it has to be asked: the client can show forms, and the call would be paid from credits
 * and not by a payment of its own. A refusal is a result, and nothing is reserved or debited before the answer. Clients
 * that cannot ask go on as they are.
 * @returns undefined when the call may go on
 */
export function askPrice(
  server: Server,
  name: string,
  context: ServerContext,
): InputRequiredResult | CallToolResult | undefined {
  const priceMicroUsdc = findCapability(name)?.priceMicroUsdc ?? 0;
  if (priceMicroUsdc < CONFIRM_FROM_MICRO_USDC || hasPayment(context) || !canAsk(server, context)) return undefined;
  const key = `buy_${priceMicroUsdc}`; // A yes to another price is none.
  const answer = inputResponse(context.mcpReq.inputResponses, key);
  if (answer.kind !== 'elicit') return buildQuestion(key, name, priceMicroUsdc);
  return answer.action === 'accept' && answer.content?.['buy'] === true ? undefined : buildProblemResult(DECLINED);
}

function buildQuestion(key: string, name: string, priceMicroUsdc: number): InputRequiredResult {
  const usd = formatShortUsd(priceMicroUsdc);
  return inputRequired({
    inputRequests: {
      [key]: inputRequired.elicit({
        message: `${name} costs ${usd} USD, which is taken from your prepaid credits. Buy it?`,
        requestedSchema: {
          type: 'object',
          properties: { buy: { type: 'boolean', title: `Pay ${usd} USD` } },
          required: ['buy'],
        },
      }),
    },
  });
}

const DECLINED = buildProblem('declined');

function hasPayment({ mcpReq, http }: ServerContext): boolean {
  const origin = http?.authInfo?.extra;
  return (
    mcpReq._meta?.[PAYMENT_META] !== undefined ||
    origin?.['paymentHeader'] !== undefined ||
    http?.req?.headers.has('payment-signature') === true
  );
}

/** A bare `elicitation: {}` means forms. */
function canAsk(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const own: ClientCapabilities = Object(envelope[CLIENT_CAPABILITIES_META_KEY]); // The SDK has judged it.
  const { elicitation } =
    envelope[CLIENT_CAPABILITIES_META_KEY] === undefined ? { ...server.getClientCapabilities() } : own;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
