import { service } from '../capabilities/service.ts';
import type { JsonSchema } from '../lib/json-schema.ts';
import { PRODUCT } from '../lib/product.ts';
import { SPEND_CONTROL } from '../payment/terms/spend-control.ts';
import { apiProblems } from '../problems/codes.ts';
import { buildProblemSchema, sharedHeaders } from '../problems/problem.ts';
import { shareProblemResponses } from '../problems/shared-responses.ts';
import { cardOperations } from './card-operations.ts';
import { catalogueSchemas, indexOperation } from './catalogue-operation.ts';
import { buildSoldSchemas } from './components.ts';
import { deprecatedThings } from './deprecations/deprecations-data.ts';
import { markDeprecated } from './deprecations/deprecations.ts';
import { resultExamples } from './examples.ts';
import { countsTokenScheme, hostOperations, hostParameters, hostSchemas } from './host-operations.ts';
import { monitorOperations, monitorParameters, monitorTokenScheme } from './monitors/monitor-operations.ts';
import { monitorSchemas } from './monitors/monitor-schemas.ts';
import { toOpenApiPaths } from './operation.ts';
import {
  listPaidOperations,
  paidHeaders,
  paidParameters,
  paymentRequiredResponse,
  sharedResultResponses,
} from './paid-operations.ts';
import { paymentSchemas } from './payment-required.ts';
import { describeOAuthScheme, protocolOperations, protocolResponses, protocolSchemas } from './protocol-operations.ts';
import { publishOperations } from './publish-operations.ts';
import { reportOperations, reportParameters } from './report-operations.ts';
import { reportSchemas } from './report-schemas.ts';
import { dryRunSchemas } from './dry-run.ts';
import { ownReportsOperation, ownReportsSchemas, siwxScheme } from './own-reports-operation.ts';
import { readingHeaders, readingParameters } from './reading-parameters.ts';
import { sectionSchemas } from './section-operation.ts';
import { statementOperations, statementSchemas } from './statement-operations.ts';
import { operationTags } from './tags.ts';

/** Version of the service description, as the requirements fix it. Ours is beside it, as `x-sightline-version`. */
export const DESCRIPTION_VERSION = '5.9.4';

const GUIDANCE =
  `Call GET /api/agent/index first: it is free and lists prices. POST a JSON body to /api/agent/<capability>; without payment the
answer is 402 with the terms in the PAYMENT-REQUIRED header. Pay with an x402 v2 client (header PAYMENT-SIGNATURE), with an MPP client (Authorization: Payment), or send USDC to payTo on
eip155:8453 and put the transaction hash into that header. Official clients refuse payments over 1 USD until ${SPEND_CONTROL} is raised.
With Accept: text/event-stream the answer is server-sent events: progress with counts, then one result or one problem.
402 always means "a new payment is the right next step"; on 409 and 503 repeat the same request with the same header.`.replaceAll(
    '\n',
    ' ',
  );

/**
 * The OpenAPI 3.1 description of the api Worker, made from the rows that its routes are registered with, and from the
 * catalogue: every price, body and result schema.
 * `x-payment-info` is on rows that can be bought now; a row that needs an answer engine where none is configured says
 * so in `x-available`. @param contact e-mail address of the operator; without one none is invented
 */
export function openApiDocument(baseUrl: string, hasEngine: boolean, contact?: string): Record<string, unknown> {
  const { paths, responses } = shareProblemResponses(
    markDeprecated(
      toOpenApiPaths([
        indexOperation,
        ...listPaidOperations(hasEngine),
        ...Object.values(cardOperations),
        ...Object.values(reportOperations),
        ...Object.values(publishOperations),
        ...Object.values(statementOperations),
        ...Object.values(monitorOperations),
        ownReportsOperation,
        ...Object.values(hostOperations),
        ...Object.values(protocolOperations),
      ]),
      deprecatedThings,
    ),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT,
      version: DESCRIPTION_VERSION,
      description: 'Audits what AI systems can see of a website or a brand. Paid per call in USDC by x402 v2 or MPP.',
      contact: { name: PRODUCT, url: baseUrl, ...(contact === undefined ? {} : { email: contact }) },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-sightline-version': service.version,
      'x-guidance': GUIDANCE,
    },
    'x-agentcash-guidance': { llmsTxtUrl: `${baseUrl}/llms.txt` },
    'x-service-info': describeService(baseUrl),
    servers: [{ url: baseUrl }],
    tags: operationTags,
    paths,
    components: buildComponents(baseUrl, responses),
  };
}

/** What operations refer to. @param responses of problems, which several of them share */
const buildComponents = (baseUrl: string, responses: Record<string, unknown>) => ({
  schemas: buildComponentSchemas(),
  responses: {
    ...sharedResultResponses,
    PaymentRequired: paymentRequiredResponse,
    ...protocolResponses,
    ...responses,
  },
  parameters: {
    ...reportParameters,
    ...readingParameters,
    ...paidParameters,
    ...monitorParameters,
    ...hostParameters,
  },
  examples: resultExamples,
  headers: { ...sharedHeaders, ...paidHeaders, ...readingHeaders },
  securitySchemes: {
    payment: paymentScheme,
    mpp: mppScheme,
    siwx: siwxScheme,
    oauth: describeOAuthScheme(baseUrl),
    monitor: monitorTokenScheme,
    counts: countsTokenScheme,
  },
});

/** Every schema that the document names: bodies, results and their parts. */
export const buildComponentSchemas = (): Record<string, JsonSchema> => ({
  Problem: buildProblemSchema(Object.keys(apiProblems)),
  ...paymentSchemas,
  ...dryRunSchemas,
  ...catalogueSchemas,
  ...buildSoldSchemas(),
  ...reportSchemas,
  ...ownReportsSchemas,
  ...sectionSchemas,
  ...statementSchemas,
  ...monitorSchemas,
  ...hostSchemas,
  ...protocolSchemas,
});

/** What registries of MPP read of a service. */
const describeService = (baseUrl: string) => ({
  categories: ['developer-tools', 'data', 'search'],
  docs: { homepage: `${baseUrl}/`, apiReference: `${baseUrl}/docs/reference/http-api`, llms: `${baseUrl}/llms.txt` },
});

const mppScheme = {
  type: 'http',
  scheme: 'Payment',
  description: 'A credential of MPP for a challenge of the 402: method evm, intent charge.',
} as const;

// The requirements prescribe an apiKey scheme; the marker keeps crawlers from asking agents for an API key.
const paymentScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'PAYMENT-SIGNATURE',
  'x-agentcash-auth-kind': 'siwx',
  description: 'Base64 x402 v2 payment payload, or the hash of a USDC transfer on eip155:8453 (direct transfer).',
} as const;
