import {
  type Buying,
  type BuyingOrder,
  forget,
  getChosenPayee,
  getFirstPayee,
  getWallet,
  listWallets,
  type Ordered,
  type PagePayee,
  refresh,
  restorePurchase,
  showOrderNote,
  showRestored,
  type PayingWay,
} from './buying-panel.ts';
import { createBuyingView } from './buying-view.ts';
import { createDemoWay, createProvenWay, createWalletWay, describeProviderRefusal, runWaiting } from './buying-ways.ts';
import { askTerms, readPageOrder } from './buying-terms.ts';
import type { BuyingWords } from './buying-words.ts';
import { showCopyButtons } from '../parts/copying.ts';
import { fetchPayingAccount } from './credit-session.ts';
import { switchNetwork } from './injected-wallet.ts';
import { buildCreditCredential, parseTransferCredential, type StoredPaidRequest } from './paid-request.ts';
import { send, showReport } from './purchase-sending.ts';
import { listKeptPurchases, openPurchaseStorage, type KeptPurchase } from './purchase-storage.ts';
import { onSold, openTabTools, runAsOnlyTab, waitForOtherTab } from './purchase-tabs.ts';
import { describeGivenUp } from './purchase-words.ts';
import {
  createPastedWay,
  isSignedHere,
  judgeHash,
  judgeSignature,
  chooseSigner,
  prepareMessage,
  showConditions,
  showProofWay,
} from './transfer-form.ts';
import { discoverWallets } from './wallet-discovery.ts';

/**
 * Brings a `BuyPanel` to life. There is one payment at a time: while a credential is out, the other ways are closed, and
 * a repeat sends the same header.
 */
export function openBuying(panel: HTMLElement, order: BuyingOrder, words: BuyingWords): void {
  const { capability, mode, token } = panel.dataset;
  if (capability === undefined || panel.dataset['payTo'] === undefined) return;
  const buying: Buying = {
    view: createBuyingView(panel),
    order,
    capability,
    words,
    demoToken: mode === 'demo' ? token : undefined,
    wallets: [],
    storage: openPurchaseStorage(window),
    tabs: openTabTools(window),
    busy: true,
    kept: undefined,
    heldCode: undefined,
    transfers: undefined,
    waiting: undefined,
    elsewhere: undefined,
    contested: undefined,
    message: undefined,
    credits: undefined,
  };
  showCopyButtons(panel);
  listenToButtons(buying);
  listenToForm(buying);
  listenToTabs(buying);
  discoverWallets(window, mode, (wallets) => {
    listWallets(buying, wallets);
    chooseSigner(buying);
    refresh(buying);
  });
  chooseSigner(buying);
  showOrderNote(buying);
  void begin(buying);
}

async function begin(buying: Buying): Promise<void> {
  const reading = readCredits(buying);
  await restorePurchase(buying);
  buying.busy = false;
  refresh(buying);
  // Who was faster than this script opened the form before anything listened.
  if (buying.view.part('hash-way')?.open === true) await showConditions(buying);
  await reading;
}

function on(element: Element | null, event: string, act: () => unknown): void {
  element?.addEventListener(event, (happened) => {
    if (event === 'click' || event === 'submit') happened.preventDefault();
    void act();
  });
}

function listenToButtons(buying: Buying): void {
  const { part } = buying.view;
  const { demoToken } = buying;
  if (demoToken !== undefined) on(part('demo'), 'click', () => buy(buying, createDemoWay(buying, demoToken)));
  on(part('wallet'), 'click', () => buyByWallet(buying));
  on(part('credits'), 'click', () => buyByCredits(buying));
  on(part('switch'), 'click', () => moveWallet(buying));
  on(part('networks'), 'change', () => chooseNetwork(buying));
  on(part('stop'), 'click', () => buying.waiting?.abort());
  on(part('second'), 'click', () => buying.contested?.payAnyway());
  on(part('again'), 'click', () => buying.kept && sendAgain(buying, buying.kept));
  on(part('prove-again'), 'click', () => buying.kept && proveAgain(buying, buying.kept));
  on(part('give-up'), 'click', () => buying.kept && abandonPurchase(buying, buying.kept));
}

function listenToForm(buying: Buying): void {
  const { part } = buying.view;
  on(part('hash-way'), 'toggle', () => showConditions(buying));
  on(part('hash-form'), 'submit', () => presentHash(buying));
  on(part('hash'), 'input', () => judgeHash(buying, false));
  on(part('signature'), 'input', () => judgeSignature(buying));
  on(part('proof-signer'), 'change', () => showProofWay(buying));
  on(part('proof-pasted'), 'change', () => showProofWay(buying));
  on(part('show-message'), 'click', () => prepareMessage(buying));
  document.addEventListener('change', () => showOrderNote(buying)); // What is ordered is chosen outside of the panel.
}

