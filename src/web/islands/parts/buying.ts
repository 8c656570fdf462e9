import * as z from 'zod/mini';
import {
  type Buying,
  forget,
  keepPaidRequest,
  showOrderNote,
  type BuyingOrder,
  refresh,
  openTabStorage,
  createBuyingView,
} from './buying-panel.ts';
import { connectWallet, type WalletProvider, signTypedData, findWallet } from './injected-wallet.ts';
import {
  isTransactionHash,
  keepPublishToken,
  findKeptPurchase,
  MAX_PRESENTATIONS_IN_PAGE,
  type PurchaseOutcome,
  type StoredPaidRequest,
  type PaidRequestTools,
  presentPaid,
  parseTransferCredential,
} from './paid-request.ts';
import {
  type JudgedTerms,
  type PageOffer,
  buildTransferProofTypedData,
  formatTransferProof,
  readOffer,
} from './payment-terms.ts';
import { formatBoughtPath, formatPaidPath } from './paid-path.ts';
import { buildAuthorization, buildAuthorizationTypedData, formatPaymentHeader } from './payment-signing.ts';
import { readPurchaseProblem } from './purchase-answers.ts';
import { describeGivenUp, describeRestored, describeOutcome } from './purchase-words.ts';

/** What is bought: the capability, and the exact body that the payment is for. */
type Ordered = { capability: string; bodyText: string };

type Credential = { ok: true; credential: string } | { ok: false; detail: string };

/** One way to come to a PAYMENT-SIGNATURE value for terms that were judged. `say` shows what a person has to do. */
type Way = (offer: PageOffer, ordered: Ordered, say: (text: string) => void) => Promise<Credential>;

const getNowS = (): number => Math.floor(Date.now() / 1000);

/** A wallet signs the transfer (EIP-3009), which the service settles when the result is ready. */
const createWalletWay =
  (wallet: WalletProvider): Way =>
  async ({ resource, accepted }, _ordered, say) => {
    say('Your wallet asks for your account.');
    const connected = await connectWallet(wallet);
    if (!connected.ok) return connected;
    const authorization = buildAuthorization(accepted, connected.account, getNowS());
    say('Sign the payment in your wallet.');
    const signed = await signTypedData(wallet, connected.account, buildAuthorizationTypedData(authorization));
    if (!signed.ok) return signed;
    const payload = { signature: signed.signature, authorization };
    return { ok: true, credential: formatPaymentHeader({ resource, accepted, payload }) };
  };

/** A transfer that was made, by its hash alone: it is taken from its first presenter. */
const createHashWay =
  (transaction: string): Way =>
  async () => ({ ok: true, credential: transaction });

/**
 * A transfer that was made, with the payer's signature: no one else can use it up, and a lost answer can be asked for
 * again.
 */
const createProvenWay =
  (transaction: string, wallet: WalletProvider): Way =>
  async (offer, { capability, bodyText }, say) => {
    say('Your wallet asks for the account that made the transfer.');
    const connected = await connectWallet(wallet);
    if (!connected.ok) return connected;
    const { origin } = globalThis.location;
    const proof = { origin, transaction, capability, bodyText, nowS: getNowS() };
    say('Sign in your wallet that you made the transfer. This moves no money.');
    const signed = await signTypedData(wallet, connected.account, await buildTransferProofTypedData(proof));
    return signed.ok ? { ok: true, credential: formatTransferProof(offer, proof, signed.signature) } : signed;
  };

const demoAnswer = z.object({ payment_signature: z.string() });
const problem = z.object({ title: z.string(), detail: z.optional(z.string()) });

/** The demo buyer of the local stack signs. */
const createDemoWay =
  (token: string): Way =>
  async ({ accepted }, { capability }) => {
    const answer = await fetch('/local/demo-buyer', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-demo-token': token },
      body: JSON.stringify({ capability, accepted }),
    });
    const json: unknown = await answer.json();
    const signed = demoAnswer.safeParse(json);
    if (signed.success) return { ok: true, credential: signed.data.payment_signature };
    const said = problem.safeParse(json);
    return { ok: false, detail: `The demo buyer does not pay: ${said.data?.title ?? `status ${answer.status}`}` };
  };

