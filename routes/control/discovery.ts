import { PRODUCT } from '../../src/lib/product.ts';
import { Hono } from 'hono';
import { getIssuer, normaliseResource } from '../../src/authorization/oauth/resources.ts';
import { apis, type DiscoveryApi, listServedMethods } from '../../src/management/core/discovery/apis.ts';
import {
  buildDiscoveryDocument,
  buildDiscoveryList,
  getDocumentPath,
} from '../../src/management/core/discovery/document.ts';
import { handlers } from '../../src/management/core/interfaces.ts';
import { methods } from '../../src/management/core/table/method-row.ts';
import { answerDocument } from '../shared/static-document.ts';
import { type ControlEnv, readControlSettings } from './bindings/env.ts';
import type { ControlSettings } from '../../src/settings/control-settings.ts';
import { isEmulator } from './bindings/tenants.ts';

const EMULATOR_SCOPE = 'emulator';

/** What this resource says of itself to clients in search of a token (RFC 9728, section 2): only scopes of methods that are served. */
export function buildControlMetadata(settings: ControlSettings): Record<string, unknown> {
  const served = methods.filter(({ id }) => Object.hasOwn(handlers, id)).flatMap(({ scopes }) => scopes);
  return {
    resource: normaliseResource(settings.CONTROL_URL),
    authorization_servers: [getIssuer(settings.BASE_URL)],
    scopes_supported: [...new Set(served), ...(isEmulator(settings) ? [EMULATOR_SCOPE] : [])],
    bearer_methods_supported: ['header'],
    resource_name: `${PRODUCT} management interfaces`,
  };
}

type Env = { Bindings: ControlEnv };

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Discovery documents, for clients that build themselves from one: rendered of `CONTROL_URL`, cacheable, without
 * credentials, with nothing but what is served (rule K6). An API that is not there is left to the
 * routes after these, which answer 404 as for any other path.
 */
export const controlDiscoveryRoutes = new Hono<Env>()
  .get('/discovery/v1/apis', (c) => {
    const asked = c.req.query('name');
    // Only names that are there make a variant: what is asked for is not kept.
    const name = asked === undefined || apis.some((api) => api.name === asked) ? asked : '';
    return answer(c.env, c.req.header('if-none-match'), `apis ${name}`, (origin) => buildDiscoveryList(origin, name));
  })
  .get('/discovery/v1/apis/:api/:version/rest', (c, next) => {
    const { api: name, version } = c.req.param();
    const api = apis.find((each) => each.name === name && each.version === version);
    return api === undefined ? next() : answerDiscoveryDocument(api, c.env, c.req.header('if-none-match'));
  })
  // The vendor has one host per API. We have one for all: the version says which is meant, `directory_v1`, `v1`, `v3`; of
  // those that have it the first, unless `api` names another, `admob`.
  .get('/$discovery/rest', (c, next) => {
    const { version: wanted, api: named } = c.req.query();
    const api = apis.find(({ name, version }) => version === wanted && (named === undefined || name === named));
    return api === undefined ? next() : answerDiscoveryDocument(api, c.env, c.req.header('if-none-match'));
  });

const answerDiscoveryDocument = (
  api: DiscoveryApi,
  env: ControlEnv,
  ifNoneMatch: string | undefined,
): Promise<Response> =>
  answer(env, ifNoneMatch, getDocumentPath(api.name, api.version), (origin) =>
    buildDiscoveryDocument(api, origin, listServedMethods(api)),
  );

function answer(
  env: ControlEnv,
  ifNoneMatch: string | undefined,
  variant: string,
  make: (origin: string) => unknown,
): Promise<Response> {
  const { origin } = new URL(readControlSettings(env).CONTROL_URL);
  return answerDocument(`${origin} ${variant}`, ifNoneMatch, () => ({
    type: JSON_TYPE,
    body: `${JSON.stringify(make(origin))}\n`,
    headers: { 'x-content-type-options': 'nosniff' },
  }));
}
