import { service } from '../capabilities/service.ts';
import { soldRoutes } from '../capabilities/sold-routes.ts';
import type { SaleNetwork } from '../payment/terms/networks-data.ts';

/** Where a deployment is paid; `payTo` is absent where it sells nothing. */
export type PaidAt = { network: SaleNetwork; payTo: string | undefined };

/** What both documents say of the service, and where the whole truth is. */
const describeService = (baseUrl: string) => ({
  name: service.title,
  description: service.description,
  openapi: `${baseUrl}/openapi.json`,
  index: `${baseUrl}/api/agent/index`,
  llms: `${baseUrl}/llms.txt`,
});

/**
 * `/.well-known/x402`: the addresses that are sold, for crawlers that read a list of resources and ask each for its 402.
 * @see https://github.com/Merit-Systems/x402scan docs/DISCOVERY.md
 */
export const buildX402Document = (baseUrl: string): Record<string, unknown> => ({
  version: 1,
  x402Version: 2,
  ...describeService(baseUrl),
  resources: soldRoutes.map(({ path }) => `${baseUrl}${path}`),
  instructions: `POST JSON to a resource; without a payment the answer is 402 with the terms. ${baseUrl}/openapi.json has bodies and prices.`,
});

/** `/.well-known/mpp`: how the service is paid by MPP, whose own discovery is the OpenAPI document. */
export const buildMppDocument = (baseUrl: string, paidAt: readonly PaidAt[]): Record<string, unknown> => ({
  protocol: 'mpp',
  ...describeService(baseUrl),
  realm: new URL(baseUrl).hostname,
  // One for each network that knows authorizations: a challenge names one.
  methods: paidAt.flatMap(({ network, payTo }) =>
    payTo === undefined || !('chainId' in network)
      ? []
      : [
          {
            method: 'evm',
            intent: 'charge',
            credentialTypes: ['authorization'],
            chainId: network.chainId,
            currency: network.usdc,
            recipient: payTo,
            decimals: 6,
          },
        ],
  ),
  operations: soldRoutes.map(({ row, path }) => ({
    method: 'POST',
    url: `${baseUrl}${path}`,
    amount: String(row.priceMicroUsdc),
    summary: row.summary,
  })),
});
