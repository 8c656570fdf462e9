import { html } from 'hono/html';
import type { SessionOnPage, StandInBooks } from './books.ts';

/** Card numbers of Stripe's documentation for tests. */
export const TEST_CARDS = { good: '4242424242424242', declined: '4000000000000002' } as const;

type Page = ReturnType<typeof html>;

const renderPage = (title: string, body: unknown): Page =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>This page belongs to the local stack. It imitates Stripe: no card is charged.</p>
          ${body}
        </main>
      </body>
    </html>`;

const formatAmount = (cents: number, currency: string): string =>
  `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`;

/** The hosted page of a session. */
export function renderCheckout({ session, goods }: SessionOnPage, said?: string): Page {
  if (session.status !== 'open') return renderPage('This payment is over', html`<p>Its state: ${session.status}.</p>`);
  const amount = formatAmount(session.amount_total, session.currency);
  return renderPage(
    'Pay',
    html`<p>${goods}: <strong>${amount}</strong></p>
      ${said === undefined ? '' : html`<p role="alert">${said}</p>`}
      <form method="post">
        <p>
          <label for="number">Card number</label>
          <input id="number" name="number" inputmode="numeric" autocomplete="off" value="${TEST_CARDS.good}" required />
        </p>
        <p>
          <small>${TEST_CARDS.good} pays, ${TEST_CARDS.declined} is declined.</small>
        </p>
        <button name="by" value="card">Pay ${amount}</button>
        <button name="by" value="bank" formnovalidate>Pay by bank debit</button>
      </form>
      ${session.cancel_url === null ? '' : html`<p><a href="${session.cancel_url}">Back without paying</a></p>`}`,
  );
}

export const renderMissing = (): Page => renderPage('No such page', html`<p>The local stack has forgotten it.</p>`);

const renderAct = (act: string, id: string, label: string): Page =>
  html`<form method="post" action="/acts">
    <input type="hidden" name="act" value="${act}" />
    <button name="id" value="${id}">${label}</button>
  </form>`;

/** What the owner of the account does at Stripe: refunds, and what banks do. */
export function renderDashboard({ payments, refunds, disputes, events }: StandInBooks): Page {
  return renderPage(
    'Payments',
    html`<ul>
        ${[...payments.values()].map(
          ({ id, amount, currency, status }) =>
            html`<li>
              <code>${id}</code> ${formatAmount(amount, currency)}: ${status}
              ${
                status === 'processing'
                  ? [renderAct('succeed', id, 'The bank pays'), renderAct('fail', id, 'The bank does not pay')]
                  : ''
              }
              ${status === 'succeeded' ? [renderAct('refund', id, 'Refund'), renderAct('dispute', id, 'Dispute')] : ''}
            </li>`,
        )}
      </ul>
      <h2>Refunds</h2>
      <ul>
        ${[...refunds.values()].map(
          ({ id, amount, currency, status }) =>
            html`<li>
              <code>${id}</code> ${formatAmount(amount, currency)}: ${status}
              ${status === 'succeeded' ? renderAct('fail_refund', id, 'The card is closed') : ''}
            </li>`,
        )}
      </ul>
      <h2>Disputes</h2>
      <ul>
        ${[...disputes.values()].map(
          ({ id, amount, currency, status }) =>
            html`<li>
              <code>${id}</code> ${formatAmount(amount, currency)}: ${status}
              ${status === 'needs_response' ? [renderAct('win', id, 'Won'), renderAct('lose', id, 'Lost')] : ''}
            </li>`,
        )}
      </ul>
      <h2>Events</h2>
      <ul>
        ${events
          .slice(-20)
          .toReversed()
          .map(({ id, type }) => html`<li><code>${type}</code> ${renderAct('send', id, 'Send again')}</li>`)}
      </ul>`,
  );
}
