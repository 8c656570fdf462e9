import { findUnsafeAddresses, isDeployedAt, type SettingFinding } from '../lib/settings-reader.ts';
import { findUnsafeEngineUrls } from '../models/core/api-endpoint.ts';
import { findPanelFaults } from '../models/panel-faults.ts';
import { readCardKeys } from '../payment/cards/keys.ts';
import { isWellKnownTestAccount, ZERO_ADDRESS } from '../payment/terms/constants.ts';
import { findNetworkRowFaults, getFirstNetwork } from '../payment/terms/network-rows.ts';
import { getPaymentNetwork } from './seller.ts';
import { type ApiWorkerSettings, isClosedForSale } from './settings.ts';

type Given = {
  settings: ApiWorkerSettings;
  /** Whether a variable is set to something, before defaults. */
  isSet: (name: string) => boolean;
  /** Unix milliseconds. */
  nowMs: number;
};

/** Settings of the api Worker that are unsafe or stop sales. A local stack has none. */
export function findUnsafeApiSettings(given: Given): readonly SettingFinding[] {
  const { settings } = given;
  const { BASE_URL, WEBHOOK_URL, CONTROL_URL, RPC_URL, FACILITATOR_URL, DNS_RESOLVER_URL, ANSWER_ENGINE_URL } =
    settings;
  if (!isDeployedAt(BASE_URL)) return [];
  return [
    ...findUnsafeAddresses({ BASE_URL, WEBHOOK_URL, CONTROL_URL, RPC_URL, FACILITATOR_URL, DNS_RESOLVER_URL }),
    ...findUnsafeEngineUrls({ ANSWER_ENGINE_URL }),
    ...findSalesGaps(given),
    ...findNetworkGaps(given),
    ...findCardGaps(settings),
    ...findEngineGaps(given),
    ...findOpenDoors(settings),
    ...findUnreadTelemetry(settings),
  ];
}

function findSalesGaps({ settings, nowMs }: Given): readonly SettingFinding[] {
  const { PAY_TO, RPC_URL, FACILITATOR_URL, LEDGER_SECRET, PAYMENTS_SINCE, TRANSFER_CONFIRMATIONS } = settings;
  if (PAY_TO === undefined)
    return [warn('PAY_TO', 'It is not set, so nothing can be bought', 'Set it to your address on the network')];
  const missing = Object.entries({ RPC_URL, FACILITATOR_URL, LEDGER_SECRET, PAYMENTS_SINCE }).flatMap(
    ([setting, value]) =>
      value === undefined ? [fail(setting, 'It is not set, and sales need it', `Set ${setting}`)] : [],
  );
  const closed = isClosedForSale(settings)
    ? [warn('SALES', 'It is `closed`, so nothing can be bought', 'Set it to open when sales may go on')]
    : [];
  const isLost = PAY_TO === ZERO_ADDRESS || isWellKnownTestAccount(PAY_TO);
  return [
    ...missing,
    ...closed,
    ...(isLost ? [fail('PAY_TO', 'Everyone, or no one, holds its key: money sent there is lost', 'Replace it')] : []),
    ...(PAYMENTS_SINCE !== undefined && PAYMENTS_SINCE * 1000 > nowMs
      ? [fail('PAYMENTS_SINCE', 'It is in the future, so transfers of today are refused', 'Set it to a past time')]
      : []),
    ...(TRANSFER_CONFIRMATIONS < 2
      ? [warn('TRANSFER_CONFIRMATIONS', 'One block can be replaced by another', 'Set it to 2 or more')]
      : []),
  ];
}

function findNetworkGaps({ settings, isSet }: Given): readonly SettingFinding[] {
  const { PAYMENT_NETWORKS: text } = settings;
  if (text === undefined) return [];
  return findNetworkRowFaults(text, getFirstNetwork(settings), isSet).map((fault) =>
    fail('PAYMENT_NETWORKS', `Nothing is sold: ${fault}`, 'Correct the row'),
  );
}

