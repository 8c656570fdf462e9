import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import * as z from 'zod';
import { newBrowser } from '../../conformance/support/browser.ts';
import { fromFreshCaller } from '../../conformance/support/caller.ts';
import { signTerms } from '../../conformance/support/mcp-client.ts';
import { discover, grant } from '../../conformance/support/oauth.ts';
import { signIn } from '../../conformance/support/person.ts';
import { pdf } from '../audit/pdf.ts';
import { callOnCredits } from './credit-call.ts';
import { askDirectly } from './direct.ts';
import { BUSY_SITE, type InFlight, LOCKED_CALLER, SEARCH } from './in-flight.ts';
import { CHARTS, HOOKS, PUSH } from './outside.ts';
import type { FlightRecording } from './record-in-flight-payments.ts';
import { type Json, made, until } from './recording.ts';
import { ask, ORIGINS, type Place } from './stack.ts';

const USERS = '/admin/directory/v1/users';
const FAILED_SIGN_INS = 5;
const PREVIEWS = 12;
const GONE = 410;
const UNAVAILABLE = 503;

/** Asks as the holder of a token of the recording. */
function as(recording: FlightRecording, at: Place) {
  const token = recording.record.tokens?.[at === 'webhook' ? 'webhook' : 'control'];
  return (call: string, body?: unknown): Promise<Json> => made({ at, call, body, token });
}

/** Uses up limits: failed operator sign-ins, previews of a site, the cost of chats. */
export async function recordCounters(recording: FlightRecording): Promise<void> {
  for (let failure = 0; failure < FAILED_SIGN_INS; failure += 1)
    await ask({
      at: 'api',
      call: 'POST /signin/operator',
      body: { secret: 'a wrong secret' },
      headers: { 'cf-connecting-ip': LOCKED_CALLER },
    }).then((answer) => answer.text());
  const { hostname: host } = new URL(BUSY_SITE);
  for (let preview = 0; preview < PREVIEWS; preview += 1) {
    const target = { host, domain: host };
    await askDirectly({
      do: 'call',
      binding: 'TARGET_GATE',
      name: host,
      method: 'enter',
      args: [`${preview}`, 'unpaid', target],
    });
    await askDirectly({
      do: 'call',
      binding: 'TARGET_GATE',
      name: host,
      method: 'leave',
      args: [`${preview}`, target],
    });
  }
  const chat = { messages: [{ role: 'user', content: SEARCH.pdf.query }] };
  await as(recording, 'control')(`POST ${SEARCH.library}/chat/completions`, chat);
}

const itemSchema = z.object({ result: z.looseObject({ id: z.string() }) });

/** An instance with a PDF in it. */
export async function recordPdf(recording: FlightRecording): Promise<void> {
  const call = as(recording, 'control');
  await call(`POST ${SEARCH.namespaces}`, { name: 'desk' });
  await call(`POST ${SEARCH.namespaces}/desk/instances`, {
    id: 'library',
    index_method: { keyword: true, vector: true },
  });
  const form = new FormData();
  const { name, words } = SEARCH.pdf;
  form.append(
    'file',
    new File([Buffer.from(pdf([[words], ['The second page']], 'Tides'))], name, { type: 'application/pdf' }),
  );
  form.append('wait_for_completion', 'true');
  const uploaded = await fetch(`${ORIGINS.control}${SEARCH.library}/items`, {
    method: 'POST',
    headers: { authorization: `Bearer ${recording.record.tokens?.control}` },
    body: form,
  });
  const { result } = itemSchema.parse(await uploaded.json());
  await until(
    'the PDF is not indexed',
    () => call(`GET ${SEARCH.library}/items/${result.id}`),
    (item) => z.looseObject({ status: z.string() }).parse(item['result']).status === 'completed',
  );
}

/** A crawl whose third page gets no answer: what comes after it waits. */
export async function leaveCrawl(recording: FlightRecording): Promise<void> {
  const { outside } = recording;
  for (const path of CHARTS.slice(2)) outside.silent.add(path);
  const site = { type: 'web-crawler', source: `${ORIGINS.outside}/` };
  await as(recording, 'control')(`POST ${SEARCH.namespaces}/desk/instances`, { id: 'charts', ...site });
  const waited = CHARTS.slice(2, 4);
  await until(
    'the crawl is not under way',
    async () => outside.asked.slice(-8),
    () => waited.every((path) => outside.asked.includes(path)),
  );
}

const messagesSchema = z.object({
  messages: z.array(z.looseObject({ user_id: z.string().nullable(), state: z.string() })),
});
const idSchema = z.looseObject({ id: z.string() });

