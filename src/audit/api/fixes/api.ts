import { formatJsonFile } from '../../../fixes/files/generated-file.ts';
import { defineFileRecipe } from '../../../fixes/core/file-recipe.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import {
  FIX_FILES,
  defineAdvice,
  reportOnly,
  type FixDraft,
  type Recipe,
  type Recipes,
} from '../../../fixes/core/recipe.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { formatJsonForHtml } from '../../../lib/safe-text.ts';
import { capitalise } from '../../../lib/text.ts';
import { buildServerWork } from '../../reach/fixes/reach.ts';
import { buildPageWork } from '../../reach/fixes/render.ts';
import { generateApiCatalog, openApiTemplate, generateSecurityTxt } from '../../reach/fixes/site-files.ts';

/** Operations that one patch names. */
const MAX_OPERATIONS = 300;

/** A JSON merge patch that gives every operation without one an operationId (`getUsersById`), and a summary to write. */
function buildOperationIdsPatch({ read }: FixContext): string {
  const operations = read('openapi')?.found?.document.operations ?? [];
  const taken = new Set(operations.flatMap(({ operationId }) => operationId ?? []));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, operationId, described, webhook } of operations.slice(0, MAX_OPERATIONS)) {
    if (webhook || (operationId !== undefined && described)) continue;
    const id = operationId === undefined ? { operationId: createOperationId(taken, method, path) } : {};
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: { ...id, ...(described ? {} : { summary: formatSlot('operation') }) },
    };
  }
  return `${formatJsonForHtml({ paths })}\n`;
}

function createOperationId(taken: Set<string>, method: string, path: string): string {
  const words = path.split('/').flatMap((part) => part.replaceAll(/[^A-Za-z0-9{}]+/g, ' ').split(' '));
  const named = words.map((word) =>
    word.startsWith('{') ? `By${capitalise(word.replaceAll(/[{}]/g, ''))}` : capitalise(word),
  );
  const wanted = `${method.toLowerCase()}${named.join('') || 'Root'}`.slice(0, 100);
  const all = [wanted, ...Array.from({ length: taken.size + 1 }, (_, index) => `${wanted}${index + 2}`)];
  const id = all.find((each) => !taken.has(each)) ?? wanted;
  taken.add(id);
  return id;
}

/** Work on the API description, shown as a part of it. */
const buildOpenApiRecipe = (draft: Pick<FixDraft, 'expect' | 'how'> & Partial<FixDraft>): Recipe =>
  defineAdvice({
    file: FIX_FILES.openapi,
    action: 'insert',
    effort: 'hours',
    at: '/openapi.json',
    ...(draft.content === undefined ? {} : { media_type: 'application/json' }),
    ...draft,
  });

const PAYMENT_REQUIRED = {
  x402Version: 2,
  resource: { url: formatSlot('target'), description: formatSlot('operation'), mimeType: 'application/json' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: formatSlot('price'),
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: formatSlot('address'),
      maxTimeoutSeconds: 60,
    },
  ],
};

