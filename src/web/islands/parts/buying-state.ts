import type { WalletProvider } from './injected-wallet.ts';
import type { BuyingView } from './buying-view.ts';
import {
  forgetPurchase,
  type Keeping,
  keepPurchase,
  type StoredPaidRequest,
  parseTransferCredential,
} from './paid-request.ts';
import { describeKeptPurchase, canAskAgain, describeOrder } from './purchase-words.ts';

/** What the page wants to buy at the moment; `body` is what the capability takes. */
export type BuyingOrder = () => { capability: string; body: object };

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
