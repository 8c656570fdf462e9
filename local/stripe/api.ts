import { computeSha256Hex } from '../../src/lib/digest.ts';
import { makeId, type StandInBooks, type StandInSession, STRIPE_API_VERSION } from './books.ts';
import { type FormParams, parseFormParams, readParam, readTexts } from './form.ts';

type Answer = { status: number; body: object };
type Call = { method: string; path: string; params: FormParams; books: StandInBooks; pageUrl: string };

/** Stripe takes sessions of 30 minutes to 24 hours. */
const MIN_SESSION_S = 30 * 60;
const MAX_SESSION_S = 24 * 3600;
/** Fewer cents are not charged. */
const MIN_CENTS = 50;
const MAX_PAGE = 100;
const DEFAULT_PAGE = 10;

const ROUTES: readonly { method: string; path: RegExp; run: (call: Call, id: string) => Promise<Answer> }[] = [
  { method: 'POST', path: /^\/v1\/checkout\/sessions$/, run: createSession },
  { method: 'GET', path: /^\/v1\/checkout\/sessions\/(cs_\w+)$/, run: readSession },
  { method: 'POST', path: /^\/v1\/checkout\/sessions\/(cs_\w+)\/expire$/, run: endSession },
  { method: 'POST', path: /^\/v1\/refunds$/, run: createRefund },
  { method: 'GET', path: /^\/v1\/refunds$/, run: listRefunds },
  { method: 'GET', path: /^\/v1\/refunds\/(re_\w+)$/, run: readRefund },
  { method: 'GET', path: /^\/v1\/events$/, run: listEvents },
  { method: 'GET', path: /^\/v1\/events\/(evt_\w+)$/, run: readEvent },
];

type Stored = { params: string; answer: Answer };

/** Answers calls of the API for one secret key. A call with the key of another again gets the answer of that other. */
export function createApi(secretKey: string, books: StandInBooks, pageUrl: () => string) {
  const idempotent = new Map<string, Stored>();
  const underWay = new Set<string>();
  return async (request: Request): Promise<Response> => {
    if (request.headers.get('authorization') !== `Bearer ${secretKey}`)
      return send(refuse(401, { message: 'Invalid API Key provided' }));
    const { pathname, search } = new URL(request.url);
    const text = request.method === 'POST' ? await request.text() : search.slice(1);
    const call = { method: request.method, path: pathname, params: parseFormParams(text), books, pageUrl: pageUrl() };
    const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
    if (key === null) return send(await answerCall(call));
    const params = await computeSha256Hex(`${pathname}\n${text}`);
    const known = idempotent.get(key);
    if (known !== undefined && known.params !== params)
      return send(
        refuse(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters',
        }),
      );
    if (known !== undefined) return send(known.answer, { 'idempotent-replayed': 'true' });
    if (underWay.has(key))
      return send(
        refuse(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'The key is in use' }),
      );
    underWay.add(key);
    const answer = await answerCall(call).finally(() => underWay.delete(key));
    if (answer.status < 400) idempotent.set(key, { params, answer });
    return send(answer);
  };
}

async function answerCall(call: Call): Promise<Answer> {
  for (const { method, path, run } of ROUTES) {
    const found = method === call.method ? path.exec(call.path) : null;
    if (found !== null) return run(call, found[1] ?? '');
  }
  return refuse(404, { message: `Unrecognized request URL (${call.method}: ${call.path})` });
}

type ApiError = { type?: string; code?: string; message: string; param?: string };

const refuse = (status: number, error: ApiError): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', ...error } },
});

const refuseMissing = (what: string, id: string): Answer =>
  refuse(404, { code: 'resource_missing', message: `No such ${what}: '${id}'`, param: 'id' });

function send({ status, body }: Answer, headers: Record<string, string> = {}): Response {
  return Response.json(body, {
    status,
    headers: { 'request-id': makeId('req'), 'stripe-version': STRIPE_API_VERSION, ...headers },
  });
}

