import type { PurchaseProgress } from './paid-request.ts';

/** The panel under each name. */
type Parts = {
  demo: HTMLButtonElement;
  wallet: HTMLButtonElement;
  'wallet-note': HTMLElement;
  'hash-way': HTMLElement;
  'hash-form': HTMLElement;
  'hash-button': HTMLButtonElement;
  hash: HTMLInputElement;
  conditions: HTMLElement;
  prove: HTMLInputElement;
  'prove-choice': HTMLElement;
  'prove-note': HTMLElement;
  status: HTMLElement;
  countdown: HTMLElement;
  progress: HTMLProgressElement;
  again: HTMLElement;
  'prove-again': HTMLElement;
  'give-up': HTMLElement;
  'kept-note': HTMLElement;
  'order-note': HTMLElement;
  report: HTMLAnchorElement;
};

/** The parts of a `BuyPanel`, by the names in its `data-buy`. Which of them there are depends on its mode. */
export type BuyingView = {
  panel: HTMLElement;
  part: <Name extends keyof Parts>(name: Name) => Parts[Name] | null;
  /** Says what happens, to eyes and screen readers. */
  say: (text: string) => void;
  /** Shows what is to know about the order or the purchase that is kept; an empty text hides the note. */
  note: (name: 'kept-note' | 'order-note', text: string) => void;
  progress: (progress: PurchaseProgress | undefined) => void;
  /** Waits, and shows the seconds that are left: by eye only, a screen reader would have to hear each of them. */
  countDown: (ms: number, text: (secondsLeft: number) => string) => Promise<void>;
};

const TICK_MS = 1000;

export function createBuyingView(panel: HTMLElement): BuyingView {
  const part = <Name extends keyof Parts>(name: Name) => panel.querySelector<Parts[Name]>(`[data-buy="${name}"]`);
  const setText = (name: 'status' | 'countdown' | 'kept-note' | 'order-note', text: string): void => {
    const element = part(name);
    if (element) element.textContent = text;
  };
  return {
    panel,
    part,
    say: (text) => setText('status', text),
    note: (name, text) => {
      const element = part(name);
      if (element) element.hidden = text === '';
      // The same text again would be read out again.
      if (element?.textContent !== text) setText(name, text);
    },
    progress: (progress) => showProgress(part('progress'), progress),
    countDown: async (ms, text) => {
      for (let left = ms; left > 0; left -= TICK_MS) {
        setText('countdown', text(Math.ceil(left / TICK_MS)));
        await new Promise((resolve) => setTimeout(resolve, Math.min(left, TICK_MS)));
      }
      setText('countdown', '');
    },
  };
}

/** Without a total the bar says only that work goes on. */
function showProgress(bar: HTMLProgressElement | null, progress: PurchaseProgress | undefined): void {
  if (!bar) return;
  bar.hidden = progress === undefined;
  bar.removeAttribute('value');
  if (progress?.total === undefined) return;
  bar.max = Math.max(progress.total, 1);
  bar.value = Math.min(progress.done, bar.max);
}
