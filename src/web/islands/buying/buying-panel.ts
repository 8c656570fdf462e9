import { formatDollars } from '../../language/amounts.ts';
import { BASE } from '../../../payment/terms/networks-data.ts';
import { findPageNetwork, type PageNetwork } from '../../../payment/terms/wallet-chain-data.ts';
import type { BuyingView } from './buying-view.ts';
import type { BuyingWords } from './buying-words.ts';
import type { PayingAccount } from './credit-session.ts';
import { parseTransferCredential, readCredentialNetwork, type StoredPaidRequest } from './paid-request.ts';
import type { SignableTypedData } from './payment-signing.ts';
import type { PageOffer, TransferConditions } from './payment-terms.ts';
import type { ProofOf } from './transfer-proof.ts';
import {
  buildKeptPurchase,
  forgetPurchase,
  keepPurchase,
  listKeptPurchases,
  type KeptPurchase,
  type PurchaseStorage,
} from './purchase-storage.ts';
import { isBeingBought, type TabTools } from './purchase-tabs.ts';
import { canAskAgain, describeKeptPurchase, describeOrder, describeRestored } from './purchase-words.ts';
import type { ServiceTime } from './service-time.ts';
import type { FoundWallet } from './wallet-discovery.ts';

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

/** What is bought: the capability, and the exact body that the payment is for. */
export type Ordered = { capability: string; bodyText: string };

export type MadeCredential = { ok: true; credential: string } | { ok: false; detail: string };

/** Where a page pays, and to whom: as it shows it. */
export type PagePayee = { network: PageNetwork; payTo: string };

/** What the service asks for now, and its clock. */
export type Asked = { offer: PageOffer; time: ServiceTime };

/** One way to come to a PAYMENT-SIGNATURE value for terms that were judged. */
export type PayingWay = (asked: Asked, ordered: Ordered) => Promise<MadeCredential>;

/** A message that was shown to be signed elsewhere. */
export type ShownMessage = { proof: ProofOf; typed: SignableTypedData };

export type Buying = {
  view: BuyingView;
  order: BuyingOrder;
  capability: string;
  words: BuyingWords;
  /** The token of the local stack's demo buyer; undefined: wallets are asked. */
  demoToken: string | undefined;
  wallets: readonly FoundWallet[];
  storage: PurchaseStorage;
  tabs: TabTools;
  /** Something is being bought: nothing else can be begun. */
  busy: boolean;
  /** A credential is out and its end is not known: only it is sent again, and no second one is signed. */
  kept: KeptPurchase | undefined;
  /** Why the stored purchase is held up, when the service said so. */
  heldCode: string | undefined;
  /** What the terms say of transfers, or that none are taken; undefined until they were read. */
  transfers: TransferConditions | 'none' | undefined;
  /** Where someone waits for a wallet, and may stop. */
  waiting: AbortController | undefined;
  /** The network that the wallet has to go to, and what goes on once it is there. */
  elsewhere: { network: PageNetwork; goOn: () => Promise<void> } | undefined;
  /** An order that another tab is buying, and the way that was chosen for it here. */
  contested: { ordered: Ordered; payAnyway: () => Promise<void> } | undefined;
  message: ShownMessage | undefined;
  /** The account that is signed in; undefined: none, or not asked yet. */
  credits: PayingAccount | undefined;
};

/** Before it is sent: whatever happens then, it is this payment that is asked for again. */
export function keepPaidRequest(buying: Buying, paid: StoredPaidRequest, id?: string): KeptPurchase {
  const nowMs = Date.now();
  const repeated = id === undefined ? undefined : { id, keptAtMs: buying.kept?.keptAtMs ?? nowMs };
  const kept = buildKeptPurchase(paid, nowMs, repeated);
  buying.kept = kept;
  const keptFor = keepPurchase(buying.storage, kept);
  buying.view.note('kept-for', keptFor === 'browser' ? '' : buying.words.keptFor[keptFor]);
  return kept;
}

export function forget(buying: Buying): void {
  if (buying.kept) forgetPurchase(buying.storage, buying.kept);
  buying.kept = undefined;
  buying.heldCode = undefined;
  buying.view.note('kept-for', '');
}

/** Shows a purchase that has no end, unless a tab is busy with it. */
export async function restorePurchase(buying: Buying): Promise<void> {
  for (const kept of listKeptPurchases(buying.storage, buying.capability, Date.now())) {
    if (await isBeingBought(buying.tabs, kept)) continue;
    showRestored(buying, kept);
    return;
  }
}

export function showRestored(buying: Buying, kept: KeptPurchase): void {
  buying.kept = kept;
  const network = readCredentialNetwork(kept.credential);
  const choice = listNetworkChoices(buying).find(({ value }) => value === network);
  if (choice) choice.checked = true;
  buying.view.step('checking');
  buying.view.say(describeRestored(kept, buying.words.purchase));
}

export const showOrderNote = ({ view, order, words }: Buying): void =>
  view.note('order-note', describeOrder(order().body, words.purchase));

export const canSign = ({ demoToken, wallets }: Buying): boolean => demoToken !== undefined || wallets.length > 0;

/** The wallet that is chosen, or the only one. */
export function getWallet({ view, wallets }: Buying): FoundWallet | undefined {
  const chosen = view.part('wallet-list')?.querySelector<HTMLInputElement>('input:checked')?.value;
  return wallets.find((_wallet, index) => String(index) === chosen) ?? wallets[0];
}

const listNetworkChoices = ({ view }: Buying): readonly HTMLInputElement[] => [
  ...(view.part('networks')?.querySelectorAll('input') ?? []),
];