/** Tabs of this browser have one purchase of an order: each sees what the others begin and end. */
function listenToTabs(buying: Buying): void {
  window.addEventListener('storage', () => void lookAgain(buying));
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void Promise.all([lookAgain(buying), readCredits(buying)]);
  });
  onSold(buying.tabs, ({ capability, bodyText, reportId }) => {
    const { contested } = buying;
    if (contested?.ordered.capability !== capability || contested.ordered.bodyText !== bodyText) return;
    buying.contested = undefined;
    showReport(buying, reportId);
    buying.view.say(buying.words.otherTabSold);
    refresh(buying);
  });
}

/** Another tab may have begun or ended the purchase that this one shows. */
async function lookAgain(buying: Buying): Promise<void> {
  if (buying.busy || buying.contested) return;
  const { kept } = buying;
  const known = listKeptPurchases(buying.storage, buying.capability, Date.now());
  if (kept !== undefined && !known.some(({ id }) => id === kept.id)) {
    buying.kept = undefined;
    buying.heldCode = undefined;
    buying.view.step(undefined);
    buying.view.say('');
  }
  if (buying.kept === undefined) await restorePurchase(buying);
  refresh(buying);
}

/** @param payee as it is chosen when the button is pressed: a switch of the wallet goes on with the same */
const buyByWallet = (buying: Buying, payee = getChosenPayee(buying), anyNetwork = false): Promise<void> =>
  buy(
    buying,
    createWalletWay(buying, () => buyByWallet(buying, payee, true), anyNetwork),
    payee,
  );

/** What was offered for another network is not about the one that is chosen now. */
function chooseNetwork(buying: Buying): void {
  buying.elsewhere = undefined;
  buying.contested = undefined;
  buying.view.say('');
  refresh(buying);
}

/** The wallet goes to the network that is paid on, and then on with what it was asked for. */
async function moveWallet(buying: Buying): Promise<void> {
  const { elsewhere, view, words } = buying;
  const wallet = getWallet(buying);
  if (!elsewhere || !wallet) return;
  const { network, goOn } = elsewhere;
  let isThere = false;
  await runBusy(buying, async () => {
    view.say(words.walletSwitching(network.name));
    const switched = await runWaiting(buying, (signal) => switchNetwork(wallet.provider, network, signal));
    isThere = switched.ok;
    if (!switched.ok) return view.say(describeProviderRefusal(buying, switched, network));
    buying.elsewhere = undefined;
  });
  if (isThere) await goOn();
}

/** From the press of a button to the result, or to what to do next. */
async function buy(buying: Buying, way: PayingWay, payee = getFirstPayee(buying)): Promise<void> {
  await buyOrder(buying, readPageOrder(buying), false, (ordered) => payAndSend(buying, way, ordered, payee));
}

/** Runs a purchase, unless this browser has begun the same one. `isSecond`: it was asked for all the same. */
async function buyOrder(
  buying: Buying,
  ordered: Ordered | string,
  isSecond: boolean,
  act: (ordered: Ordered) => Promise<void>,
): Promise<void> {
  const { view, tabs } = buying;
  if (typeof ordered === 'string') return view.say(ordered);
  await runBusy(buying, async () => {
    const wrong = await buying.order().check?.();
    if (wrong !== undefined) return view.say(wrong);
    buying.contested = undefined;
    buying.elsewhere = undefined;
    if (isSecond) return act(ordered);
    const isAlone = await runAsOnlyTab(tabs, ordered, async () => {
      const known = findKept(buying, ordered);
      if (known) showRestored(buying, known);
      else await act(ordered);
    });
    if (!isAlone) askAboutOtherTab(buying, ordered, () => buyOrder(buying, ordered, true, act));
  });
}

/** The same order, begun by a tab that is closed by now. */
const findKept = ({ storage, kept }: Buying, { capability, bodyText }: Ordered): KeptPurchase | undefined =>
  kept ? undefined : listKeptPurchases(storage, capability, Date.now()).find((one) => one.bodyText === bodyText);

/** Another tab is at it: the person decides, and this tab watches how it ends. */
function askAboutOtherTab(buying: Buying, ordered: Ordered, payAnyway: () => Promise<void>): void {
  const contested = { ordered, payAnyway };
  buying.contested = contested;
  buying.view.say(buying.words.otherTab);
  void watchContest(buying, contested);
}

async function watchContest(buying: Buying, contested: NonNullable<Buying['contested']>): Promise<void> {
  await waitForOtherTab(buying.tabs, contested.ordered);
  await new Promise((resolve) => setTimeout(resolve, NOTICE_MS));
  if (buying.contested !== contested || buying.busy) return;
  buying.contested = undefined;
  buying.view.say(buying.words.otherTabEnded);
  await restorePurchase(buying);
  refresh(buying);
}

/** A sale is announced on a way of its own, which may be slower than the lock: so long it is waited for, in milliseconds. */
const NOTICE_MS = 500;

