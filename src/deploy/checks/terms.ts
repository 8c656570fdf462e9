import * as z from 'zod';
import { parseJson } from '../../lib/json.ts';
import { isDeployedAt } from '../../lib/settings-reader.ts';
import { decodeBase64Text } from '../../payment/terms/bytes.ts';
import { isWellKnownTestAccount, ZERO_ADDRESS } from '../../payment/terms/constants.ts';
import { findSaleNetwork, PAYMENT_NETWORKS, type PaymentNetwork } from '../../payment/terms/networks-data.ts';
import {
  askFor,
  buildJsonPost,
  type CheckName,
  describeNotReached,
  failCheck,
  leaveUnknown,
  acceptCheck,
  warnCheck,
} from './asking.ts';
import type { CheckOrder, CheckPorts, DeploymentCheck } from './check.ts';

/** Networks that can be sold on, by their names. */
const networks = new Map<string, PaymentNetwork>(Object.entries(PAYMENT_NETWORKS));

/** Capabilities whose terms are asked for: a check and a report. */
const ASKED = ['check_health', 'full_audit'] as const;
const SITE = 'https://example.com/';

const amount = z.string().regex(/^\d{1,12}$/);
const indexSchema = z.object({
  payment: z.object({ network: z.string(), payTo: z.string().nullable(), asset: z.string() }),
  capabilities: z.record(z.string(), z.object({ amount, network: z.string(), available: z.boolean() })),
});
const termsSchema = z.object({
  x402Version: z.literal(2),
  accepts: z
    .array(z.object({ scheme: z.string(), network: z.string(), amount, asset: z.string(), payTo: z.string() }))
    .min(1),
});
type Terms = z.infer<typeof termsSchema>['accepts'][number];
type Catalogue = z.infer<typeof indexSchema>;

const names = {
  catalogue: { id: 'terms.catalogue', title: 'The free catalogue can be read' },
  answer: { id: 'terms.answer', title: 'An unpaid request is answered 402 with payment terms' },
  network: { id: 'terms.network', title: 'The terms are for the network and token that are meant' },
  payee: { id: 'terms.payee', title: 'The terms pay an address that someone alone holds' },
  price: { id: 'terms.price', title: 'The terms have the prices of the catalogue' },
  consistent: { id: 'terms.consistent', title: 'The terms have the payee and the network of the catalogue' },
} as const satisfies Readonly<Record<string, CheckName>>;

/** What an unpaid caller is asked to pay, to whom, and on which network: against the catalogue and what is expected. */
export async function checkPaymentTerms(order: CheckOrder, ports: CheckPorts): Promise<readonly DeploymentCheck[]> {
  const { api } = order.addresses;
  const index = await askFor(ports, `${api}/api/agent/index`);
  if (!index.reached) return Object.values(names).map((name) => leaveUnknown(name, describeNotReached(index)));
  const catalogue = index.status === 200 ? indexSchema.safeParse(index.json) : undefined;
  if (catalogue?.success !== true)
    return [failCheck(names.catalogue, `${index.url} answers ${index.status} without a catalogue`, READ_LOG)];
  const read = acceptCheck(names.catalogue, `${Object.keys(catalogue.data.capabilities).length} capabilities`);
  if (catalogue.data.payment.payTo === null)
    return [read, failCheck(names.answer, 'The catalogue says that nothing is for sale', 'Set PAY_TO')];
  if (Object.values(catalogue.data.capabilities).every(({ available }) => !available))
    return [read, await checkClosed(api, ports)];
  const asked = await Promise.all(ASKED.map((capability) => askForTerms(capability, api, ports)));
  const missing = asked.find((one) => !one.ok);
  if (missing?.ok === false) return [read, missing.result];
  const terms = asked.flatMap((one) => (one.ok ? [one] : []));
  return [
    read,
    acceptCheck(names.answer, `${ASKED.join(' and ')} answer 402`),
    ...judgeTerms(order, terms, catalogue.data),
  ];
}

/** Of a deployment whose catalogue says that nothing can be bought now. */
async function checkClosed(api: string, ports: CheckPorts): Promise<DeploymentCheck> {
  const answer = await askFor(ports, `${api}/api/agent/${ASKED[0]}`, buildJsonPost({ url: SITE }));
  if (!answer.reached) return leaveUnknown(names.answer, describeNotReached(answer));
  if (answer.status !== 503)
    return failCheck(names.answer, `${answer.url} answers ${answer.status}, and the catalogue sells nothing`, READ_LOG);
  return warnCheck(names.answer, 'Sales are closed: nothing can be bought', 'Set SALES to open when sales may go on');
}

const READ_LOG = 'Read the log: npx wrangler tail';

type AskedTerms = ({ ok: true } & Named) | { ok: false; result: DeploymentCheck };

async function askForTerms(capability: string, api: string, ports: CheckPorts): Promise<AskedTerms> {
  const answer = await askFor(ports, `${api}/api/agent/${capability}`, buildJsonPost({ url: SITE }));
  if (!answer.reached) return { ok: false, result: leaveUnknown(names.answer, describeNotReached(answer)) };
  if (answer.status === 429)
    return { ok: false, result: leaveUnknown(names.answer, `${answer.url} answers 429`, 'Wait a minute') };
  const header = parseJson(decodeBase64Text(answer.headers.get('payment-required') ?? '') ?? '');
  const parsed = termsSchema.safeParse(header);
  const [terms, ...others] = parsed.success ? parsed.data.accepts : [];
  if (answer.status !== 402 || terms === undefined) {
    const detail = `${answer.url} answers ${answer.status} without readable payment terms`;
    return { ok: false, result: failCheck(names.answer, detail, READ_LOG) };
  }
  return { ok: true, capability, terms, others };
}