/** The first network, on which the demo buyer and transfers pay. Pages pay nothing where that is a test network. */
export const getFirstPayee = ({ view }: Buying): PagePayee => ({
  network: BASE,
  payTo: view.panel.dataset['payTo'] ?? '',
});

/** The network that is chosen, or the only one. */
export function getChosenPayee(buying: Buying): PagePayee {
  const chosen = listNetworkChoices(buying).find(({ checked }) => checked);
  const network = findPageNetwork(chosen?.value);
  const payTo = chosen?.dataset['payTo'];
  return network === undefined || payTo === undefined ? getFirstPayee(buying) : { network, payTo };
}

/** Shows what can be done now. */
export function refresh(buying: Buying): void {
  const { view, busy, kept, wallets, transfers } = buying;
  const isOpen = !busy && kept === undefined;
  const enable = (name: 'demo' | 'wallet' | 'hash-button' | 'credits' | 'show-message', enabled: boolean): void => {
    const button = view.part(name);
    if (button) button.disabled = !enabled;
  };
  enable('demo', isOpen);
  enable('wallet', isOpen && wallets.length > 0);
  enable('credits', isOpen && hasEnoughCredits(buying));
  const networks = view.part('networks');
  if (networks) networks.disabled = !isOpen;
  const isTransfer = kept !== undefined && parseTransferCredential(kept.credential) !== undefined;
  enable('hash-button', !busy && (kept === undefined || isTransfer) && transfers !== 'none');
  enable('show-message', !busy);
  view.show('switch', !busy && buying.elsewhere !== undefined);
  if (buying.elsewhere) view.setText('switch', buying.words.switchTo(buying.elsewhere.network.name));
  view.show('stop', buying.waiting !== undefined);
  view.show('second', !busy && buying.contested !== undefined);
  refreshKept(buying);
  refreshWallets(buying);
  refreshCredits(buying);
}

/** What can be done with a purchase that has no end. */
function refreshKept({ view, busy, kept: paid, heldCode, wallets, demoToken, words }: Buying): void {
  const kept = busy ? undefined : paid;
  view.show('again', kept !== undefined && canAskAgain(kept, heldCode));
  view.show('prove-again', kept !== undefined && parseTransferCredential(kept.credential) !== undefined);
  view.show('give-up', kept !== undefined);
  const isDemo = demoToken !== undefined;
  const place = { origin: window.location.origin, isDemo, hasWallet: wallets.length > 0 };
  view.note('kept-note', kept ? describeKeptPurchase(kept, place, words.purchase) : '');
}

function refreshWallets({ view, wallets, words, demoToken }: Buying): void {
  const [only] = wallets;
  const signer = view.part('proof-signer');
  if (signer) signer.disabled = wallets.length === 0 && demoToken === undefined;
  const { one, many, none } = words.walletLooks;
  if (only === undefined) return view.setText('wallet-note', none);
  if (wallets.length > 1) return view.setText('wallet-note', many);
  view.setText('wallet-note', only.name === '' ? one : `${only.name}: ${one}`);
}

const MICRO = 1_000_000;

/** The price that the page shows, in millionths of a dollar. */
export const getPriceMicroUsd = ({ view }: Buying): number => Math.round(Number(view.panel.dataset['price']) * MICRO);

const hasEnoughCredits = (buying: Buying): boolean =>
  buying.credits?.balance !== undefined && buying.credits.balance >= getPriceMicroUsd(buying);

function refreshCredits(buying: Buying): void {
  const { view, credits, words } = buying;
  const { language } = words;
  if (credits === undefined) return;
  view.show('top-up', credits.balance !== undefined && !hasEnoughCredits(buying));
  if (credits.balance === undefined) return view.setText('credits-note', words.creditsUnread);
  const balance = formatDollars(credits.balance, language);
  const price = formatDollars(getPriceMicroUsd(buying), language);
  view.setText(
    'credits-note',
    hasEnoughCredits(buying) ? words.creditsBalance(balance) : words.creditsTooSmall(balance, price),
  );
}

/** Lists the wallets to choose from, where there are several. Their names are text. */
export function listWallets(buying: Buying, wallets: readonly FoundWallet[]): void {
  const chosen = getWallet(buying)?.provider;
  buying.wallets = wallets;
  const { view, words } = buying;
  view.show('wallets', wallets.length > 1);
  view.part('wallet-list')?.replaceChildren(
    ...wallets.map((wallet, index) => {
      const id = `buy-wallet-${index}`;
      const isChosen = wallet.provider === chosen || (chosen === undefined && index === 0);
      return createWalletChoice({ id, value: String(index), isChosen }, wallet, words.walletUnnamed);
    }),
  );
}

function createWalletChoice(
  { id, value, isChosen }: { id: string; value: string; isChosen: boolean },
  { name, maker }: FoundWallet,
  unnamed: string,
): HTMLElement {
  const input = Object.assign(document.createElement('input'), { type: 'radio', name: 'buy-wallet', id, value });
  input.checked = isChosen;
  const label = Object.assign(document.createElement('label'), { htmlFor: id });
  const named = document.createElement('bdi');
  named.textContent = name === '' ? unnamed : name;
  label.append(named);
  if (maker !== '') {
    const from = Object.assign(document.createElement('span'), { className: 'small', textContent: ` (${maker})` });
    label.append(from);
  }
  const choice = Object.assign(document.createElement('div'), { className: 'choice' });
  choice.append(input, label);
  return choice;
}
