import type { PanelEngine } from './panel.ts';

/** Which engines an order asks: how many its price pays for, and their names where the caller chose. */
export type EngineOrder = { count: number; names?: readonly string[] | undefined };

export type ChosenEngines = { ok: true; engines: readonly PanelEngine[] } | { ok: false; detail: string };

/** The engines of an order, in the order of the wish or else of the settings; or in our words what is missing. */
export function chooseEngines(configured: readonly PanelEngine[], { count, names }: EngineOrder): ChosenEngines {
  const listed = configured.map(({ name }) => name).join(', ');
  if (configured.length < count)
    return { ok: false, detail: `${count} engines are sold here, and ${configured.length} are configured (${listed})` };
  if (names === undefined) return { ok: true, engines: configured.slice(0, count) };
  const engines = names.flatMap((wanted) => configured.find(({ name }) => name === wanted) ?? []);
  if (engines.length !== count || new Set(names).size !== count)
    return { ok: false, detail: `engines must name ${count} of these: ${listed}` };
  return { ok: true, engines };
}
