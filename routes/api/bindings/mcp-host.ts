import type { PanelChoice } from '../../../src/models/panel.ts';
import { CREDIT_SCOPE } from '../../../src/authorization/oauth/scopes.ts';
import { buildIndexResult } from '../../../src/mcp/result.ts';
import type { ToolHost } from '../../../src/mcp/tool-host.ts';
import { getPaymentNetwork, listPaidOn, listPublishSecrets } from '../../../src/sales/seller.ts';
import { buildServiceIndex } from '../../../src/openapi/service-index.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { FreeToolPorts } from '../../../src/sales/mcp/mcp-free-tools.ts';
import { createSalesHost, type McpCaller, type McpCatalogue } from '../../../src/sales/mcp/mcp-tools.ts';
import { publish } from '../../../src/sales/reports/published-store.ts';
import { reportStore } from '../../../src/sales/reports/report-store.ts';
import { readStoredRun } from '../../../src/sales/stored-run.ts';
import { type ApiWorkerSettings, isClosedForSale } from '../../../src/sales/settings.ts';
import { formatBadgePath, formatHistoryPath } from '../../../src/web/badge/badge.tsx';
import { shortenPayer, type SoldFacts } from '../../../src/telemetry/request-span.ts';
import { logLine } from '../../shared/telemetry.ts';
import type { AppOptions } from '../context.ts';
import { createSalesPorts, type RequestScope } from './composition.ts';
import { countUnpaidAnswer } from './console/console-counters.ts';
import { createCreditAccounts } from './credit-account.ts';
import { getAnswerEngines } from './engine.ts';
import { createMonitorApiPorts } from './monitor-api.ts';
import type { Env } from './env.ts';
import { openStoredReport } from './open-report.ts';

/** One request of one caller as the MCP server needs it. */
type McpTask = {
  scope: RequestScope;
  options: AppOptions;
  from: McpCaller;
  /** What a call came to, for telemetry. */
  noteCall: (sold: SoldFacts) => void;
};

/** What the tools and resources of both endpoints do for this caller. */
export function createWorkerHost({ scope, options, from, noteCall }: McpTask): ToolHost {
  const { env, settings, waitUntil } = scope;
  return createSalesHost({
    from,
    sales: createSalesPorts(scope, options),
    spendingRefusal: canSpendCredits(from) ? undefined : NO_CREDIT_SCOPE,
    catalogue: () => getCatalogue(settings, getAnswerEngines(env, options)),
    free: createFreeToolPorts(env, settings),
    monitors: from.endpoint === 'account' ? createMonitorApiPorts(scope, options) : undefined,
    countUnpaid: (capability) => countUnpaidAnswer(env, capability, { log: logLine, waitUntil }),
    noteCall: ({ capability, status, payer }) =>
      noteCall({ ...TOOL_CALL, capability, status, ...(payer === undefined ? {} : { payer: shortenPayer(payer) }) }),
    log: logLine,
  });
}

/** What the free tools work with, at every door that has them. */
export const createFreeToolPorts = (env: Env, settings: ApiWorkerSettings): FreeToolPorts => ({
  home: settings.BASE_URL,
  reportsOf: (account) => createCreditAccounts(env, logLine).open(account).reports(),
  readRun: (id) => readStoredRun(reportStore(env.REPORTS, Date.now), id),
  publishSecrets: listPublishSecrets(settings),
  openReport: (id) => openStoredReport(env, id),
  publish: async (key, { json, storedAtMs }) => {
    await publish(env.REPORTS, key, json, storedAtMs);
    const { BASE_URL: home } = settings;
    return { badge: `${home}${formatBadgePath(key)}`, history: `${home}${formatHistoryPath(key)}` };
  },
});

/** How telemetry names a call of a tool. */
export const TOOL_CALL = { mcpMethod: 'tools/call' } as const;

export const canSpendCredits = (from: McpCaller): boolean =>
  from.endpoint === 'account' && from.account.scopes.includes(CREDIT_SCOPE);

const NO_CREDIT_SCOPE = buildProblem('insufficient_scope', {
  detail: `Spending credits needs another scope: ask for a token with the scope ${CREDIT_SCOPE}`,
});

const catalogues = new WeakMap<PanelChoice, McpCatalogue>();

/** Laid out once per choice of engines, which an isolate makes once for its settings. */
export function getCatalogue(settings: ApiWorkerSettings, choice: PanelChoice): McpCatalogue {
  const kept = catalogues.get(choice);
  if (kept) return kept;
  const index = buildServiceIndex(settings.BASE_URL, settings.PAY_TO, {
    hasEngine: choice.ok,
    engines: choice.ok ? choice.engines : [],
    isClosed: isClosedForSale(settings),
    network: getPaymentNetwork(settings),
    paidAt: listPaidOn(settings),
  });
  const made = { index, result: buildIndexResult(index) };
  catalogues.set(choice, made);
  return made;
}
