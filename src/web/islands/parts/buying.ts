import { type Provider, walletOf } from './injected-wallet.ts';
import { type Ordered, demoWay, hashWay, provenWay, type Way, walletWay } from './buying-ways.ts';
import { type BuyingView, buyingView } from './buying-view.ts';
import { forgetPurchase, type Keeping, keepPublishToken, keepPurchase, keptPurchase } from './kept-purchase.ts';
import { MAX_PRESENTATIONS, type Outcome, type PaidRequest, presentPaid, readPurchaseProblem } from './paid-request.ts';
import { type Judged, readOffer } from './payment-terms.ts';

/** What the page wants to buy at the moment; `body` is what the capability takes. */
export type Order = () => { capability: string; body: object };

type Buying = {
  view: BuyingView;
  order: Order;
  capability: string;
  wallet: Provider | undefined;
  storage: Keeping;
  /** Something is being bought: nothing else can be begun. */
  busy: boolean;
  /** A credential is out and its end is not known: only it is sent again, and nothing is signed anew. */
  kept: PaidRequest | undefined;
  /** What the terms say of transfers; undefined until they were read. */
  proofRequired: boolean | undefined;
};

/**
 * Brings a `BuyPanel` to life. There is one payment at a time: while a credential is out, the other ways are closed, and
 * a repeat sends the same header.
 */
export function mountBuying(panel: HTMLElement, order: Order): void {
  const { capability, mode, token } = panel.dataset;
  const storage = tabStorage();
  if (capability === undefined || panel.dataset['payTo'] === undefined) return;
  const buying: Buying = {
    view: buyingView(panel),
    order,
    capability,
    wallet: walletOf(window, mode),
    storage,
    busy: false,
    kept: keptPurchase(storage, capability),
    proofRequired: undefined,
  };
  const { part, say } = buying.view;
  if (token !== undefined) on(part('demo'), 'click', () => buy(buying, demoWay(token)));
  on(part('wallet'), 'click', () => buying.wallet && buy(buying, walletWay(buying.wallet)));
  on(part('again'), 'click', () => buying.kept && sendAgain(buying, buying.kept));
  on(part('hash-form'), 'submit', () => presentHash(buying));
  on(part('hash-way'), 'toggle', () => showConditions(buying));
  if (buying.kept)
    say('A purchase of this tab has not ended. Ask again: it is the same payment, nothing is paid twice.');
  refresh(buying);
}

function on(element: HTMLElement | null, event: string, act: () => unknown): void {
  element?.addEventListener(event, (happened) => {
    if (event !== 'toggle') happened.preventDefault();
    void act();
  });
}

/** Shows what can be done now. */
function refresh({ view: { part }, busy, kept, wallet, proofRequired }: Buying): void {
  const open = !busy && kept === undefined;
  const enable = (name: 'demo' | 'wallet' | 'hash-button', enabled: boolean): void => {
    const button = part(name);
    if (button) button.disabled = !enabled;
  };
  enable('demo', open);
  enable('wallet', open && wallet !== undefined);
  enable('hash-button', open && !(proofRequired === true && wallet === undefined));
  const again = part('again');
  if (again) again.hidden = busy || kept === undefined;
  const note = part('wallet-note');
  if (note)
    note.textContent = wallet
      ? 'Your wallet shows payee and amount before you sign.'
      : 'No wallet was found in this browser. Pay in another of the ways below.';
}

/** From the press of a button to the result, or to what to do next. */
async function buy(buying: Buying, way: Way): Promise<void> {
  const { view } = buying;
  const ordered = readOrder(buying);
  if (typeof ordered === 'string') return view.say(ordered);
  await whileBusy(buying, async () => {
    view.say('Asking for the terms.');
    const terms = await askTerms(buying, ordered.bodyText);
    if (!terms.ok) return view.say(terms.detail);
    const paying = await way(terms.offer, ordered, view.say);
    if (!paying.ok) return view.say(paying.detail);
    const paid: PaidRequest = { ...ordered, credential: paying.credential };
    buying.kept = paid; // Before it is sent: whatever happens now, it is this payment that is asked for again.
    keepPurchase(buying.storage, paid);
    await send(buying, paid);
  });
}

const sendAgain = (buying: Buying, paid: PaidRequest): Promise<void> => whileBusy(buying, () => send(buying, paid));

async function whileBusy(buying: Buying, act: () => Promise<void>): Promise<void> {
  if (buying.busy) return;
  const pressed = document.activeElement;
  buying.busy = true;
  refresh(buying);
  try {
    await act();
  } catch {
    buying.view.say('Something went wrong in the page. If you had signed, ask again with the same payment.');
  } finally {
    buying.busy = false;
    refresh(buying);
    // A button that was disabled lost the focus: who uses the keyboard goes on where they were.
    if (document.activeElement === document.body && pressed instanceof HTMLElement) pressed.focus();
  }
}