/** `others`: the same on further networks. */
type Named = { capability: string; terms: Terms; others: readonly Terms[] };

function judgeTerms(order: CheckOrder, all: readonly Named[], catalogue: Catalogue): readonly DeploymentCheck[] {
  const [first] = all;
  if (first === undefined) return [];
  return [
    judgeNetwork(first, order),
    judgePayee(first.terms, order),
    judgePrices(all, catalogue),
    judgeConsistency(all, catalogue),
  ];
}

const SET_NETWORK = 'Set PAYMENT_NETWORK, then deploy';
/** The file names one, and the deployment keeps another. */
const KEPT_NETWORK =
  'A ledger has one network for its whole life, so the deployment keeps it. Correct PAYMENT_NETWORK in the file, or make another deployment';
const KEPT_PAYEE =
  'The deployment keeps the one it had. If that is yours, correct the file; if the one of the file is, add --replace PAY_TO. If you know neither, stop selling, and look who changed it';

function judgeNetwork({ terms, others }: Named, { expected }: CheckOrder): DeploymentCheck {
  const { scheme, network, asset } = terms;
  const name = names.network;
  const wanted = expected?.network;
  if (wanted !== undefined && network !== wanted)
    return failCheck(
      name,
      `They are for ${network}, not for ${wanted}`,
      expected?.kept?.has('PAYMENT_NETWORK') === true ? KEPT_NETWORK : SET_NETWORK,
    );
  const known = networks.get(network);
  if (known === undefined) return failCheck(name, `${network} is no network of this service`, SET_NETWORK);
  if (asset.toLowerCase() !== known.usdcLower)
    return failCheck(name, `The token ${asset} is not USDC of ${network}`, 'Deploy the released version');
  if (scheme !== 'exact') return failCheck(name, `The scheme is ${scheme}, not exact`, 'Deploy the released version');
  const wrong = others.map((other) => findOtherFault(other, terms, known)).find((fault) => fault !== undefined);
  if (wrong !== undefined) return failCheck(name, wrong, 'Correct PAYMENT_NETWORKS, then deploy');
  return acceptCheck(name, `USDC of ${[network, ...others.map((other) => other.network)].join(', ')}`);
}

/** What is wrong with the same offer on a further network. */
function findOtherFault(other: Terms, first: Terms, { kind }: PaymentNetwork): string | undefined {
  const known = findSaleNetwork(other.network);
  if (known === undefined) return `${other.network} is no network of this service`;
  if (known.kind !== kind) return `${other.network} is a ${known.kind} network, and ${first.network} is none`;
  const asset = 'usdcLower' in known ? known.usdcLower : known.usdc;
  if ((asset.startsWith('0x') ? other.asset.toLowerCase() : other.asset) !== asset)
    return `The token ${other.asset} is not USDC of ${other.network}`;
  return other.amount === first.amount ? undefined : `${other.network} has another price than ${first.network}`;
}

function judgePayee({ payTo }: Terms, { addresses, expected }: CheckOrder): DeploymentCheck {
  const name = names.payee;
  if (!/^0x[0-9a-fA-F]{40}$/.test(payTo)) return failCheck(name, 'The payee is no address', 'Set PAY_TO');
  if (expected?.payTo !== undefined && payTo.toLowerCase() !== expected.payTo.toLowerCase())
    return failCheck(
      name,
      `They pay ${payTo}, not ${expected.payTo}`,
      expected.kept?.has('PAY_TO') === true ? KEPT_PAYEE : 'Set PAY_TO; look who changed it',
    );
  const isLost = payTo.toLowerCase() === ZERO_ADDRESS || isWellKnownTestAccount(payTo);
  if (isLost && isDeployedAt(addresses.api))
    return failCheck(
      name,
      `Everyone, or no one, holds the key of ${payTo}`,
      'Set PAY_TO to an address of yours at once',
    );
  return acceptCheck(name, payTo);
}

function judgePrices(all: readonly Named[], { capabilities }: Catalogue): DeploymentCheck {
  const other = all.find(({ capability, terms }) => capabilities[capability]?.amount !== terms.amount);
  if (other === undefined) {
    const prices = all.map(({ capability, terms }) => `${capability} ${Number(terms.amount) / 1_000_000} USDC`);
    return acceptCheck(names.price, prices.join(', '));
  }
  const { capability, terms } = other;
  const listed = capabilities[capability]?.amount ?? 'nothing';
  const detail = `${capability} asks for ${terms.amount} and is listed at ${listed}, in units of the token`;
  return failCheck(names.price, detail, 'Deploy one version to all of the deployment');
}

function judgeConsistency(all: readonly Named[], { payment, capabilities }: Catalogue): DeploymentCheck {
  const name = names.consistent;
  const next = 'Deploy one version to all of the deployment';
  for (const { capability, terms } of all) {
    if (terms.payTo.toLowerCase() !== payment.payTo?.toLowerCase())
      return failCheck(name, `${capability} pays ${terms.payTo}, the catalogue says ${payment.payTo}`, next);
    if (terms.network !== payment.network || capabilities[capability]?.network !== payment.network)
      return failCheck(name, `${capability} is sold on ${terms.network}, the catalogue says ${payment.network}`, next);
    if (terms.asset.toLowerCase() !== payment.asset.toLowerCase())
      return failCheck(name, `${capability} takes ${terms.asset}, the catalogue says ${payment.asset}`, next);
  }
  return acceptCheck(name, `${payment.network} and ${payment.payTo}`);
}
