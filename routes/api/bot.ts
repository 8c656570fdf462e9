import type { Hono } from 'hono';
import { type BotKey, loadBotKey } from '../../src/bot/bot-key.ts';
import {
  BOT_ADDRESSES_PATH,
  BOT_CARD_PATH,
  BOT_PATH,
  type BotFacts,
  buildBotAddresses,
  buildBotCard,
  renderBotPage,
} from '../../src/bot/bot-documents.ts';
import { buildKeyDirectory, KEY_DIRECTORY_PATH } from '../../src/bot/key-directory.ts';
import { formatDiscoveryLinks } from '../../src/openapi/discovery-documents.ts';
import { buildProblem } from '../../src/problems/codes.ts';
import type { ApiWorkerSettings } from '../../src/sales/settings.ts';
import { serveStaticDocument } from '../shared/static-document.ts';
import { type AppContext, type AppEnv, failWith } from './context.ts';
import { guardFreeRoute } from './free-guard.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const NO_KEYS = buildProblem('not_found', { detail: 'This deployment does not sign what its audits ask of sites' });

/** What the auditor says of itself to the owners of sites: a page, a card, its addresses, and the keys that it signs with. */
export function registerBotRoutes(app: Hono<AppEnv>): void {
  app.get(BOT_PATH, guardFreeRoute, (c) => serve(c, 'text/plain; charset=utf-8', renderBotPage));
  app.get(BOT_CARD_PATH, guardFreeRoute, (c) => serve(c, JSON_TYPE, (facts) => formatJson(buildBotCard(facts))));
  app.get(BOT_ADDRESSES_PATH, guardFreeRoute, (c) =>
    serve(c, JSON_TYPE, (facts) => formatJson(buildBotAddresses(facts, Date.now()))),
  );
  app.get(KEY_DIRECTORY_PATH, guardFreeRoute, async (c) => {
    const settings = c.get('settings');
    const keys = await listKeys(settings);
    if (keys.length === 0) return failWith(c, NO_KEYS);
    const { body, headers } = await buildKeyDirectory(
      keys,
      new URL(KEY_DIRECTORY_PATH, settings.BASE_URL).href,
      Date.now(),
    );
    return c.body(body, 200, headers);
  });
}

const formatJson = (document: Record<string, unknown>): string => `${JSON.stringify(document, null, 2)}\n`;

function serve(c: AppContext, type: string, render: (facts: BotFacts) => string): Promise<Response> {
  const { BASE_URL, BOT_SIGNING_KEY, BOT_ADDRESSES, CONTACT_EMAIL } = c.get('settings');
  const facts = {
    baseUrl: BASE_URL,
    isSigning: BOT_SIGNING_KEY !== undefined,
    contactEmail: CONTACT_EMAIL,
    addresses: BOT_ADDRESSES ?? [],
  };
  const variant = `${c.req.path} ${facts.isSigning} ${CONTACT_EMAIL ?? ''} ${facts.addresses.join()}`;
  return serveStaticDocument(c, variant, () => ({
    type,
    body: render(facts),
    headers: { link: formatDiscoveryLinks(BASE_URL) },
  }));
}

async function listKeys({ BOT_SIGNING_KEY, BOT_SIGNING_KEY_PREVIOUS }: ApiWorkerSettings): Promise<readonly BotKey[]> {
  if (BOT_SIGNING_KEY === undefined) return [];
  const secrets = [BOT_SIGNING_KEY, BOT_SIGNING_KEY_PREVIOUS].filter((secret) => secret !== undefined);
  const keys = await Promise.all([...new Set(secrets)].map(loadBotKey));
  return keys.filter((key) => key !== undefined);
}
