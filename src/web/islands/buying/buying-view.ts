import { PURCHASE_STEPS, type PurchaseStep } from '../../buying/panel-words.ts';
import type { PurchaseProgress } from './paid-request.ts';

/** The panel under each name. */
type Parts = {
  demo: HTMLButtonElement;
  wallet: HTMLButtonElement;
  networks: HTMLFieldSetElement;
  wallets: HTMLElement;
  'wallet-list': HTMLElement;
  'wallet-note': HTMLElement;
  credits: HTMLButtonElement;
  'credits-way': HTMLElement;
  'credits-note': HTMLElement;
  'top-up': HTMLElement;
  'hash-way': HTMLDetailsElement;
  'hash-form': HTMLFormElement;
  'hash-button': HTMLButtonElement;
  hash: HTMLInputElement;
  'hash-fault': HTMLElement;
  conditions: HTMLElement;
  'proof-signer': HTMLInputElement;
  'proof-pasted': HTMLInputElement;
  pasting: HTMLElement;
  'show-message': HTMLButtonElement;
  'message-note': HTMLElement;
  'message-box': HTMLElement;
  signature: HTMLInputElement;
  'signature-fault': HTMLElement;
  steps: HTMLElement;
  status: HTMLElement;
  'kept-for': HTMLElement;
  clock: HTMLElement;
  countdown: HTMLElement;
  progress: HTMLProgressElement;
  switch: HTMLElement;
  stop: HTMLElement;
  second: HTMLElement;
  again: HTMLElement;
  'prove-again': HTMLElement;
  'give-up': HTMLElement;
  'kept-note': HTMLElement;
  'order-note': HTMLElement;
  report: HTMLAnchorElement;
};

/** Parts that say one thing, and are not there where they have nothing to say. */
type NoteName = 'kept-note' | 'order-note' | 'kept-for' | 'clock';
type TextName =
  | NoteName
  | 'status'
  | 'switch'
  | 'countdown'
  | 'wallet-note'
  | 'credits-note'
  | 'conditions'
  | 'message-note';

/** The parts of a `BuyPanel`, by the names in its `data-buy`. Which of them there are depends on its mode. */
export type BuyingView = {
  panel: HTMLElement;
  part: <Name extends keyof Parts>(name: Name) => Parts[Name] | null;
  setText: (name: TextName, text: string) => void;
  show: (name: keyof Parts, shown: boolean) => void;
  /** Says what happens, to eyes and screen readers. */
  say: (text: string) => void;
  /** Shows what is to know about the order or the purchase that is kept; an empty text hides the note. */
  note: (name: NoteName, text: string) => void;
  /** Marks the step that the purchase is at; undefined: at none. */
  step: (step: PurchaseStep | undefined) => void;
  /** Says at a field what is wrong with it, or what it was read as. */
  judge: (field: 'hash' | 'signature', text: string, isWrong: boolean) => void;
  progress: (progress: PurchaseProgress | undefined) => void;
  /** Waits, and shows the seconds that are left: by eye only, a screen reader would have to hear each of them. */
  countDown: (ms: number, text: (secondsLeft: number) => string) => Promise<void>;
};

const TICK_MS = 1000;

export function createBuyingView(panel: HTMLElement): BuyingView {
  const part = <Name extends keyof Parts>(name: Name) => panel.querySelector<Parts[Name]>(`[data-buy="${name}"]`);
  const setText = (name: TextName | 'hash-fault' | 'signature-fault', text: string): void => {
    const element: HTMLElement | null = part(name);
    // The same text again would be read out again.
    if (element && element.textContent !== text) element.textContent = text;
  };
  const show = (name: keyof Parts, shown: boolean): void => {
    const element: HTMLElement | null = part(name);
    if (element) element.hidden = !shown;
  };
  return {
    panel,
    part,
    setText,
    show,
    say: (text) => setText('status', text),
    note: (name, text) => {
      show(name, text !== '');
      setText(name, text);
    },
    step: (step) => markStep(part('steps'), step),
    judge: (name, text, isWrong) => {
      part(name)?.setAttribute('aria-invalid', String(isWrong));
      part(`${name}-fault`)?.classList.toggle('good', !isWrong);
      setText(`${name}-fault`, text);
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

function markStep(list: HTMLElement | null, step: PurchaseStep | undefined): void {
  const at = step === undefined ? -1 : PURCHASE_STEPS.indexOf(step);
  for (const item of list?.children ?? []) {
    const place = PURCHASE_STEPS.findIndex((name) => name === (item as HTMLElement).dataset['step']);
    item.classList.toggle('done', place < at);
    if (place === at) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  }
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
