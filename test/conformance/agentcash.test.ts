import {
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  discoverOriginSchema,
  getL3,
  getOpenAPI,
  getProbe,
  getWarningsFor402Body,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForLegacyWellKnown,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
  type OpenApiSource,
  probeLegacyWellKnown,
  validatePaymentRequiredDetailed,
} from '@agentcash/discovery';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../../local/stack.ts';
import { catalog, formatUsd } from '../../src/capabilities/catalog.ts';
import { creditPacks } from '../../src/capabilities/credit-packs.ts';
import { soldRoutes } from '../../src/capabilities/sold-routes.ts';
import { present } from '../support/stack/presenting.ts';

const served = catalog.filter((row) => row.run !== undefined);

let stack: Stack;
let openApi: OpenApiSource;
beforeAll(async () => {
  stack = await startStack({ bindings: { CONTACT_EMAIL: 'operator@audits.example' } });
  const read = await getOpenAPI(stack.api.url);
  const source = read._unsafeUnwrap();
  if (source === null || isOpenApiParseFailure(source))
    throw new Error(`the crawler cannot read openapi.json: ${JSON.stringify(source)}`);
  openApi = source;
});
afterAll(async () => {
  await stack.stop();
});

type Warning = { code: string; severity: string; path?: string };
const grave = (warnings: readonly Warning[]): readonly Warning[] =>
  warnings.filter(({ severity }) => severity === 'error');

test('the crawler finds the service by its origin alone, with guidance, contact and every served capability and credit pack at its price', async () => {
  const found = await discoverOriginSchema({ target: stack.api.url });
  if (!found.found) throw new Error(`not found: ${found.cause}`);
  expect(found).toMatchObject({
    source: 'openapi',
    guidanceAvailable: true,
    info: { title: 'Sightline', version: '5.9.4' },
  });
  expect(found.info?.contactEmail).toBe('operator@audits.example');
  const paid = found.endpoints.filter(({ authMode }) => authMode === 'paid');
  expect(paid.map(({ path, method, price }) => ({ path, method, price }))).toEqual(
    [...soldRoutes, { path: '/api/credits/{pack}/monitor', row: creditPacks[0] }].map(({ path, row }) => ({
      path,
      method: 'POST',
      price: expect.stringContaining(formatUsd(row?.priceMicroUsdc ?? 0)),
    })),
  );
  for (const { protocols, currency } of paid)
    expect({ protocols, currency }).toEqual({ protocols: ['x402', 'mpp'], currency: 'USD' });
});

test('no route is taken for one that wants an API key, and the free catalogue is unprotected', () => {
  const modes = new Map(openApi.routes.map(({ path, authMode }) => [path, authMode]));
  expect([...modes.values()].filter((mode) => mode === 'apiKey' || mode === 'apiKey+paid')).toEqual([]);
  expect(modes.get('/api/agent/index')).toBe('unprotected');
  for (const { name } of served) expect([name, modes.get(`/api/agent/${name}`)]).toEqual([name, 'paid']);
});

test('its warnings about document, routes and guidance hold no error', async () => {
  const legacy = (await probeLegacyWellKnown(stack.api.url))._unsafeUnwrap();
  const warnings: readonly Warning[] = [
    ...getWarningsForOpenAPI(openApi),
    ...getWarningsForL2(checkL2ForOpenAPI(openApi)),
    ...getWarningsForL4(checkL4ForOpenAPI(openApi)),
    ...getWarningsForLegacyWellKnown(legacy),
  ];
  expect(grave(warnings)).toEqual([]);
  // Other crawlers read the two lists; this one only says that it reads the OpenAPI document instead.
  expect(legacy).toEqual({ x402: true, mpp: true });
  const codes = warnings.map(({ code }) => code);
  for (const code of [
    'OPENAPI_CONTACT_MISSING',
    'L4_GUIDANCE_MISSING',
    'L2_PRICE_MISSING_ON_PAID',
    'L2_X402_MALFORMED',
  ]) {
    expect(codes).not.toContain(code);
  }
});

describe.each(served.map((row) => [row.name, row] as const))('%s', (name, row) => {
  const url = (): string => `${stack.api.url}/api/agent/${name}`;

  test.each([
    ['in the document', false, { source: 'openapi', authMode: 'paid', protocols: ['x402', 'mpp'] }],
    [
      'by probing',
      true,
      { source: 'probe', authMode: 'paid', paymentRequiredBody: expect.objectContaining({ x402Version: 2 }) },
    ],
  ])('is found %s, once, as a paid POST', async (_way, probe, expected) => {
    const checked = await checkEndpointSchema({ url: url(), probe });
    if (!checked.found) throw new Error(`not found: ${checked.cause}`);
    // The probe also sees that the preflight of browsers is free.
    const paid = checked.advisories.filter(({ method }) => method !== 'OPTIONS');
    expect(paid).toEqual([expect.objectContaining({ method: 'POST', ...expected })]);
    expect(paid.flatMap((advisory) => getWarningsForL3(advisory))).toEqual([]);
  });

  test('answers the probe without a body with terms that say what the document says', async () => {
    const probe = (await getProbe(url()))._unsafeUnwrap();
    const known = getL3(openApi, probe, `/api/agent/${name}`, 'POST');
    expect(known).toMatchObject({
      authMode: 'paid',
      estimatedPrice: expect.stringContaining(formatUsd(row.priceMicroUsdc)),
      currency: 'USD',
    });
    expect(known?.inputSchema).toBeTruthy();
    expect(known?.outputSchema).toBeTruthy();
    const seen = getL3(null, probe, `/api/agent/${name}`, 'POST');
    expect(seen?.paymentOptions?.filter(({ protocol }) => protocol === 'x402')).toEqual([
      expect.objectContaining({
        protocol: 'x402',
        version: 2,
        network: 'eip155:8453',
        amount: String(row.priceMicroUsdc),
        payTo: expect.stringMatching(new RegExp(stack.seller.address, 'i')),
      }),
    ]);
    expect(getWarningsForL3(known)).toEqual([]);
  });

  test('has a 402 body that validates without an issue', async () => {
    const body: unknown = await (await present(stack, { capability: name })).json();
    const report = validatePaymentRequiredDetailed(body, { requireInputSchema: true, requireOutputSchema: true });
    expect(report).toMatchObject({ valid: true, version: 2, issues: [] });
    expect(report.normalized).toMatchObject({ hasInputSchema: true, hasOutputSchema: true });
    expect(getWarningsFor402Body(body)).toEqual([]);
  });
});

test('what is not served is offered to nobody: no price in the document, and a crawler that probes it learns no terms', async () => {
  const absent = catalog.filter((row) => row.run === undefined);
  for (const { name } of absent) {
    const route = openApi.routes.find(({ path }) => path === `/api/agent/${name}`);
    expect(route?.pricing).toBeUndefined();
    const probe = (await getProbe(`${stack.api.url}/api/agent/${name}`))._unsafeUnwrap();
    expect(probe.filter(({ paymentRequiredBody }) => paymentRequiredBody !== undefined)).toEqual([]);
  }
});