async function payAndSend(buying: Buying, way: PayingWay, ordered: Ordered, payee: PagePayee): Promise<void> {
  const { view, words } = buying;
  view.say(words.askingTerms);
  const asked = await askTerms(buying, ordered.bodyText, payee);
  if (typeof asked === 'string') return view.say(asked);
  view.step('wallet');
  const paying = await way(asked, ordered);
  if (!paying.ok) {
    view.step(undefined);
    return view.say(paying.detail);
  }
  view.step('signed');
  const { capability, bodyText } = ordered;
  await send(buying, { capability, bodyText, credential: paying.credential }, false, buying.kept?.id);
}

const sendAgain = (buying: Buying, kept: KeptPurchase): Promise<void> =>
  runBusy(buying, async () => {
    const isAlone = await runAsOnlyTab(buying.tabs, kept, () => send(buying, kept, true, kept.id));
    if (!isAlone) buying.view.say(buying.words.otherTab);
  });

/** One debit for each press of the button: its name is kept before it is sent, and every repeat has the same. */
const buyByCredits = (buying: Buying): Promise<void> =>
  buyOrder(buying, readPageOrder(buying), false, async ({ capability, bodyText }) => {
    const { view, words } = buying;
    const account = await readCredits(buying);
    if (!account) return view.say(words.creditsEnded);
    const name = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0'));
    const credential = buildCreditCredential(account, name.join(''));
    view.step('signed');
    await send(buying, { capability, bodyText, credential }, false);
    await readCredits(buying);
  });

/** What the account that is signed in can spend. Pages without a session do not ask. */
async function readCredits(buying: Buying): Promise<string | undefined> {
  if (!buying.view.part('credits-way')) return undefined;
  try {
    buying.credits = await fetchPayingAccount();
  } catch {
    buying.view.setText('credits-note', buying.words.creditsUnread);
    return undefined;
  }
  if (buying.credits === undefined) buying.view.setText('credits-note', buying.words.creditsEnded);
  refresh(buying);
  return buying.credits?.account;
}

/** Presents the transfer of a kept purchase with a new proof, for the very order that it may have bought. */
async function proveAgain(buying: Buying, kept: KeptPurchase): Promise<void> {
  const { view } = buying;
  const transaction = parseTransferCredential(kept.credential);
  if (transaction === undefined) return;
  const field = view.part('hash');
  const box = view.part('hash-way');
  if (field) field.value = transaction;
  if (isSignedHere(buying) || !box) return proveKept(buying, kept, createProof(buying, transaction));
  box.open = true; // Where the message to sign is, and the field for the signature.
  judgeHash(buying, true);
  view.part('show-message')?.focus();
}

const createProof = (buying: Buying, transaction: string, anyNetwork = false): PayingWay => {
  if (!isSignedHere(buying)) return createPastedWay(buying, transaction);
  const goOn = (): Promise<void> => presentTransfer(buying, transaction, true);
  return createProvenWay(buying, transaction, goOn, anyNetwork);
};

const proveKept = (buying: Buying, kept: KeptPurchase, way: PayingWay): Promise<void> =>
  runBusy(buying, async () => {
    const { view, words } = buying;
    view.say(words.askingTerms);
    const asked = await askTerms(buying, kept.bodyText);
    if (typeof asked === 'string') return view.say(words.stillKept(asked));
    const proof = await way(asked, kept);
    if (!proof.ok) return view.say(words.stillKept(proof.detail));
    await send(buying, { ...kept, credential: proof.credential }, true, kept.id);
  });

function presentTransfer(buying: Buying, transaction: string, anyNetwork = false): Promise<void> {
  const way = createProof(buying, transaction, anyNetwork);
  return buying.kept ? proveKept(buying, buying.kept, way) : buy(buying, way);
}

async function presentHash(buying: Buying): Promise<void> {
  const transaction = judgeHash(buying, true);
  if (transaction === undefined) return buying.view.part('hash')?.focus();
  if (!isSignedHere(buying) && (await judgeSignature(buying)) === undefined)
    return buying.view.part('signature')?.focus();
  await presentTransfer(buying, transaction);
}

function abandonPurchase(buying: Buying, paid: StoredPaidRequest): void {
  const { view, words } = buying;
  forget(buying);
  view.step(undefined);
  view.say(describeGivenUp(paid, words.purchase));
  refresh(buying);
  const way = [view.part('wallet'), view.part('demo')].find((button) => button?.disabled === false);
  (way ?? view.panel.querySelector('summary'))?.focus(); // The pressed button is gone.
}

async function runBusy(buying: Buying, act: () => Promise<void>): Promise<void> {
  if (buying.busy) return;
  const { view, words } = buying;
  const pressed = document.activeElement;
  buying.busy = true;
  refresh(buying);
  try {
    await act();
  } catch {
    view.say(words.fault);
  } finally {
    buying.busy = false;
    refresh(buying);
    // A button that was disabled or hidden lost the focus: who uses the keyboard goes on where they were.
    if (document.activeElement === document.body)
      focusFirst([view.part('switch'), view.part('second'), pressed, view.part('again'), view.part('give-up')]);
  }
}

function focusFirst(elements: readonly (Element | null)[]): void {
  const first = elements.find((element) => element instanceof HTMLElement && !element.hidden);
  if (first instanceof HTMLElement) first.focus();
}
