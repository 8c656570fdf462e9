import * as z from 'zod';
import { parseJson } from '../../lib/json.ts';
import { findUnsafeAddresses } from '../../lib/settings-reader.ts';
import {
  BASE,
  findEvmNetwork,
  findSvmNetwork,
  PAYMENT_NETWORK_IDS,
  PAYMENT_NETWORKS,
  type PaymentNetwork,
  SVM_NETWORKS,
  type SvmNetwork,
} from './networks-data.ts';

/** Networks beside the first one. A 402 lists them all, and clients send most of a 402 back. */
export const MAX_MORE_NETWORKS = 3;
/** Longest list of them, in characters. */
const MAX_LIST_CHARS = 8_192;
/** Faults that are said at once. */
const MAX_FAULTS = 5;

/**
 * The secret variables that a row of PAYMENT_NETWORKS may name: an address with a key in it, or what a facilitator gets as
 * the header Authorization. No other secret is sent to either.
 */
export const networkSecretNames = [
  'NETWORK_SECRET_A',
  'NETWORK_SECRET_B',
  'NETWORK_SECRET_C',
  'NETWORK_SECRET_D',
] as const;
type NetworkSecretName = (typeof networkSecretNames)[number];

const buildMessage = (error: string) => ({ error });
const httpUrl = z.url({ protocol: /^https?$/, error: 'it is no http(s) address' });
const secret = z.enum(networkSecretNames, buildMessage(`it is none of ${networkSecretNames.join(', ')}`)).optional();
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const IDS = [...Object.keys(PAYMENT_NETWORKS), ...Object.keys(SVM_NETWORKS)];

/** A row of `PAYMENT_NETWORKS`. Keys are never in it: it names the secret variable that holds one. */
const rowSchema = z.strictObject({
  network: z
    .string(buildMessage('it is missing, or no text'))
    .refine((id) => IDS.includes(id), buildMessage(`it is none of ${IDS.join(', ')}`)),
  rpc_url: httpUrl.optional(),
  rpc_secret: secret,
  facilitator_url: httpUrl.optional(),
  facilitator_secret: secret,
  pay_to: z.string(buildMessage('it is no text')).optional(),
  fee_payer: z
    .string(buildMessage('it is no text'))
    .regex(SOLANA_ADDRESS, buildMessage('it is no address of Solana'))
    .optional(),
});
export type NetworkRow = z.infer<typeof rowSchema>;

export type NetworkRowsReading = { ok: true; rows: readonly NetworkRow[] } | { ok: false; detail: string };

/**
 * The rows of `PAYMENT_NETWORKS`, or what is wrong with them by row (from 1) and field: no value is quoted.
 * @param first the network of `PAYMENT_NETWORK`: all are main networks, or all are test networks.
 */
export function parseNetworkRows(text: string, first?: PaymentNetwork): NetworkRowsReading {
  if (text.length > MAX_LIST_CHARS) return fail(`it has over ${MAX_LIST_CHARS} characters`);
  const list = parseJson(text);
  if (!Array.isArray(list)) return fail('it is no JSON list');
  if (list.length > MAX_MORE_NETWORKS) return fail(`it has over ${MAX_MORE_NETWORKS} rows`);
  const read = list.map((row: unknown) => rowSchema.safeParse(row));
  const faults = read.flatMap(({ error }, at) => (error?.issues ?? []).map((issue) => describeIssue(issue, at)));
  const rows = read.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const misfits = rows.flatMap((row, at) =>
    findRowMisfits(row, rows.slice(0, at), first).map((one) => `row ${at + 1}, ${one}`),
  );
  const all = [...faults, ...misfits];
  return all.length > 0 ? fail(all.slice(0, MAX_FAULTS).join('; ')) : { ok: true, rows };
}

const fail = (detail: string): { ok: false; detail: string } => ({ ok: false, detail: `PAYMENT_NETWORKS: ${detail}` });

