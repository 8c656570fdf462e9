import { parseJson } from '../../lib/json.ts';
import type { Address, Hex } from 'viem';
import * as z from 'zod';
import { PAYMENT_NETWORK_IDS } from '../../payment/terms/networks-data.ts';
import { suggestWord } from '../commands/suggest.ts';
import type { PaymentNetwork } from './network.ts';
import { refuseNetwork, type SpendingRefusal } from './spending.ts';

const defineMatching =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value);

/** 20 bytes in hexadecimal, in any letter case; a checksum in it is not judged. */
export const addressSchema = z.custom<Address>(
  defineMatching(/^0x[0-9a-fA-F]{40}$/),
  'must be an address: 0x and 40 hex digits',
);

/** 32 bytes in hexadecimal: a private key, or the hash of a transaction. */
export const bytes32Schema = z.custom<Hex>(defineMatching(/^0x[0-9a-fA-F]{64}$/), 'must be 0x and 64 hex digits');

/** Longest wait for one answer: the longest run takes 120 s, and its settlement some more. */
const REQUEST_TIMEOUT_MS = 180_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export type ServiceReason =
  | 'invalid_base_url'
  | 'not_https'
  | 'service_unreachable'
  | 'redirected'
  | 'answer_too_large'
  | 'catalogue_unreadable'
  | 'unknown_capability'
  | 'capability_unavailable';

export type ServiceRefusal = { ok: false; reason: ServiceReason; detail: string };

const refuse = (reason: ServiceReason, detail: string): ServiceRefusal => ({ ok: false, reason, detail });

/**
 * The origin of a service. Plain http is for this machine only: elsewhere anyone on the way could change payee and
 * price.
 */
export function parseBaseUrl(text: string): { ok: true; origin: string; loopback: boolean } | ServiceRefusal {
  if (!URL.canParse(text)) return refuse('invalid_base_url', `${text} is not a URL`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return refuse('invalid_base_url', 'the URL holds a user name or password');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('invalid_base_url', `${text} is not an http(s) URL`);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return refuse('invalid_base_url', `${text} is more than an origin`);
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !loopback) return refuse('not_https', `${text} is neither https nor on this machine`);
  return { ok: true, origin: url.origin, loopback };
}

/** Whether a host name, as `URL` writes it, is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    host === '[::]' ||
    host === '0.0.0.0' ||
    /^127(\.\d+){3}$/.test(host) ||
    /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host)
  );
}

/** An answer of the service that was read to its end. */
export type ServiceAnswer = { ok: true; status: number; headers: Headers; text: string };