/**
 * Brings a `BuyPanel` to life. There is one payment at a time: while a credential is out, the other ways are closed, and
 * a repeat sends the same header.
 */
export function mountBuying(panel: HTMLElement, order: BuyingOrder): void {
  const { capability, mode, token } = panel.dataset;
  const storage = openTabStorage();
  if (capability === undefined || panel.dataset['payTo'] === undefined) return;
  const buying: Buying = {
    view: createBuyingView(panel),
    order,
    capability,
    wallet: findWallet(window, mode),
    storage,
    busy: false,
    kept: findKeptPurchase(storage, capability),
    heldCode: undefined,
    proofRequired: undefined,
  };
  const { part, say } = buying.view;
  if (token !== undefined) on(part('demo'), 'click', () => buy(buying, createDemoWay(token)));
  on(part('wallet'), 'click', () => buying.wallet && buy(buying, createWalletWay(buying.wallet)));
  on(part('again'), 'click', () => buying.kept && sendAgain(buying, buying.kept));
  on(part('prove-again'), 'click', () => buying.kept && proveAgain(buying, buying.kept));
  on(part('give-up'), 'click', () => buying.kept && abandonPurchase(buying, buying.kept));
  on(part('hash-form'), 'submit', () => presentHash(buying));
  on(part('hash-way'), 'toggle', () => showConditions(buying));
  document.addEventListener('change', () => showOrderNote(buying)); // What is ordered is chosen outside of the panel.
  if (buying.kept) say(describeRestored(buying.kept));
  showOrderNote(buying);
  refresh(buying);
}

function on(element: HTMLElement | null, event: string, act: () => unknown): void {
  element?.addEventListener(event, (happened) => {
    if (event !== 'toggle') happened.preventDefault();
    void act();
  });
}

/** From the press of a button to the result, or to what to do next. */
async function buy(buying: Buying, way: Way): Promise<void> {
  const { view } = buying;
  const ordered = readOrder(buying);
  if (typeof ordered === 'string') return view.say(ordered);
  await runBusy(buying, async () => {
    view.say('Asking for the terms.');
    const terms = await askTerms(buying, ordered.bodyText);
    if (!terms.ok) return view.say(terms.detail);
    const paying = await way(terms.offer, ordered, view.say);
    if (!paying.ok) return view.say(paying.detail);
    const paid: StoredPaidRequest = { ...ordered, credential: paying.credential };
    keepPaidRequest(buying, paid);
    await send(buying, paid, false);
  });
}

/** What is kept was sent before, or a reload hides whether it was. */
const sendAgain = (buying: Buying, paid: StoredPaidRequest): Promise<void> =>
  runBusy(buying, () => send(buying, paid, true));

/** Presents the transfer of a kept purchase with a new proof, for the very order that it may have bought. */
async function proveAgain(buying: Buying, paid: StoredPaidRequest): Promise<void> {
  const { view, wallet } = buying;
  const transaction = parseTransferCredential(paid.credential);
  if (!wallet || transaction === undefined) return;
  await runBusy(buying, async () => {
    view.say('Asking for the terms.');
    const terms = await askTerms(buying, paid.bodyText);
    if (!terms.ok) return view.say(`${terms.detail} The earlier purchase is still here.`);
    const proof = await createProvenWay(transaction, wallet)(terms.offer, paid, view.say);
    if (!proof.ok) return view.say(`${proof.detail} The earlier purchase is still here.`);
    const proven: StoredPaidRequest = { ...paid, credential: proof.credential };
    keepPaidRequest(buying, proven);
    await send(buying, proven, true);
  });
}

function abandonPurchase(buying: Buying, paid: StoredPaidRequest): void {
  forget(buying);
  buying.view.say(describeGivenUp(paid));
  refresh(buying);
  const { part, panel } = buying.view;
  const way = [part('wallet'), part('demo')].find((button) => button?.disabled === false);
  (way ?? panel.querySelector('summary'))?.focus(); // The pressed button is gone.
}

