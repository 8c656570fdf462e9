import type { BuyingOrder } from './buying/buying-panel.ts';
import { openBuying } from './buying/buying-desk.ts';
import { germanWords } from './buying/german-words.ts';

/** Brings a panel to life in German; `parts/buying.ts` loads this. */
export default function mount(panel: HTMLElement, order: BuyingOrder): void {
  openBuying(panel, order, germanWords);
}