/** A change that the receiver of webhooks refused for good, one that it could not take yet, and a push that was not taken. */
export async function recordMessages(recording: FlightRecording): Promise<void> {
  const { outside, record } = recording;
  const [webhook, control] = [as(recording, 'webhook'), as(recording, 'control')];
  const { id } = idSchema.parse(await webhook('POST /channels', {}));
  await until(
    'the channel is not synced',
    async () => z.looseObject({ synced_at: z.string().nullable() }).parse(await webhook(`GET /channels/${id}`)),
    (channel) => channel.synced_at !== null,
  );
  await until(
    'the directory is not listed',
    () => webhook('GET /status'),
    (status) => typeof status['last_resync_at'] === 'string',
  );
  const add = async (name: string): Promise<string> => {
    const person = { name: { givenName: name, familyName: 'Pilot' }, password: 'correct horse' };
    return idSchema.parse(await control(`POST ${USERS}`, { primaryEmail: `${name}@example.com`, ...person })).id;
  };
  const reach = (user: string, state: string): Promise<unknown> =>
    until(
      `the message is not ${state}`,
      async () => messagesSchema.parse(await webhook('GET /messages')).messages,
      (messages) => messages.some((row) => row.user_id === user && row.state === state),
    );
  outside.statuses.set(HOOKS, GONE);
  const dead = await add('dead');
  await reach(dead, 'dead');
  outside.statuses.set(HOOKS, UNAVAILABLE);
  const delivering = await add('delivering');
  await reach(delivering, 'delivering');

  const channel = { id: 'in-flight', token: 'the-channel-token' };
  await control(`POST ${USERS}/watch?customer=my_customer&event=add`, {
    ...channel,
    type: 'web_hook',
    address: `${ORIGINS.outside}${PUSH}`,
  });
  const states = (): unknown[] =>
    outside.received.filter(({ path }) => path === PUSH).map(({ headers }) => headers['x-goog-resource-state']);
  await until(
    'no sync was pushed',
    async () => states(),
    (seen) => seen.includes('sync'),
  );
  outside.statuses.set(PUSH, UNAVAILABLE);
  const pushed = await add('pushed');
  await until(
    'nothing was pushed',
    async () => states(),
    (seen) => seen.includes('add'),
  );
  record.users = { dead, delivering, pushed };
  record.channel = channel;
}

/** An account with a pack of credits. */
export async function recordAccount(recording: FlightRecording): Promise<void> {
  const { accounts, record } = recording;
  const buyer = accounts.get('credits');
  if (buyer === undefined) throw new Error('no account buys credits');
  const browser = newBrowser(ORIGINS.api);
  await signIn(browser, buyer.account);
  const world = await discover(ORIGINS.api);
  const { tokens } = await grant(world, browser, { scope: 'audit:run credits:use', cap_usd: '1' });
  const others: Omit<InFlight['tokens'], 'person'> = { control: '', webhook: '', ...record.tokens };
  record.tokens = { ...others, person: tokens.access_token };
  record.cookies = [...browser.cookies];
  const answer = await buyCredits(recording);
  if (answer.status !== 200) throw new Error(`no credits: ${answer.status} ${await answer.text()}`);
}

/** A second pack whose settlement gets no answer, and a call whose site does not answer. */
export async function leaveCredits(recording: FlightRecording): Promise<void> {
  const { settler, accounts, outside, record } = recording;
  const payer = accounts.get('credits')?.address.toLowerCase() ?? '';
  outside.silent.add('/on-credits');
  record.creditCall = { url: `${ORIGINS.outside}/on-credits`, key: 'in-flight' };
  callOnCredits(record.tokens?.person ?? '', record.creditCall).catch(() => undefined);
  settler.settled.delete(payer);
  settler.faults.set(payer, 'silent_after_settle');
  buyCredits(recording).catch(() => undefined);
  await until(
    'the credits are not under way',
    async () => outside.asked.slice(-4),
    () => settler.settled.has(payer) && outside.asked.includes('/on-credits'),
  );
}

async function buyCredits({ accounts }: FlightRecording): Promise<Response> {
  const buyer = accounts.get('credits');
  if (buyer === undefined) throw new Error('no account buys credits');
  const call = 'POST /api/credits/5';
  const unpaid = await ask({ at: 'api', call, headers: fromFreshCaller() });
  const terms = decodePaymentRequiredHeader(unpaid.headers.get('payment-required') ?? '');
  const credential = encodePaymentSignatureHeader(await signTerms(buyer, terms));
  return ask({ at: 'api', call, headers: { 'payment-signature': credential, ...fromFreshCaller() } });
}
