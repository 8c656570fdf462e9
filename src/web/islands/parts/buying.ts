import { formatOrderFields } from '../../buying/order-command.ts';
import type { BuyingOrder } from '../buying/buying-panel.ts';

/** How near to the part of the page that is seen a panel is when it is brought to life. */
const MARGIN = '200%';

/** What sells, by the language of the panel. */
const SCRIPTS = { en: '/web/buying-en.js', de: '/web/buying-de.js' } as const;

type Desk = { default: (panel: HTMLElement, order: BuyingOrder) => void };

/** What a panel says whose script does not come, in the languages of pages. */
const NOT_LOADED = {
  en: 'The script of this purchase could not be loaded. Nothing was paid: load the page again.',
  de: 'Das Skript für diesen Kauf konnte nicht geladen werden. Es wurde nichts bezahlt: Laden Sie die Seite neu.',
} as const;

/**
 * Brings a `BuyPanel` to life once it comes into view: what sells is larger than the page around it, and is a file of its own
 * for each language.
 */
export function mountBuying(panel: HTMLElement, order: BuyingOrder): void {
  followOrder(panel, () => order().body);
  const seeing = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seeing.disconnect();
      void load(panel, order);
    },
    { rootMargin: MARGIN },
  );
  seeing.observe(panel);
}

async function load(panel: HTMLElement, order: BuyingOrder): Promise<void> {
  const language = panel.lang === 'de' ? 'de' : 'en';
  const path: string = SCRIPTS[language]; // Not a module of this bundle: its path is known to browsers only.
  try {
    const { default: mount } = (await import(path)) as Desk;
    mount(panel, order);
  } catch {
    const status = panel.querySelector('[data-buy="status"]');
    if (status) status.textContent = NOT_LOADED[language];
  }
}

/**
 * Keeps the command of a `BuyPanel` about what is ordered now. Where nothing is filled in, it is that of the page as it came:
 * an example.
 */
function followOrder(panel: HTMLElement, readBody: () => object): void {
  const block = panel.querySelector<HTMLElement>('[data-buy="command"]');
  const shown = block?.querySelector('code');
  if (!block || !shown) return;
  const first = shown.textContent;
  const { before = '', after = '' } = block.dataset;
  const show = (): void => {
    const fields = formatOrderFields(readBody());
    shown.textContent = fields === '' ? first : `${before}${fields}${after}`;
  };
  for (const event of ['input', 'change']) document.addEventListener(event, show);
}
