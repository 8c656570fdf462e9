import type { SoldRow } from '../capabilities/credit-packs.ts';
import { type ChosenEngines, chooseEngines } from '../models/chosen-engines.ts';
import { computePanelUsd, type PanelEngine } from '../models/panel.ts';
import { PROMPT_COUNT } from '../visibility/run/prompts.ts';

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

/** The input was parsed by the schema of its row: this tells the compiler. */
const isNameList = (value: unknown): value is readonly string[] => Array.isArray(value);
