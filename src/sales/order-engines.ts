import type { SoldRow } from '../capabilities/credit-packs.ts';
import { type ChosenEngines, chooseEngines } from '../models/chosen-engines.ts';
import { computePanelUsd, type PanelChoice, type PanelEngine } from '../models/panel.ts';
import { buildProblem } from '../problems/codes.ts';
import { PROMPT_COUNT } from '../visibility/run/prompts.ts';
import type { PurchaseAnswer } from './answer.ts';
import type { OrderInput } from './read-order.ts';

/** The engines that an order asks: those that its body names, or the first ones, as many as its row pays for. */
export const chooseOrderEngines = (
  configured: readonly PanelEngine[],
  { engineCount = 1 }: Pick<SoldRow, 'engineCount'>,
  { engines }: Record<string, unknown>,
): ChosenEngines => chooseEngines(configured, { count: engineCount, names: isNameList(engines) ? engines : undefined });

/** What its engines cost for an order, in USD: their prices are for a set of 30 prompts. */
export function computeOrderUsd(engines: readonly PanelEngine[], { prompts }: Record<string, unknown>): number {
  const asked = Array.isArray(prompts) ? prompts.length : PROMPT_COUNT;
  return (computePanelUsd(engines) * asked) / PROMPT_COUNT;
}

/** Why an order cannot be sold: it names engines that are not configured. */
export function checkOrderEngines(
  { row, input }: OrderInput,
  configured: () => PanelChoice,
): PurchaseAnswer | undefined {
  if (!row.engineBacked || input['engines'] === undefined) return undefined;
  const choice = configured();
  // Without engines nothing new is sold, which is said where the sale is offered; what was sold is served.
  if (!choice.ok) return undefined;
  const chosen = chooseOrderEngines(choice.engines, row, input);
  if (chosen.ok) return undefined;
  const problem = buildProblem('invalid_body', { errors: [{ pointer: '/engines', message: chosen.detail }] });
  return { kind: 'problem', problem };
}

/** The input was parsed by the schema of its row: this is for the compiler. */
const isNameList = (value: unknown): value is readonly string[] => Array.isArray(value);
