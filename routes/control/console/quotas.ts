import {
  type LimitName,
  OWN_LIMITS,
  OWN_SERVICE,
  type ServiceLimits,
} from '../../../src/rate-limits/service-limits.ts';
import { type LimitUses, readLimitUses } from '../../../src/rate-limits/rate-counts.ts';
import { findQuota } from '../../../src/management/interfaces/quota/rows.ts';
import { formatQuotasCsv, type QuotaLine, renderQuotas, type QuotaUse } from '../../../src/web/console/quotas.tsx';
import { readServiceLimits } from '../bindings/service-limits.ts';
import { CSV_TYPE, type ConsoleContext, type ConsolePage } from './console-request.ts';
import type { Signal } from '../../../src/web/console/overview.tsx';

/** A share of a limit beyond which it asks for a look. */
const NEARLY_USED = 0.8;

/** `/console/quotas`: the limits of this service, and their use now. */
export const quotasPage: ConsolePage = {
  path: '/console/quotas',
  title: 'Quotas',
  show: async (c) => {
    const { OPERATOR_TENANT, OPERATOR_PROJECT: id } = c.settings;
    const project = id === undefined || OPERATOR_TENANT === undefined ? undefined : `projects/${id}`;
    return renderQuotas({ project, isInForce: isInForce(c), lines: await listQuotaLines(c) });
  },
  signals: [{ question: 'lapse', title: 'Quotas', read: readQuotasSignal }],
  downloads: [
    {
      path: '/console/quotas.csv',
      read: async (c) => ({ name: 'quotas.csv', type: CSV_TYPE, text: formatQuotasCsv(await listQuotaLines(c)) }),
    },
  ],
};

/** The quota that is used most, of those that are counted. @throws what reading the limits throws */
async function readQuotasSignal(c: ConsoleContext): Promise<Signal> {
  const lines = await listQuotaLines(c);
  if (lines.some(({ limit }) => limit === undefined)) throw new Error('The limits cannot be read');
  const chosen = lines.filter(({ isChosen }) => isChosen).length;
  const note = `${chosen} of ${lines.length} limits are set by quota preferences.`;
  const shares = lines.flatMap(listUsedShares);
  if (lines.some(({ use }) => use.state === 'unseen')) throw new Error('The counters cannot be read');
  if (shares.length === 0) return { mood: 'idle', text: 'Not counted', figure: 'By the platform', note };
  const most = Math.max(...shares);
  const isNear = most >= NEARLY_USED;
  const figure = `${Math.round(most * 100)} % at most`;
  return { mood: isNear ? 'warn' : 'good', text: isNear ? 'Nearly used up' : 'Enough', figure, note };
}

const listUsedShares = ({ limit, use }: QuotaLine): readonly number[] =>
  use.state === 'counted' && limit !== undefined && limit > 0 ? [use.most / limit] : [];

/** The four limits, each with what can be known of it. Counters are many objects: only those that count are asked. */
async function listQuotaLines(c: ConsoleContext): Promise<readonly QuotaLine[]> {
  const limits = await ignoreFailure<ServiceLimits>(isInForce(c) ? readServiceLimits(c.env) : Promise.resolve({}));
  const { management, ...ofApi }: ServiceLimits = limits ?? {};
  const [ownUses, apiUses] = await Promise.all([
    management === undefined ? undefined : ignoreFailure(readLimitUses(c.env.RATE_COUNTER)),
    Object.keys(ofApi).length === 0 ? undefined : ignoreFailure(c.env.CONSOLE_ACCESS.usage()),
  ]);
  const names = Object.keys(OWN_LIMITS) as LimitName[]; // Its own keys.
  return names.map((name) => buildQuotaLine(name, limits, name === 'management' ? ownUses : apiUses));
}

/** Neither Worker looks at preferences where its telemetry does not come here. */
const isInForce = ({ settings }: ConsoleContext): boolean => settings.TELEMETRY === 'control';

function buildQuotaLine(name: LimitName, limits: ServiceLimits | undefined, uses: LimitUses | undefined): QuotaLine {
  const { quotaId, default: deployed } = OWN_LIMITS[name];
  const title = findQuota(OWN_SERVICE, quotaId)?.quotaDisplayName ?? quotaId;
  if (limits === undefined) return { quotaId, title, limit: undefined, isChosen: false, use: { state: 'unseen' } };
  const chosen = limits[name];
  const isChosen = chosen !== undefined;
  return { quotaId, title, limit: chosen ?? deployed, isChosen, use: getQuotaUse(isChosen, uses, name) };
}

function getQuotaUse(isCounted: boolean, uses: LimitUses | undefined, name: LimitName): QuotaUse {
  if (!isCounted) return { state: 'not_counted' };
  if (uses === undefined) return { state: 'unseen' };
  return { state: 'counted', ...(uses[name] ?? NOBODY) };
}

/** The objects count this limit, and no caller came in the current minutes. */
const NOBODY = { callers: 0, events: 0, most: 0 };

const ignoreFailure = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);
