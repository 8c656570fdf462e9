import { mountBuying } from './parts/buying.ts';

/** Credits are bought like a report, and come without an order: the panel says how many. */
const panel = document.querySelector<HTMLElement>('[data-buy="panel"]');
const capability = panel?.dataset['capability'];
if (panel && capability !== undefined) mountBuying(panel, () => ({ capability, body: {} }));
