import { toHex } from '../../src/lib/digest.ts';

/** The version of Stripe's API whose shapes these are: that of `stripe` 23.1.0. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

export type StandInSession = {
  id: string;
  object: 'checkout.session';
  amount_subtotal: number;
  amount_total: number;
  cancel_url: string | null;
  client_reference_id: string | null;
  created: number;
  currency: string;
  expires_at: number;
  livemode: false;
  metadata: Record<string, string>;
  mode: 'payment';
  payment_intent: string | null;
  payment_status: 'paid' | 'unpaid';
  status: 'open' | 'complete' | 'expired';
  success_url: string;
  url: string | null;
};

/** What the page calls the goods; the API has it in a list of its own. */
export type SessionOnPage = { session: StandInSession; goods: string };

export type StandInPayment = {
  id: string;
  session: string;
  amount: number;
  currency: string;
  status: 'processing' | 'succeeded' | 'failed';
  charge: string;
};

export type StandInRefund = {
  id: string;
  object: 'refund';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: null;
  status: 'succeeded' | 'failed';
};

export type StandInDispute = {
  id: string;
  object: 'dispute';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  livemode: false;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: 'fraudulent';
  status: 'needs_response' | 'won' | 'lost';
};

export type StandInEvent = {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: unknown };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};

const ID_BYTES = 12;

/** An id as Stripe writes them, such as `cs_test_…`. */
export const makeId = (prefix: string): string =>
  `${prefix}_${toHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))}`;

export type StandInBooks = ReturnType<typeof createStandInBooks>;

/** What the stand-in remembers, and what happens in it. Each change makes its event, which `onEvent` gets. */
export function createStandInBooks(now: () => number, onEvent: (event: StandInEvent) => Promise<void>) {
  const sessions = new Map<string, SessionOnPage>();
  const payments = new Map<string, StandInPayment>();
  const refunds = new Map<string, StandInRefund>();
  const disputes = new Map<string, StandInDispute>();
  const events: StandInEvent[] = [];
  const seconds = (): number => Math.floor(now() / 1000);

  /** Objects of events are as they were then. */
  const announce = async (type: string, object: object): Promise<StandInEvent> => {
    const event: StandInEvent = {
      id: makeId('evt'),
      object: 'event',
      api_version: STRIPE_API_VERSION,
      created: seconds(),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    events.push(event);
    await onEvent(event);
    return event;
  };
  const sumRefunded = (paymentIntent: string): number =>
    [...refunds.values()]
      .filter(({ payment_intent, status }) => payment_intent === paymentIntent && status === 'succeeded')
      .reduce((sum, { amount }) => sum + amount, 0);
  return {
    sessions,
    payments,
    refunds,
    disputes,
    events,
    seconds,
    announce,
    sumRefunded,
    ...createSessionSteps({ sessions, payments, seconds, announce }),
    ...createReversals({ refunds, disputes, seconds, announce, sumRefunded }),
  };
}

type ReversalParts = {
  refunds: Map<string, StandInRefund>;
  disputes: Map<string, StandInDispute>;
  seconds: () => number;
  announce: (type: string, object: object) => Promise<StandInEvent>;
  sumRefunded: (paymentIntent: string) => number;
};

/** Money that goes back, and what becomes of that. */
function createReversals({ refunds, disputes, seconds, announce, sumRefunded }: ReversalParts) {
  return {
    refund: async (
      payment: StandInPayment,
      amount: number,
      metadata: Record<string, string>,
    ): Promise<StandInRefund> => {
      const refund: StandInRefund = {
        id: makeId('re'),
        object: 'refund',
        amount,
        charge: payment.charge,
        created: seconds(),
        currency: payment.currency,
        metadata,
        payment_intent: payment.id,
        reason: null,
        status: 'succeeded',
      };
      refunds.set(refund.id, refund);
      await announce('refund.created', refund);
      return refund;
    },
    /** The card of a refund is closed: its money comes back. */
    failRefund: async (refund: StandInRefund): Promise<void> => {
      refund.status = 'failed';
      await announce('refund.failed', refund);
    },
    dispute: async (payment: StandInPayment): Promise<StandInDispute> => {
      const dispute: StandInDispute = {
        id: makeId('du'),
        object: 'dispute',
        amount: payment.amount - sumRefunded(payment.id),
        charge: payment.charge,
        created: seconds(),
        currency: payment.currency,
        livemode: false,
        metadata: {},
        payment_intent: payment.id,
        reason: 'fraudulent',
        status: 'needs_response',
      };
      disputes.set(dispute.id, dispute);
      await announce('charge.dispute.created', dispute);
      return dispute;
    },
    closeDispute: async (dispute: StandInDispute, isWon: boolean): Promise<void> => {
      dispute.status = isWon ? 'won' : 'lost';
      await announce('charge.dispute.closed', dispute);
    },
  };
}

type SessionParts = Pick<ReversalParts, 'seconds' | 'announce'> & {
  sessions: Map<string, SessionOnPage>;
  payments: Map<string, StandInPayment>;
};

/** What buyers and their banks do. */
function createSessionSteps({ sessions, payments, seconds, announce }: SessionParts) {
  const expireIfLate = async ({ session }: SessionOnPage): Promise<void> => {
    if (session.status !== 'open' || seconds() < session.expires_at) return;
    Object.assign(session, { status: 'expired', url: null });
    await announce('checkout.session.expired', session);
  };
  return {
    findSession: async (id: string): Promise<SessionOnPage | undefined> => {
      const found = sessions.get(id);
      if (found !== undefined) await expireIfLate(found);
      return found;
    },
    expire: async ({ session }: SessionOnPage): Promise<void> => {
      Object.assign(session, { status: 'expired', url: null });
      await announce('checkout.session.expired', session);
    },
    /** The buyer is done on the page: by card at once, by a bank later. */
    complete: async ({ session }: SessionOnPage, by: 'card' | 'bank'): Promise<void> => {
      const payment: StandInPayment = {
        id: makeId('pi'),
        session: session.id,
        amount: session.amount_total,
        currency: session.currency,
        status: by === 'card' ? 'succeeded' : 'processing',
        charge: makeId('ch'),
      };
      payments.set(payment.id, payment);
      const payment_status = by === 'card' ? 'paid' : 'unpaid';
      Object.assign(session, { status: 'complete', url: null, payment_status, payment_intent: payment.id });
      await announce('checkout.session.completed', session);
    },
    /** What the bank says days later. */
    settle: async (payment: StandInPayment, isPaid: boolean): Promise<void> => {
      payment.status = isPaid ? 'succeeded' : 'failed';
      const session = sessions.get(payment.session)?.session;
      if (session === undefined) return;
      if (isPaid) session.payment_status = 'paid';
      await announce(`checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session);
    },
  };
}