async function send(buying: Buying, paid: PaidRequest): Promise<void> {
  const { view } = buying;
  view.say('The payment was sent. The work goes on; it takes up to a minute.');
  view.progress({ done: 0 });
  let waiting = '';
  const outcome = await presentPaid(paid, {
    fetch: (path, init) => fetch(path, init),
    sleep: (ms) => view.countDown(ms, (left) => `${waiting} in ${left} s.`),
    onProgress: view.progress,
    onWait: ({ detail, sent }) => {
      waiting = `Asking again with the same payment (${sent} of ${MAX_PRESENTATIONS})`;
      view.say(detail);
    },
  });
  view.progress(undefined);
  end(buying, outcome);
}

function end(buying: Buying, outcome: Outcome): void {
  const { view, storage, capability } = buying;
  if (outcome.kind === 'undecided')
    return view.say(`${outcome.detail} It is not known whether you were charged. Ask again: nothing is paid twice.`);
  buying.kept = undefined;
  forgetPurchase(storage, capability);
  if (outcome.kind === 'refused') return view.say(`Not bought: ${outcome.detail} (${outcome.code}).`);
  if (outcome.publishToken !== undefined) keepPublishToken(storage, outcome.reportId, outcome.publishToken);
  const link = view.part('report');
  const path = `/reports/${outcome.reportId}`;
  if (link) {
    link.href = path;
    link.hidden = false;
  }
  view.say('Bought. The report opens.');
  window.location.assign(path);
}

/** The order as it is sent, or what is missing. */
function readOrder({ order, capability }: Buying): Ordered | string {
  const { body, ...wanted } = order();
  if (wanted.capability !== capability) return 'The page sells something else than this.';
  const url: unknown = 'url' in body ? body.url : undefined;
  if (typeof url === 'string' && !isWebAddress(url)) return 'Enter the address of the site first, with https://.';
  return { capability, bodyText: JSON.stringify(body) };
}

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** A request without payment: its answer names the terms. */
async function askTerms({ capability, view }: Buying, bodyText: string): Promise<Judged> {
  const { price = '', payTo = '' } = view.panel.dataset;
  try {
    const answer = await fetch(`/api/agent/${capability}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bodyText,
    });
    if (answer.status === 402) return readOffer(answer.headers.get('payment-required'), { priceUsd: price, payTo });
    return { ok: false, detail: `${await readPurchaseProblem(answer)} Nothing was paid.` };
  } catch {
    return { ok: false, detail: 'The service cannot be reached. Nothing was paid; try again.' };
  }
}

async function presentHash(buying: Buying): Promise<void> {
  const { view, wallet, proofRequired } = buying;
  const transaction = view.part('hash')?.value.trim() ?? '';
  if (!/^0x[0-9a-fA-F]{64}$/.test(transaction))
    return view.say('That is no transaction hash: it has 0x and 64 hexadecimal digits.');
  const prove = proofRequired === true || view.part('prove')?.checked === true;
  await buy(buying, prove && wallet ? provenWay(transaction, wallet) : hashWay(transaction));
}

/** What the service says of transfers, when somebody wants to make one. */
async function showConditions(buying: Buying): Promise<void> {
  const { view, wallet } = buying;
  const conditions = view.part('conditions');
  if (!conditions || buying.proofRequired !== undefined) return;
  const terms = await askTerms(buying, '{}');
  const transfer = terms.ok ? terms.offer.transfer : undefined;
  if (!transfer) {
    conditions.textContent = terms.ok ? 'Transfers are not taken.' : terms.detail;
    return;
  }
  const { confirmations, maxAgeSeconds, proofRequired } = transfer;
  const final = typeof confirmations === 'number' ? `${confirmations} confirmations` : 'a final block';
  const proof = proofRequired ? ' A payer proof is required: a signature of the wallet that paid.' : '';
  conditions.textContent = `${final}; at most ${Math.floor(maxAgeSeconds / 3600)} hours old.${proof}`;
  buying.proofRequired = proofRequired;
  const choice = view.part('prove-choice');
  const box = view.part('prove');
  if (choice && box && wallet) {
    choice.hidden = false;
    box.checked = true;
    box.disabled = proofRequired;
  } else if (proofRequired) {
    const note = view.part('prove-note');
    if (note) note.textContent = 'This takes a wallet in this browser. Without one, use the command line with --proof.';
  }
  refresh(buying);
}

/** Browsers may refuse even to name their storage: then nothing outlives a reload. */
function tabStorage(): Keeping {
  try {
    return window.sessionStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  }
}
