import { createPublicClient, http, recoverTypedDataAddress } from 'viem';
import { encodeTextAsBase64, decodeBase64Text } from '../../../src/payment/terms/bytes.ts';
import { AUTHORIZATION_TYPES } from '../../../src/payment/terms/constants.ts';
import { BASE } from '../../../src/payment/terms/networks-data.ts';
import { readBody, startHttpServer } from '../../../local/http-server.ts';

/** What a seller with a facilitator does wrong. */
export type CarelessFault =
  | 'none'
  | 'takes anything'
  | 'takes the amount that is said'
  | 'takes any network'
  | 'binds no route'
  | 'forgets payments'
  | 'claims too late'
  | 'keeps no answers'
  | 'never delivers';

type Settings = { fault: CarelessFault; rpcUrl: string; facilitatorUrl: string; payTo: string };
type Loose = Record<string, any>;

/** How long the work takes: long enough for a buyer to lose the answer. */
const WORK_MS = 400;

/** A seller of USDC on the local chain, settled by the real facilitator, with one way to be careless. */
export async function startCarelessSeller(settings: Settings): Promise<{ url: string; stop: () => Promise<void> }> {
  const payments = new Map<string, { path: string; answer: Promise<string> }>();
  let sales = 0;
  const server = await startHttpServer(async (request, response) => {
    await readBody(request);
    const path = request.url ?? '/';
    const send = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    if (!path.startsWith('/paid/')) return send(404, { error: 'not found' });
    const terms = buildTerms(`http://${request.headers.host ?? ''}${path}`, settings.payTo);
    const askPayment = (error: string): void =>
      send(402, { ...terms, error }, { 'payment-required': encodeTextAsBase64(JSON.stringify({ ...terms, error })) });
    const credential = request.headers['payment-signature'];
    if (typeof credential !== 'string') return askPayment('Payment required');
    const payment = readPayment(credential);
    if (payment === undefined) return send(400, { error: 'unreadable' });
    const { fault } = settings;
    const deliver = (body: string): void =>
      send(200, JSON.parse(body) as object, { 'payment-response': encodeTextAsBase64('{"success":true}') });
    const work = async (): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, WORK_MS));
      sales += 1;
      return JSON.stringify({ report: sales });
    };
    if (fault === 'takes anything') return deliver(await work());
    const isOfOtherRoute = payment['resource']?.url !== terms['resource'].url && fault !== 'binds no route';
    const refused = isOfOtherRoute ? 'wrong route' : await judge(payment, terms['accepts'][0], fault);
    if (refused !== undefined) return askPayment(refused);
    const key = String(payment['payload'].authorization.nonce);
    const known = payments.get(key);
    if (known !== undefined && fault !== 'forgets payments') {
      if (known.path !== path || fault === 'keeps no answers') return askPayment('payment already used');
      return deliver(await known.answer);
    }
    const answer = (async () => {
      const body = await work();
      if (known === undefined) await settle(settings, payment, terms['accepts'][0]);
      return body;
    })();
    answer.catch(() => undefined);
    if (fault === 'claims too late') void answer.then(() => payments.set(key, { path, answer }));
    else payments.set(key, { path, answer });
    const body = await answer;
    return fault === 'never delivers' ? askPayment('try again') : deliver(body);
  });
  return { url: `${server.url}/paid/report`, stop: server.stop };
}

const buildTerms = (url: string, payTo: string): Loose => ({
  x402Version: 2,
  resource: { url },
  accepts: [
    {
      scheme: 'exact',
      network: BASE.id,
      amount: '60000',
      asset: BASE.usdc,
      payTo,
      maxTimeoutSeconds: 300,
      extra: { ...BASE.domain },
    },
  ],
});

function readPayment(credential: string): Loose | undefined {
  try {
    const value = JSON.parse(decodeBase64Text(credential) ?? '') as Loose;
    return value['payload']?.authorization === undefined ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Why a payment is refused; undefined for one that is good, or good enough for a careless seller. */
async function judge(payment: Loose, terms: Loose, fault: CarelessFault): Promise<string | undefined> {
  const { authorization, signature } = payment['payload'] as Loose;
  const { from, to, value, validAfter, validBefore, nonce } = authorization as Loose;
  const message = {
    from,
    to,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
  };
  const domain = { ...BASE.domain, chainId: BASE.chainId, verifyingContract: BASE.usdc };
  const signer = await recoverTypedDataAddress({
    domain,
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
    signature,
  }).catch(() => '');
  if (signer.toLowerCase() !== String(from).toLowerCase()) return 'invalid signature';
  if (Number(validBefore) * 1000 < Date.now()) return 'expired';
  if (payment['accepted'].network !== terms['network'] && fault !== 'takes any network') return 'wrong network';
  const said = fault === 'takes the amount that is said' ? payment['accepted'].amount : value;
  return said === terms['amount'] ? undefined : 'wrong amount';
}

/** Settles by the facilitator: on the seller's own terms, but for the amount where that is what it is careless about. */
async function settle({ fault, facilitatorUrl, rpcUrl }: Settings, payment: Loose, terms: Loose): Promise<void> {
  const requirements =
    fault === 'takes the amount that is said' ? { ...terms, amount: payment['payload'].authorization.value } : terms;
  const answer = await fetch(`${facilitatorUrl}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      x402Version: 2,
      paymentPayload: { ...payment, accepted: requirements },
      paymentRequirements: requirements,
    }),
  });
  await answer.text();
  await createPublicClient({ transport: http(rpcUrl) }).getBlockNumber();
}