/** Descriptions of APIs, payments, and files that describe the site to machines. */
export const apiRecipes: Recipes = {
  'agent.api.openapi-found': defineFileRecipe({
    file: FIX_FILES.openapi,
    mediaType: 'application/json',
    make: openApiTemplate,
    effort: 'hours',
    how: 'Most frameworks write it from the code (FastAPI, NestJS, Hono, springdoc): prefer that to the template. Link it: <link rel="service-desc" type="application/json" href="/openapi.json">.',
    expect: 'Status 200 with JSON that has "openapi": "3...".',
  }),
  'agent.api.openapi-valid': buildOpenApiRecipe({
    how: 'Validate it in the build, for example with "npx @redocly/cli lint openapi.json".',
    expect: 'The JSON pointers of the evidence hold what the specification asks for.',
  }),
  'agent.api.operation-ids': {
    remedy: (fixing) => ({
      file: FIX_FILES.openapi,
      action: 'insert',
      effort: 'hours',
      how: 'The content is a JSON merge patch (RFC 7396): names made from method and path, and summaries to write.',
      content: buildOperationIdsPatch(fixing),
      media_type: 'application/merge-patch+json',
      expect: 'Every operation has an operationId and a summary.',
      at: '/openapi.json',
    }),
  },
  'agent.api.described-params': buildOpenApiRecipe({
    how: 'Add them where the code defines the parameters, so that they stay true.',
    content: formatJsonFile({
      name: 'limit',
      in: 'query',
      description: formatSlot('parameter'),
      schema: { type: 'integer', minimum: 1, maximum: 100 },
    }),
    expect: 'At least four of five parameters, bodies and responses have a schema and a description.',
  }),
  'agent.api.servers': buildOpenApiRecipe({
    how: 'It is the address that clients call.',
    content: formatJsonFile({ servers: [{ url: `https://${formatSlot('apiPath')}` }] }),
    expect: 'servers[0].url is an absolute https address that answers.',
  }),
  'agent.api.security-declared': buildOpenApiRecipe({
    how: 'Put your own scheme in the place of bearer.',
    content: formatJsonFile({
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
    }),
    expect: 'The document has securitySchemes that it uses, or an empty security.',
  }),
  'agent.api.errors-examples': buildOpenApiRecipe({
    how: 'Describe what the API really answers.',
    content: formatJsonFile({
      responses: {
        400: {
          description: 'The request is wrong',
          content: {
            'application/problem+json': { schema: { type: 'object' }, example: { title: 'Bad Request', status: 400 } },
          },
        },
      },
    }),
    expect: 'At least half of the operations have a 4xx response and an example.',
  }),
  'agent.api.catalog': defineFileRecipe({
    file: FIX_FILES.apiCatalog,
    mediaType: 'application/linkset+json',
    role: 'api-catalog',
    kind: 'json',
    make: generateApiCatalog,
    expect: 'Status 200, Content-Type application/linkset+json, and links that answer 200.',
  }),
  'agent.api.change-policy': defineAdvice({
    file: FIX_FILES.api,
    action: 'configure',
    effort: 'hours',
    how: 'Dates in Deprecation are those of structured fields (@1735689600), in Sunset those of HTTP.',
    content: 'Deprecation: @1735689600\nSunset: Wed, 31 Dec 2025 23:59:59 GMT\nLink: </changelog>; rel="deprecation"\n',
    media_type: 'text/plain',
    expect: 'The OpenAPI document or the start page links a change log and a status page.',
  }),
  'agent.api.ai-plugin': reportOnly(),
  'agent.api.agents-json': reportOnly(),
  'agent.pay.x402': buildServerWork({
    file: FIX_FILES.api,
    how: 'The content is the JSON before it is encoded. Amounts are whole units of the asset, as digits.',
    content: formatJsonFile(PAYMENT_REQUIRED),
    media_type: 'application/json',
    expect: 'The 402 answer has PAYMENT-REQUIRED, and its JSON has x402Version 2 and a complete accepts list.',
  }),
  'agent.pay.x402-discovery': buildOpenApiRecipe({
    how: 'The content belongs to each of them.',
    content: formatJsonFile({ responses: { 402: { description: 'Payment required (x402)' } } }),
    expect: 'Paid operations declare a 402 response.',
  }),
  'agent.pay.commerce': buildServerWork({
    file: FIX_FILES.api,
    how: 'The evidence names what is wrong with the present one.',
    content: formatJsonFile({ ucp: { version: formatSlot('date'), services: {} } }),
    media_type: 'application/json',
    expect: 'The profile is JSON with ucp.version and ucp.services.',
    at: '/.well-known/ucp',
  }),
  'agent.pay.price-page': buildPageWork({
    content: `<table>\n<thead><tr><th scope="col">Plan</th><th scope="col">Price</th></tr></thead>\n<tbody><tr><th scope="row">${formatSlot('productName')}</th><td>${formatSlot('price')} ${formatSlot('currency')}</td></tr></tbody>\n</table>\n`,
    how: 'If prices depend on the case, state a starting price or a range with what it depends on.',
    expect: 'The page of prices has amounts with a currency in its HTML.',
  }),
  'agent.sec.security-txt': defineFileRecipe({
    file: FIX_FILES.securityTxt,
    mediaType: 'text/plain',
    make: generateSecurityTxt,
    how: 'Renew Expires before it passes.',
    expect: 'Status 200, text/plain, with Contact and an Expires in the future.',
  }),
  'agent.nlweb.ask': buildServerWork({
    file: FIX_FILES.api,
    how: 'The content shows such an answer.',
    content: formatJsonFile({
      query_id: '1',
      results: [{ url: formatSlot('target'), name: formatSlot('pageTitle'), schema_object: { '@type': 'Article' } }],
    }),
    media_type: 'application/json',
    expect: 'The declared endpoint answers JSON with results.',
  }),
};
