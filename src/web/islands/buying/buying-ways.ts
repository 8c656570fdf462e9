import { isText } from '../../../lib/json.ts';
import { CHAIN_NAMES, type PageNetwork } from '../../../payment/terms/wallet-chain-data.ts';
import { type Asked, type Buying, type MadeCredential, getWallet, refresh, type PayingWay } from './buying-panel.ts';
import { connectWallet, hasContractCode, signTypedData, type ProviderRefusal } from './injected-wallet.ts';
import {
  buildAuthorization,
  buildAuthorizationTypedData,
  formatPaymentHeader,
  type SignableTypedData,
} from './payment-signing.ts';
import { buildTransferProofTypedData, formatTransferProof } from './transfer-proof.ts';
import { computeServiceNowS } from './service-time.ts';
import { hasShape } from '../parts/shape.ts';
import { checkSignature, loadSignerReader } from './signature-check.ts';
import type { WalletProvider } from './wallet-discovery.ts';

/** Why a wallet gave nothing, in words: what happened, what it cost, what to do. */
export function describeProviderRefusal({ words }: Buying, refusal: ProviderRefusal, wanted: PageNetwork): string {
  if (refusal.reason !== 'wrong_network') return words.refusals[refusal.reason](refusal, wanted);
  const { chainId = Number.NaN } = refusal;
  return words.walletSwitch(CHAIN_NAMES.get(chainId) ?? words.network(chainId), wanted.name);
}

/** While a wallet is asked, someone may stop waiting for it. */
export async function runWaiting<T>(buying: Buying, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const waiting = new AbortController();
  buying.waiting = waiting;
  refresh(buying);
  try {
    return await act(waiting.signal);
  } finally {
    buying.waiting = undefined;
    refresh(buying);
  }
}

type SignedByAccount = { ok: true; signature: string; account: string } | ProviderRefusal;

/**
 * Has the wallet sign what `build` makes for its account, and judges the signature in this page: a wallet may say that it is
 * on the network and sign for another one, or by another account.
 */
async function signByWallet(
  buying: Buying,
  {
    provider,
    network,
    anyNetwork,
    ask,
  }: { provider: WalletProvider; network: PageNetwork; anyNetwork: boolean; ask: string },
  build: (account: string) => Promise<SignableTypedData> | SignableTypedData,
): Promise<SignedByAccount> {
  const { view, words } = buying;
  const loading = loadSignerReader().catch(() => undefined); // While the wallet asks; refused below where it failed.
  return runWaiting(buying, async (signal) => {
    view.say(words.walletAccount);
    const connected = await connectWallet(provider, { signal, network, anyNetwork });
    if (!connected.ok) return connected;
    const { account } = connected;
    const typed = await build(account);
    view.say(ask);
    const signed = await signTypedData(provider, account, typed, signal);
    if (!signed.ok) return signed;
    view.say(words.checking);
    const read = await loading;
    if (read === undefined) return { ok: false, reason: 'not_checked' };
    const { signature } = signed;
    const verdict = await checkSignature(read, { typed, signature, account }, () =>
      hasContractCode(provider, account, signal),
    );
    return verdict === 'foreign' ? { ok: false, reason: 'foreign_signature' } : { ok: true, signature, account };
  });
}

/** What a wallet's refusal leads to: on another network the page offers to switch, and goes on from there. */
function refuseSigning(
  buying: Buying,
  refusal: ProviderRefusal,
  elsewhere: NonNullable<Buying['elsewhere']>,
): MadeCredential {
  if (refusal.reason === 'wrong_network') buying.elsewhere = elsewhere;
  return { ok: false, detail: describeProviderRefusal(buying, refusal, elsewhere.network) };
}

/** A wallet signs the transfer (EIP-3009), which the service settles when the result is ready. */
export const createWalletWay =
  (buying: Buying, goOn: () => Promise<void>, anyNetwork = false): PayingWay =>
  async ({ offer: { resource, accepted, network }, time }) => {
    const wallet = getWallet(buying);
    if (!wallet) return { ok: false, detail: buying.words.walletLooks.none };
    const { provider } = wallet;
    let authorization: ReturnType<typeof buildAuthorization> | undefined;
    const asked = { provider, network, anyNetwork, ask: buying.words.walletSign };
    const signed = await signByWallet(buying, asked, (account) => {
      authorization = buildAuthorization(accepted, account, computeServiceNowS(time, Date.now()));
      return buildAuthorizationTypedData(authorization, network);
    });
    if (!signed.ok) return refuseSigning(buying, signed, { network, goOn });
    const payload = { signature: signed.signature, authorization };
    return { ok: true, credential: formatPaymentHeader({ resource, accepted, payload }) };
  };

/**
 * A transfer that was made, with the payer's signature: no one else can use it up, and a lost answer can be asked for
 * again.
 */
export const createProvenWay =
  (buying: Buying, transaction: string, goOn: () => Promise<void>, anyNetwork = false): PayingWay =>
  async ({ offer, time }, { capability, bodyText }) => {
    const { origin } = globalThis.location;
    const proof = { origin, transaction, capability, bodyText, nowS: computeServiceNowS(time, Date.now()) };
    if (buying.demoToken !== undefined) {
      const answer = await askDemoBuyer(buying, buying.demoToken, {
        proof: { transaction, capability, body: bodyText, issued_at: proof.nowS },
      });
      return answer.ok ? { ok: true, credential: formatTransferProof(offer, proof, answer.signed) } : answer;
    }
    const wallet = getWallet(buying);
    if (!wallet) return { ok: false, detail: buying.words.noWalletToProve };
    const { network } = offer;
    const asked = { provider: wallet.provider, network, anyNetwork, ask: buying.words.walletProve };
    const signed = await signByWallet(buying, asked, () => buildTransferProofTypedData(proof));
    return signed.ok
      ? { ok: true, credential: formatTransferProof(offer, proof, signed.signature) }
      : refuseSigning(buying, signed, { network, goOn });
  };

const isSignedPayment = hasShape({ payment_signature: isText });
const isSignedProof = hasShape({ signature: isText });
const isDemoProblem = hasShape({ title: isText });

/** The demo buyer of the local stack signs: the only one whose signature is worth something there (rule P8). */
async function askDemoBuyer(
  { words }: Buying,
  token: string,
  body: object,
): Promise<{ ok: true; signed: string } | { ok: false; detail: string }> {
  const answer = await fetch('/local/demo-buyer', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-demo-token': token },
    body: JSON.stringify(body),
  });
  const json: unknown = await answer.json();
  if (isSignedPayment(json)) return { ok: true, signed: json.payment_signature };
  if (isSignedProof(json)) return { ok: true, signed: json.signature };
  const said = isDemoProblem(json) ? json.title : words.answered(answer.status);
  return { ok: false, detail: words.demoRefused(said) };
}

export const createDemoWay =
  (buying: Buying, token: string): PayingWay =>
  async ({ offer: { accepted } }: Asked, { capability }) => {
    const answer = await askDemoBuyer(buying, token, { capability, accepted });
    return answer.ok ? { ok: true, credential: answer.signed } : answer;
  };