function describeIssue(issue: z.core.$ZodIssue, at: number): string {
  const row = `row ${at + 1}`;
  if (issue.code === 'unrecognized_keys') return `${row} has a field that rows do not have`;
  const [field] = issue.path;
  return field === undefined ? `${row} is no object` : `${row}, ${String(field)}: ${issue.message}`;
}

function findRowMisfits(row: NetworkRow, earlier: readonly NetworkRow[], first?: PaymentNetwork): readonly string[] {
  const evm = findEvmNetwork(row.network);
  const svm = findSvmNetwork(row.network);
  const kind = (evm ?? svm)?.kind;
  const firstId = first?.id;
  const others = [firstId, ...earlier.map(({ network }) => network)];
  const found: (string | false)[] = [
    others.includes(row.network) && 'network: it is named twice, or is the one of PAYMENT_NETWORK',
    first !== undefined && kind !== first.kind && 'network: test networks and main networks are never mixed',
    (row.rpc_url === undefined) === (row.rpc_secret === undefined) && 'rpc_url: say it, or rpc_secret, and not both',
    row.facilitator_secret !== undefined &&
      row.facilitator_url === undefined &&
      'facilitator_secret: it goes with a facilitator_url',
    evm !== undefined && row.pay_to !== undefined && !EVM_ADDRESS.test(row.pay_to) && 'pay_to: it is no address',
    evm !== undefined && row.fee_payer !== undefined && 'fee_payer: only Solana has one',
    svm !== undefined &&
      (row.pay_to === undefined || !SOLANA_ADDRESS.test(row.pay_to)) &&
      'pay_to: it is no address of Solana',
    svm !== undefined &&
      row.fee_payer === undefined &&
      'fee_payer: it is missing: the facilitator names it in /supported',
  ];
  return found.filter((one) => one !== false);
}

/** What sales on one network need. `payTo` is lower case on EVM networks, and as it is on Solana. */
type SellingOn<Network> = {
  network: Network;
  payTo: string;
  rpcUrl: string;
  facilitatorUrl: string;
  facilitatorAuthorization: string | undefined;
};
export type EvmSelling = SellingOn<PaymentNetwork>;
/** `feePayer`: whose account pays the fees of settlements, as the facilitator names it. */
export type SvmSelling = SellingOn<SvmNetwork> & { feePayer: string };

/** The variables that say where a deployment is paid. */
export type NetworkSettings = {
  PAYMENT_NETWORK?: (typeof PAYMENT_NETWORK_IDS)[number] | undefined;
  PAY_TO?: string | undefined;
  RPC_URL?: string | undefined;
  FACILITATOR_URL?: string | undefined;
  FACILITATOR_AUTHORIZATION?: string | undefined;
  PAYMENT_NETWORKS?: string | undefined;
} & { [Name in NetworkSecretName]?: string | undefined };

export type SellingNetworks =
  | { ok: true; first: EvmSelling; evm: readonly EvmSelling[]; svm: SvmSelling | undefined }
  | { ok: false; detail: string };

/** Every network that is configured, the first one first. */
export const listSellings = ({ evm, svm }: SellingNetworks & { ok: true }): readonly (EvmSelling | SvmSelling)[] => [
  ...evm,
  ...(svm === undefined ? [] : [svm]),
];

/** The first network of a deployment: Base, unless its settings name its test network. */
export const getFirstNetwork = ({ PAYMENT_NETWORK }: Pick<NetworkSettings, 'PAYMENT_NETWORK'>): PaymentNetwork =>
  PAYMENT_NETWORKS[PAYMENT_NETWORK ?? BASE.id];

/**
 * The networks that a deployment sells on, the first one first; or what is missing or wrong. A payee or facilitator that a
 * row does not name is the first network's, and a facilitator of its own never gets the header of the first.
 */
