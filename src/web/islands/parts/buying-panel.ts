import {
  type PurchaseProgress,
  forgetPurchase,
  type Keeping,
  keepPurchase,
  type StoredPaidRequest,
  parseTransferCredential,
} from './paid-request.ts';
import type { WalletProvider } from './injected-wallet.ts';
import { describeKeptPurchase, canAskAgain, describeOrder } from './purchase-words.ts';

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

/**
 * What the page wants to buy at the moment; `body` is what the capability takes, `missing` what to fill in first. `check`
 * is awaited before anything is signed, and says what is wrong.
 */
export type BuyingOrder = () => {
  capability: string;
  body: object;
  missing?: string;
  check?: () => Promise<string | undefined>;
};

export type Buying = {
  view: BuyingView;
  order: BuyingOrder;
  capability: string;
  wallet: WalletProvider | undefined;
  storage: Keeping;
  /** Something is being bought: nothing else can be begun. */
  busy: boolean;
  /** A credential is out and its end is not known: only it is sent again, and nothing is signed anew. */
  kept: StoredPaidRequest | undefined;
  /** Why the stored purchase is held up, when the service said so. */
  heldCode: string | undefined;
  /** What the terms say of transfers; undefined until they were read. */
  proofRequired: boolean | undefined;
};

/** Before it is sent: whatever happens then, it is this payment that is asked for again. */
export function keepPaidRequest(buying: Buying, paid: StoredPaidRequest): void {
  buying.kept = paid;
  keepPurchase(buying.storage, paid);
}

export function forget(buying: Buying): void {
  buying.kept = undefined;
  buying.heldCode = undefined;
  forgetPurchase(buying.storage, buying.capability);
}

export const showOrderNote = ({ view, order }: Buying): void => view.note('order-note', describeOrder(order().body));

/** Shows what can be done now. */
export function refresh(buying: Buying): void {
  const {
    view: { part },
    busy,
    kept,
    wallet,
    proofRequired,
  } = buying;
  const open = !busy && kept === undefined;
  const enable = (name: 'demo' | 'wallet' | 'hash-button', enabled: boolean): void => {
    const button = part(name);
    if (button) button.disabled = !enabled;
  };
  enable('demo', open);
  enable('wallet', open && wallet !== undefined);
  enable('hash-button', open && !(proofRequired === true && wallet === undefined));
  refreshKept(buying);
  const note = part('wallet-note');
  if (note)
    note.textContent = wallet
      ? 'Your wallet shows payee and amount before you sign.'
      : 'No wallet was found in this browser. Pay in another of the ways below.';
}

/** What can be done with a purchase that has no end. */
function refreshKept({ view, busy, kept: paid, heldCode, wallet }: Buying): void {
  const kept = busy ? undefined : paid;
  const show = (name: 'again' | 'prove-again' | 'give-up', shown: boolean): void => {
    const button = view.part(name);
    if (button) button.hidden = !shown;
  };
  show('again', kept !== undefined && canAskAgain(kept, heldCode));
  show(
    'prove-again',
    kept !== undefined && wallet !== undefined && parseTransferCredential(kept.credential) !== undefined,
  );
  show('give-up', kept !== undefined);
  const isDemo = view.panel.dataset['mode'] === 'demo';
  const place = { origin: window.location.origin, isDemo, hasWallet: wallet !== undefined };
  view.note('kept-note', kept ? describeKeptPurchase(kept, place) : '');
}

/** Browsers may refuse even to name their storage: then nothing outlives a reload. */
export function openTabStorage(): Keeping {
  try {
    return window.sessionStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  }
}
