import { BASE, type PaymentNetwork } from '../terms/networks-data.ts';

/** What a deployment knows of its account at Stripe. */
export type CardSettings = {
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRET?: string | undefined;
  STRIPE_WEBHOOK_SECRET_PREVIOUS?: string | undefined;
};

export type CardKeys = {
  secretKey: string;
  /** The secret in force, and the one before it while it is replaced. */
  webhookSecrets: readonly string[];
  /** Whether cards are charged. */
  isLive: boolean;
};

export type CardKeysOutcome = { ok: true; keys: CardKeys } | { ok: false; reason: CardKeysFault };
/**
 * `off`: cards are not set up. `mixed`: test money beside real money would buy real work, and real money beside a test
 * network would buy credits that are dropped with it.
 */
export type CardKeysFault = 'off' | 'no_webhook_secret' | 'unreadable_key' | 'mixed';

/** Secret keys, and restricted keys, which may do less. */
const KEY = /^(?:sk|rk)_(test|live)_[A-Za-z0-9_]{8,250}$/;

type Deployed = { network: PaymentNetwork; isLocal: boolean };

/** Whether a deployment charges cards: where it is paid in money that is worth something. The local stack never does. */
export const isChargedInEarnest = ({ network, isLocal }: Deployed): boolean => !isLocal && network.id === BASE.id;

/** The keys of a deployment, or why no card buys credits here. */
export function readCardKeys(settings: CardSettings, deployed: Deployed): CardKeysOutcome {
  const { STRIPE_SECRET_KEY: secretKey } = settings;
  if (secretKey === undefined || secretKey === '') return { ok: false, reason: 'off' };
  const [, mode] = KEY.exec(secretKey) ?? [];
  if (mode === undefined) return { ok: false, reason: 'unreadable_key' };
  const isLive = mode === 'live';
  if (isLive !== isChargedInEarnest(deployed)) return { ok: false, reason: 'mixed' };
  const webhookSecrets = listWebhookSecrets(settings);
  if (webhookSecrets.length === 0) return { ok: false, reason: 'no_webhook_secret' };
  return { ok: true, keys: { secretKey, webhookSecrets, isLive } };
}

/** The secrets that may have signed an event. None without the one in force: then there is no route for events. */
export const listWebhookSecrets = ({
  STRIPE_WEBHOOK_SECRET: secret = '',
  STRIPE_WEBHOOK_SECRET_PREVIOUS: previous = '',
}: CardSettings): readonly string[] => (secret === '' ? [] : [secret, ...(previous === '' ? [] : [previous])]);