/** One request to the service: to its own origin, never following a redirect, within limits of time and size. */
export async function request(
  origin: string,
  input: Request,
  fetcher: typeof fetch,
): Promise<ServiceAnswer | ServiceRefusal> {
  if (new URL(input.url).origin !== origin) return refuse('redirected', `${input.url} is not at ${origin}`);
  try {
    const response = await fetcher(input, { redirect: 'manual', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      return refuse(
        'redirected',
        `${input.url} answers ${response.status} to ${response.headers.get('location') ?? 'nowhere'}`,
      );
    }
    const text = await readCapped(response);
    if (text === undefined) return refuse('answer_too_large', `the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    return { ok: true, status: response.status, headers: response.headers, text };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return refuse('service_unreachable', `${origin}: ${String(error)}${cause}`);
  }
}

async function readCapped(response: Response): Promise<string | undefined> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const rowsSchema = z.record(
  z.string(),
  z.object({ amount: z.string().regex(/^\d{1,12}$/), available: z.boolean().default(true) }),
);
const indexSchema = z.object({
  payment: z.object({
    payTo: addressSchema.nullable(),
    /** The first network; services of early versions do not name it. */
    network: z.string().optional(),
    /** All of them, where there are several. The payee on Solana is no address of EVM. */
    networks: z.array(z.object({ network: z.string(), payTo: z.string() })).default([]),
  }),
  capabilities: rowsSchema,
  /** Measurements by several engines, tools, and packs of prepaid credits, by their names. */
  panels: rowsSchema.default({}),
  tools: rowsSchema.default({}),
  credits: rowsSchema.default({}),
});

/** Who is paid on a network. `isFirst`: whether a bare hash of a transfer is looked for there. */
export type Payee = { ok: true; payTo: Address; isFirst: boolean };

/** Who is paid on a network; `wrong_network` where the service is paid on others, undefined where nothing is sold. */
type FindPayee = (network: PaymentNetwork) => Payee | SpendingRefusal | undefined;

/** What is for sale, by name. `results`: the names without the credit packs. */
export type Catalogue =
  | {
      ok: true;
      findPayee: FindPayee;
      rows: ReadonlyMap<string, { microUsdc: number; isAvailable: boolean }>;
      results: readonly string[];
    }
  | ServiceRefusal;

/** The free catalogue of a service. */
export async function fetchCatalogue(origin: string, fetcher: typeof fetch): Promise<Catalogue> {
  const answer = await request(origin, new Request(`${origin}/api/agent/index`), fetcher);
  if (!answer.ok) return answer;
  const index = indexSchema.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !index.success) {
    return refuse('catalogue_unreadable', `GET ${origin}/api/agent/index answers ${answer.status} without a catalogue`);
  }
  const { capabilities, panels, tools, credits, payment } = index.data;
  const rows = Object.entries({ ...credits, ...tools, ...panels, ...capabilities }).map(
    ([name, { amount, available }]) => [name, { microUsdc: Number(amount), isAvailable: available }] as const,
  );
  const results = [...Object.keys(capabilities), ...Object.keys(panels), ...Object.keys(tools)];
  return { ok: true, findPayee: (network) => findPayee(payment, network), rows: new Map(rows), results };
}

type NamedPayees = z.infer<typeof indexSchema>['payment'];

/** The payee of this network and of no other: an address may have another owner on another chain. */
function findPayee({ payTo, network: first, networks }: NamedPayees, chosen: PaymentNetwork): ReturnType<FindPayee> {
  if (payTo === null) return undefined;
  const isFirst = first === undefined ? PAYMENT_NETWORK_IDS.some((id) => id === chosen) : first === chosen;
  if (networks.length === 0 && isFirst) return { ok: true, payTo, isFirst };
  const named = addressSchema.safeParse(networks.find(({ network }) => network === chosen)?.payTo);
  if (named.success) return { ok: true, payTo: named.data, isFirst };
  return refuseNetwork(chosen, [...(first === undefined ? [] : [first]), ...networks.map(({ network }) => network)]);
}

export type CatalogueRow = Payee & { microUsdc: bigint };

/** Price and payee of what is for sale, from the free catalogue: the ceiling of what may be signed for it. */
export async function fetchCatalogueRow(
  origin: string,
  { capability, network }: { capability: string; network: PaymentNetwork },
  fetcher: typeof fetch,
): Promise<CatalogueRow | ServiceRefusal | SpendingRefusal> {
  const catalogue = await fetchCatalogue(origin, fetcher);
  if (!catalogue.ok) return catalogue;
  const { rows } = catalogue;
  const row = rows.get(capability);
  if (row === undefined) return refuse('unknown_capability', describeUnknown(capability, [...rows.keys()]));
  const payee = catalogue.findPayee(network);
  if (!row.isAvailable || payee === undefined)
    return refuse('capability_unavailable', `${capability} is not for sale there now`);
  return payee.ok ? { ...payee, microUsdc: BigInt(row.microUsdc) } : payee;
}

function describeUnknown(capability: string, names: readonly string[]): string {
  const near = suggestWord(capability, names);
  return `the catalogue has no ${capability}${near === undefined ? `; it has ${names.join(', ')}` : `. Did you mean ${near}?`}`;
}

/** Times one paid request is sent. It is the same payment each time, so repeats cost nothing. */
export const MAX_PAID_PRESENTATIONS = 12;
/** Longest single wait that a service may ask of us. */
export const MAX_RETRY_AFTER_S = 30;
/** An authorization lives 300 s: waiting longer in all is of no use. */
const MAX_WAIT_S = 240;
const UNREACHABLE_WAIT_S = 2;

type PresentTools = { fetch: typeof fetch; sleep: (ms: number) => Promise<unknown> };

/**
 * Sends a paid request, again while the service asks to come back (409 or 503 with Retry-After) or does not answer.
 * Returns the last answer. Never pays again: the credential is in the request.
 */
export async function present(
  origin: string,
  paid: Request,
  { fetch: fetcher, sleep }: PresentTools,
): Promise<ServiceAnswer | ServiceRefusal> {
  let waitedS = 0;
  for (let sent = 1; ; sent += 1) {
    const answer = await request(origin, paid.clone(), fetcher);
    const waitS = answer.ok ? retryAfterS(answer) : computeUnreachableWaitS(answer);
    if (waitS === undefined || sent >= MAX_PAID_PRESENTATIONS || waitedS + waitS > MAX_WAIT_S) return answer;
    await sleep(waitS * 1000);
    waitedS += waitS;
  }
}

/** Seconds to wait when the service asks us to come back with the same payment; undefined when this is its last word. */
function retryAfterS({ status, headers }: ServiceAnswer): number | undefined {
  if (status !== 409 && status !== 503) return undefined;
  const text = headers.get('retry-after') ?? '';
  if (!/^\d{1,6}$/.test(text)) return undefined;
  return Math.min(Math.max(Number(text), 1), MAX_RETRY_AFTER_S);
}

const computeUnreachableWaitS = ({ reason }: ServiceRefusal): number | undefined =>
  reason === 'service_unreachable' ? UNREACHABLE_WAIT_S : undefined;

/** Faults of a body that are shown. */
const MAX_SHOWN_FAULTS = 3;
const problemSchema = z.object({
  code: z.string(),
  title: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
});

/** `faults`: each member of the body that is wrong; the detail names them too. */
export type ServiceProblem = { code: string; detail: string; faults: readonly BodyFault[] };
export type BodyFault = { pointer: string; message: string };

/** What a refusing answer says about itself. An answer that is no problem document says `http_<status>`. */
export function readServiceProblem(answer: ServiceAnswer): ServiceProblem {
  const body = parseJson(answer.text);
  const problem = problemSchema.safeParse(body);
  if (problem.success) {
    const { code, title, detail, errors = [] } = problem.data;
    const faults = errors.slice(0, MAX_SHOWN_FAULTS);
    const sentences = faults.map(({ pointer, message }) => `${pointer} ${message.replace(/\.$/, '')}.`);
    return { code, detail: [detail ?? title ?? '', ...sentences].join(' '), faults };
  }
  const error = z.object({ error: z.string() }).safeParse(body);
  const detail = error.success ? error.data.error : answer.text.slice(0, 300);
  return { code: `http_${answer.status}`, detail, faults: [] };
}