async function runBusy(buying: Buying, act: () => Promise<void>): Promise<void> {
  if (buying.busy) return;
  const { view } = buying;
  const pressed = document.activeElement;
  buying.busy = true;
  refresh(buying);
  try {
    await act();
  } catch {
    view.say('Something went wrong in the page. If you had signed, ask again with the same payment.');
  } finally {
    buying.busy = false;
    refresh(buying);
    // A button that was disabled lost the focus: who uses the keyboard goes on where they were.
    if (document.activeElement === document.body) focusFirst([pressed, view.part('prove-again'), view.part('give-up')]);
  }
}

function focusFirst(elements: readonly (Element | null)[]): void {
  const first = elements.find((element) => element instanceof HTMLElement && !element.hidden);
  if (first instanceof HTMLElement) first.focus();
}

async function send(buying: Buying, paid: StoredPaidRequest, wasInDoubt: boolean): Promise<void> {
  const { view } = buying;
  buying.heldCode = undefined;
  view.say('The payment was sent. The work takes up to two minutes: leave this page open.');
  view.progress({ done: 0 });
  let waiting = '';
  const tools: PaidRequestTools = {
    fetch: (path, init) => fetch(path, init),
    sleep: (ms) => view.countDown(ms, (left) => `${waiting} in ${left} s.`),
    onProgress: view.progress,
    onWait: ({ detail, sent }) => {
      waiting = `Asking again with the same payment (${sent} of ${MAX_PRESENTATIONS_IN_PAGE})`;
      view.say(detail);
    },
  };
  const outcome = await presentPaid(paid, tools, wasInDoubt);
  view.progress(undefined);
  end(buying, outcome, paid);
}

function end(buying: Buying, outcome: PurchaseOutcome, paid: StoredPaidRequest): void {
  const { view, storage } = buying;
  if (outcome.kind === 'held') buying.heldCode = outcome.code;
  if (outcome.kind !== 'held' && outcome.kind !== 'undecided') forget(buying);
  if (outcome.kind !== 'sold') return view.say(describeOutcome(outcome, paid));
  if (outcome.publishToken !== undefined) keepPublishToken(storage, outcome.reportId, outcome.publishToken);
  const link = view.part('report');
  const path = formatBoughtPath(paid.capability, outcome.reportId);
  if (link) {
    link.href = path;
    link.hidden = false;
  }
  view.say('Bought. The report opens.');
  window.location.assign(path);
}

/** The order as it is sent, or what is missing. */
function readOrder({ order, capability }: Buying): Ordered | string {
  const { body, missing, ...wanted } = order();
  if (wanted.capability !== capability) return 'The page sells something else than this.';
  if (missing !== undefined) return missing;
  const url: unknown = 'url' in body ? body.url : undefined;
  if (typeof url === 'string' && !isWebAddress(url)) return 'Enter the address of the site first, such as example.com.';
  return { capability, bodyText: JSON.stringify(body) };
}

/** Whether the text is an http(s) URL or becomes one by a scheme: the service reads it exactly. */
const isWebAddress = (text: string): boolean =>
  /^https?:/i.test(text) ? URL.canParse(text) : text !== '' && URL.canParse(`https://${text}`);

/** A request without payment: its answer names the terms. */
async function askTerms({ capability, view }: Buying, bodyText: string): Promise<JudgedTerms> {
  const { price = '', payTo = '' } = view.panel.dataset;
  try {
    const answer = await fetch(formatPaidPath(capability), {
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
  if (!isTransactionHash(transaction))
    return view.say('That is no transaction hash: it has 0x and 64 hexadecimal digits.');
  const prove = proofRequired === true || view.part('prove')?.checked === true;
  await buy(buying, prove && wallet ? createProvenWay(transaction, wallet) : createHashWay(transaction));
}

/** What the service says of transfers, when someone wants to make one. */
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