export function resolveNetworks(settings: NetworkSettings): SellingNetworks {
  const { PAY_TO, RPC_URL, FACILITATOR_URL, FACILITATOR_AUTHORIZATION, PAYMENT_NETWORKS: text } = settings;
  if (PAY_TO === undefined || PAY_TO === '') return { ok: false, detail: 'PAY_TO is not set' };
  if (RPC_URL === undefined || RPC_URL === '') return { ok: false, detail: 'RPC_URL is not set' };
  if (FACILITATOR_URL === undefined || FACILITATOR_URL === '')
    return { ok: false, detail: 'FACILITATOR_URL is not set' };
  const network = getFirstNetwork(settings);
  const first: EvmSelling = {
    network,
    payTo: PAY_TO.toLowerCase(),
    rpcUrl: RPC_URL,
    facilitatorUrl: FACILITATOR_URL,
    facilitatorAuthorization: FACILITATOR_AUTHORIZATION,
  };
  if (text === undefined || text === '') return { ok: true, first, evm: [first], svm: undefined };
  const read = parseNetworkRows(text, network);
  if (!read.ok) return read;
  const evm = [first];
  let svm: SvmSelling | undefined;
  for (const [at, row] of read.rows.entries()) {
    const selling = resolveRow(row, first, settings);
    if (typeof selling === 'string') return fail(`row ${at + 1}, ${selling}`);
    const onEvm = findEvmNetwork(row.network);
    const onSvm = findSvmNetwork(row.network);
    if (onEvm !== undefined) evm.push({ ...selling, network: onEvm, payTo: selling.payTo.toLowerCase() });
    if (onSvm !== undefined) svm = { ...selling, network: onSvm, feePayer: row.fee_payer ?? '' };
  }
  return { ok: true, first, evm, svm };
}

/** A row with its secrets and what it shares with the first network; or which secret is missing. */
function resolveRow(
  row: NetworkRow,
  first: EvmSelling,
  settings: NetworkSettings,
): Omit<EvmSelling, 'network'> | string {
  const rpcUrl = row.rpc_url ?? (row.rpc_secret && settings[row.rpc_secret]);
  if (!rpcUrl) return `rpc_secret: the secret ${row.rpc_secret} is not set`;
  if (!httpUrl.safeParse(rpcUrl).success) return `rpc_secret: the secret ${row.rpc_secret} is no http(s) address`;
  const authorization = row.facilitator_secret && settings[row.facilitator_secret];
  if (row.facilitator_secret !== undefined && !authorization)
    return `facilitator_secret: the secret ${row.facilitator_secret} is not set`;
  const own = row.facilitator_url;
  return {
    payTo: row.pay_to ?? first.payTo,
    rpcUrl,
    facilitatorUrl: own ?? first.facilitatorUrl,
    facilitatorAuthorization: own === undefined ? first.facilitatorAuthorization : authorization,
  };
}

/** The addresses that rows name, for what must know them: a local stack that lets them through. */
export function listNetworkUrls(text: string | undefined): readonly string[] {
  const read = text === undefined || text === '' ? undefined : parseNetworkRows(text);
  return read?.ok === true
    ? read.rows.flatMap((row) => [row.rpc_url, row.facilitator_url].filter((url) => url !== undefined))
    : [];
}

/**
 * Why a deployment has no further networks by this text, a sentence for each; none where it has them. No value is quoted.
 * @param isSet whether a secret variable has a value; left out where that is not known
 */
export function findNetworkRowFaults(
  text: string,
  first?: PaymentNetwork,
  isSet?: (name: string) => boolean,
): readonly string[] {
  const read = parseNetworkRows(text, first);
  if (!read.ok) return [read.detail.replace('PAYMENT_NETWORKS: ', '')];
  return read.rows.flatMap((row, at) => {
    const unsafe = [row.rpc_url, row.facilitator_url].some(
      (value) => value !== undefined && findUnsafeAddresses({ value }).length > 0,
    );
    const unset = [row.rpc_secret, row.facilitator_secret].find(
      (name) => name !== undefined && isSet?.(name) === false,
    );
    return [
      ...(unsafe ? [`row ${at + 1}: its addresses must be https and public`] : []),
      ...(unset === undefined ? [] : [`row ${at + 1}: the secret ${unset} is not set`]),
    ];
  });
}
