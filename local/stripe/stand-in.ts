import { createApi } from './api.ts';
import { createStandInBooks, type StandInBooks, type StandInEvent } from './books.ts';
import { renderCheckout, renderDashboard, renderMissing, TEST_CARDS } from './pages.ts';
import { sendEvent } from './webhooks.ts';

export type StandInSettings = {
  secretKey: string;
  webhookSecrets: readonly string[];
  /** Where browsers and the API find the stand-in. */
  url: () => string;
  /** Where events are sent; undefined while nothing listens there. */
  webhookUrl: () => string | undefined;
  send?: typeof fetch;
  now?: () => number;
};

/** A stand-in of Stripe. Requests of any kind come to `answer`. */
export type StripeStandIn = {
  answer: (request: Request) => Promise<Response>;
  books: StandInBooks;
  /** Sends an event as if it had just happened; it is signed now. */
  sendAgain: (event: StandInEvent) => Promise<boolean>;
  /** While events are held none is sent, as where a webhook is late or lost. */
  holdEvents: (held: boolean) => void;
};

export function createStandIn(settings: StandInSettings): StripeStandIn {
  const { secretKey, webhookSecrets: secrets, url, webhookUrl, send = fetch, now = Date.now } = settings;
  let isHeld = false;
  const sendAgain = async (event: StandInEvent): Promise<boolean> => {
    const target = webhookUrl();
    return target !== undefined && sendEvent(event, { url: target, secrets, send, now });
  };
  const books = createStandInBooks(now, async (event) => {
    if (!isHeld) await sendAgain(event);
  });
  const answerApi = createApi(secretKey, books, url);
  return {
    answer: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/v1/')) return answerApi(request);
      const [, sessionId] = /^\/c\/pay\/(cs_\w+)$/.exec(pathname) ?? [];
      if (sessionId !== undefined) return answerCheckout(request, books, sessionId);
      if (pathname === '/acts' && request.method === 'POST') return answerAct(request, books, sendAgain);
      return pathname === '/' ? show(renderDashboard(books)) : show(renderMissing(), 404);
    },
    books,
    sendAgain,
    holdEvents: (held) => {
      isHeld = held;
    },
  };
}

const show = async (page: unknown, status = 200): Promise<Response> =>
  new Response(String(await page), {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });

const redirectTo = (location: string): Response => new Response(null, { status: 303, headers: { location } });

/** Events are sent before the buyer goes back, as Stripe waits for them too. */
async function answerCheckout(request: Request, books: StandInBooks, id: string): Promise<Response> {
  const found = await books.findSession(id);
  if (found === undefined) return show(renderMissing(), 404);
  if (request.method !== 'POST' || found.session.status !== 'open') return show(renderCheckout(found));
  const form = new URLSearchParams(await request.text());
  const number = (form.get('number') ?? '').replaceAll(' ', '');
  const by = form.get('by') === 'bank' ? 'bank' : 'card';
  if (by === 'card' && number === TEST_CARDS.declined)
    return show(renderCheckout(found, 'Your card was declined.'), 402);
  if (by === 'card' && number !== TEST_CARDS.good)
    return show(renderCheckout(found, 'Only the test cards are taken here.'), 402);
  await books.complete(found, by);
  return redirectTo(found.session.success_url);
}

async function answerAct(
  request: Request,
  books: StandInBooks,
  sendAgain: StripeStandIn['sendAgain'],
): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  await runAct(books, { act: form.get('act') ?? '', id: form.get('id') ?? '' }, sendAgain);
  return redirectTo('/');
}

async function runAct(
  books: StandInBooks,
  { act, id }: { act: string; id: string },
  sendAgain: StripeStandIn['sendAgain'],
): Promise<void> {
  const payment = books.payments.get(id);
  const [refund, dispute, event] = [
    books.refunds.get(id),
    books.disputes.get(id),
    books.events.find((one) => one.id === id),
  ];
  if (payment !== undefined && (act === 'succeed' || act === 'fail')) await books.settle(payment, act === 'succeed');
  const left = payment === undefined ? 0 : payment.amount - books.sumRefunded(id);
  if (payment !== undefined && act === 'refund' && left > 0) await books.refund(payment, left, {});
  if (payment !== undefined && act === 'dispute' && left > 0) await books.dispute(payment);
  if (refund !== undefined && act === 'fail_refund') await books.failRefund(refund);
  if (dispute !== undefined && (act === 'win' || act === 'lose')) await books.closeDispute(dispute, act === 'win');
  if (event !== undefined && act === 'send') await sendAgain(event);
}