/** Cards are off where their keys do not fit; a key of the wrong mode is never used. */
function findCardGaps(settings: ApiWorkerSettings): readonly SettingFinding[] {
  const read = readCardKeys(settings, { network: getPaymentNetwork(settings), isLocal: false });
  return read.ok || read.reason === 'off' ? [] : [CARD_GAPS[read.reason]];
}

function findEngineGaps({ settings, isSet }: Given): readonly SettingFinding[] {
  const { ANSWER_ENGINE, ANSWER_ENGINES } = settings;
  if (ANSWER_ENGINES !== undefined) {
    const faults = findPanelFaults(ANSWER_ENGINES, isSet);
    const limits = isSet('UNPAID_ENGINE_USD_PER_HOUR') ? [] : [warnOfDefault('UNPAID_ENGINE_USD_PER_HOUR')];
    return [
      ...faults.map((fault) => fail('ANSWER_ENGINES', `No brand is measured: ${fault}`, 'Correct the row')),
      ...limits,
    ];
  }
  if (ANSWER_ENGINE === undefined || ANSWER_ENGINE === 'none') return [];
  const unset = ['ANSWER_ENGINE_USD_PER_RUN', 'UNPAID_ENGINE_USD_PER_HOUR'].filter((name) => !isSet(name));
  return unset.map(warnOfDefault);
}

const warnOfDefault = (name: string): SettingFinding =>
  warn(name, 'It is not set, so a default that is not your price limits the cost of the engine', `Set ${name}`);

function findOpenDoors({ MCP_ALLOWED_ORIGINS, CONTACT_EMAIL }: ApiWorkerSettings): readonly SettingFinding[] {
  const origins = (MCP_ALLOWED_ORIGINS ?? '').split(',').map((origin) => origin.trim());
  return [
    ...(origins.includes('*')
      ? [fail('MCP_ALLOWED_ORIGINS', 'It has `*`, which is no origin', 'List the origins whose pages may call')]
      : []),
    ...(origins.some((origin) => origin.startsWith('http:'))
      ? [warn('MCP_ALLOWED_ORIGINS', 'It has an http origin, whose pages anyone can change', 'List https origins')]
      : []),
    ...(CONTACT_EMAIL === undefined
      ? [warn('CONTACT_EMAIL', 'It is not set, so the pages say of no one how to reach you', 'Set CONTACT_EMAIL')]
      : []),
  ];
}

function findUnreadTelemetry({ TELEMETRY, CONTROL_URL }: ApiWorkerSettings): readonly SettingFinding[] {
  if (TELEMETRY !== 'control' || CONTROL_URL !== undefined) return [];
  return [
    warn(
      'TELEMETRY',
      'It is `control`, and no control Worker is named that reads the queue: messages cost money until they expire',
      'Deploy the control Worker, or set TELEMETRY to none',
    ),
  ];
}

const CARD_GAPS = {
  no_webhook_secret: {
    setting: 'STRIPE_WEBHOOK_SECRET',
    severity: 'fail',
    detail: 'It is not set, so no one hears of payments by card: cards are off',
    next: 'Set it to the signing secret of the endpoint',
  },
  unreadable_key: {
    setting: 'STRIPE_SECRET_KEY',
    severity: 'fail',
    detail: 'It is no secret or restricted key of Stripe: cards are off',
    next: 'Copy it from the dashboard of Stripe again',
  },
  mixed: {
    setting: 'STRIPE_SECRET_KEY',
    severity: 'fail',
    detail: 'Its mode is not that of the payment network, test beside main: cards are off',
    next: 'Set a live key on Base, and a test key on a test network',
  },
} as const satisfies Record<string, SettingFinding>;

const warn = (setting: string, detail: string, next: string): SettingFinding => ({
  setting,
  severity: 'warn',
  detail,
  next,
});
const fail = (setting: string, detail: string, next: string): SettingFinding => ({
  setting,
  severity: 'fail',
  detail,
  next,
});
