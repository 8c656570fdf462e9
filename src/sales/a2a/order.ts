import { X402_EXTENSION } from '../../a2a/payment-metadata.ts';
import { HOW_TO_ASK, readWantedSkill, type WantedSkill } from '../../a2a/order-text.ts';
import type { IncomingMessage } from '../../a2a/message.ts';
import { isFreeSkill } from '../../a2a/skills.ts';
import type { TaskOrder, TaskStatus } from '../../a2a/task.ts';
import type { AnyCapability } from '../../capabilities/capability.ts';
import { findCapability } from '../../capabilities/catalog.ts';
import { isWithinBytes } from '../../lib/utf8.ts';
import { buildProblemResult } from '../../mcp/result.ts';
import { BAD_VIEW, readWantedView, VIEW_META } from '../../mcp/sold-result.ts';
import { formatShortUsd } from '../../mcp/tools.ts';
import { describeBodyLimit } from '../../problems/common.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import { checkTargets } from '../purchase.ts';
import { MAX_ORDER_BODY_BYTES, readOrderInput } from '../read-order.ts';
import { buildOfferedSale } from '../seller.ts';
import type { A2aPorts } from './ports.ts';

type Status = Omit<TaskStatus, 'atMs'>;

/** What a message asks for: a paid skill with its price, or why there is none and what to send. */
export type AskedOrder =
  | { kind: 'priced'; order: TaskOrder; row: AnyCapability; status: Status }
  | { kind: 'free'; wanted: WantedSkill }
  | { kind: 'unclear'; status: Status }
  | { kind: 'unsold'; order: TaskOrder; status: Status };

/**
 * Reads what a message asks for and judges its input as the purchase will, so that no price is named for what cannot be done. Costs no request.
 */
export async function readAskedOrder(
  { sales }: A2aPorts,
  { parts, metadata }: Pick<IncomingMessage, 'parts' | 'metadata'>,
): Promise<AskedOrder> {
  const read = readWantedSkill(parts);
  if (!read.ok) return refuseOrder(read.why);
  const { skill, input } = read.wanted;
  if (isFreeSkill(skill)) return { kind: 'free', wanted: read.wanted };
  const row = findCapability(skill);
  if (row === undefined) return refuseOrder('No skill has this name.');
  const view = readWantedView({ [VIEW_META]: metadata[VIEW_META] ?? 'full' });
  if (view === undefined) return refuseInput(buildProblem('invalid_view', { detail: BAD_VIEW }));
  if (!isWithinBytes(JSON.stringify(input), MAX_ORDER_BODY_BYTES))
    return refuseInput(buildProblem('body_too_large', { detail: describeBodyLimit(MAX_ORDER_BODY_BYTES) }));
  const asked = await readOrderInput(row, input);
  if (!asked.ok) return refuseInput(asked.problem);
  const target = checkTargets(asked.asked, sales.policy);
  if (target?.kind === 'problem') return refuseInput(target.problem);
  const order = { skill, input, view };
  const outcome = await buildOfferedSale(sales, row);
  const unsold = outcome.ok ? outcome.sale.closed : outcome.problem;
  if (unsold !== undefined) return { kind: 'unsold', order, status: describeProblem('rejected', unsold) };
  return { kind: 'priced', order, row, status: describePrice(row) };
}

const refuseOrder = (why: string): AskedOrder => ({
  kind: 'unclear',
  status: { state: 'input-required', text: `${why} ${HOW_TO_ASK}` },
});

const refuseInput = (problem: ProblemInput): AskedOrder => ({
  kind: 'unclear',
  status: describeProblem('input-required', problem),
});

/** A problem as the status of a task: our words, and its members as data. */
export function describeProblem(state: Status['state'], problem: ProblemInput): Status {
  const { content, structuredContent } = buildProblemResult(problem);
  const [first] = content;
  return {
    state,
    text: first?.type === 'text' ? first.text : problem.title,
    ...(structuredContent === undefined ? {} : { problem: { ...structuredContent } }),
  };
}

const describePrice = ({ name, priceMicroUsdc }: AnyCapability): Status => ({
  state: 'input-required',
  payment: 'payment-required',
  text: `${name} costs ${formatShortUsd(priceMicroUsdc)} USDC. Sign the terms in the metadata of this message, and send a message with this taskId and the payment in its metadata. Nothing is charged without a result.`,
});

/** Why a price is not named to a client that does not say it knows the extension, and how to say it. */
export const describeActivation = ({ name, priceMicroUsdc }: AnyCapability): string =>
  `${name} costs ${formatShortUsd(priceMicroUsdc)} USDC: send the header A2A-Extensions (X-A2A-Extensions before 1.0) with ${X402_EXTENSION}`;