async function createSession({ params, books, pageUrl }: Call): Promise<Answer> {
  const price = ['line_items', '0', 'price_data'] as const;
  const cents = Number(readParam(params, ...price, 'unit_amount'));
  const currency = readParam(params, ...price, 'currency');
  const successUrl = readParam(params, 'success_url');
  const created = books.seconds();
  const expiresAt = Number(readParam(params, 'expires_at') ?? created + MAX_SESSION_S);
  if (readParam(params, 'mode') !== 'payment')
    return refuse(400, { message: 'Only the mode payment is here', param: 'mode' });
  if (successUrl === undefined || currency === undefined)
    return refuse(400, { code: 'parameter_missing', message: 'Missing required param', param: 'success_url' });
  if (!Number.isSafeInteger(cents) || cents < MIN_CENTS)
    return refuse(400, { code: 'amount_too_small', message: 'The amount is too small', param: 'line_items' });
  if (!(expiresAt >= created + MIN_SESSION_S - 1 && expiresAt <= created + MAX_SESSION_S))
    return refuse(400, { message: 'expires_at must be between 30 minutes and 24 hours from now', param: 'expires_at' });
  const id = makeId('cs_test');
  const session: StandInSession = {
    id,
    object: 'checkout.session',
    amount_subtotal: cents,
    amount_total: cents,
    cancel_url: readParam(params, 'cancel_url') ?? null,
    client_reference_id: readParam(params, 'client_reference_id') ?? null,
    created,
    currency,
    expires_at: expiresAt,
    livemode: false,
    metadata: readTexts(params, 'metadata'),
    mode: 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    success_url: successUrl,
    url: `${pageUrl}/c/pay/${id}`,
  };
  books.sessions.set(id, { session, goods: readParam(params, ...price, 'product_data', 'name') ?? '' });
  return { status: 200, body: structuredClone(session) };
}

async function readSession({ books }: Call, id: string): Promise<Answer> {
  const found = await books.findSession(id);
  return found === undefined ? refuseMissing('checkout.session', id) : { status: 200, body: found.session };
}

async function endSession({ books }: Call, id: string): Promise<Answer> {
  const found = await books.findSession(id);
  if (found === undefined) return refuseMissing('checkout.session', id);
  if (found.session.status !== 'open')
    return refuse(400, { message: 'Only Checkout Sessions with a status in ["open"] can be expired' });
  await books.expire(found);
  return { status: 200, body: found.session };
}

async function createRefund({ params, books }: Call): Promise<Answer> {
  const id = readParam(params, 'payment_intent') ?? '';
  const payment = books.payments.get(id);
  if (payment?.status !== 'succeeded') return refuseMissing('payment_intent', id);
  const left = payment.amount - books.sumRefunded(id);
  const amount = Number(readParam(params, 'amount') ?? left);
  if ([...books.disputes.values()].some((one) => one.payment_intent === id && one.status !== 'won'))
    return refuse(400, { code: 'charge_disputed', message: 'Charge has been charged back; cannot issue a refund' });
  if (left === 0) return refuse(400, { code: 'charge_already_refunded', message: 'Charge has already been refunded' });
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > left)
    return refuse(400, { message: `Refund amount is greater than unrefunded amount on charge`, param: 'amount' });
  return { status: 200, body: structuredClone(await books.refund(payment, amount, readTexts(params, 'metadata'))) };
}

async function readRefund({ books }: Call, id: string): Promise<Answer> {
  const refund = books.refunds.get(id);
  return refund === undefined ? refuseMissing('refund', id) : { status: 200, body: refund };
}

async function listRefunds({ params, books }: Call): Promise<Answer> {
  const of = readParam(params, 'payment_intent');
  const found = [...books.refunds.values()].filter(({ payment_intent }) => of === undefined || payment_intent === of);
  return sendList('/v1/refunds', found.toReversed(), params);
}

async function readEvent({ books }: Call, id: string): Promise<Answer> {
  const event = books.events.find((one) => one.id === id);
  return event === undefined ? refuseMissing('event', id) : { status: 200, body: event };
}

/** Newest first, as Stripe lists everything. */
async function listEvents({ params, books }: Call): Promise<Answer> {
  const types = new Set(Object.values(readTexts(params, 'types')));
  const since = Number(readParam(params, 'created', 'gte') ?? 0);
  const found = books.events.filter(({ type, created }) => created >= since && (types.size === 0 || types.has(type)));
  return sendList('/v1/events', found.toReversed(), params);
}

function sendList(url: string, all: readonly { id: string }[], params: FormParams): Answer {
  const limit = Math.min(Number(readParam(params, 'limit') ?? DEFAULT_PAGE), MAX_PAGE);
  const after = readParam(params, 'starting_after');
  const rest = after === undefined ? all : all.slice(all.findIndex(({ id }) => id === after) + 1);
  return { status: 200, body: { object: 'list', url, has_more: rest.length > limit, data: rest.slice(0, limit) } };
}
