import type { ConsoleAccessPort } from '../../../../../src/console-api/access.ts';
import type { CardActsPort, CardFactsPort } from '../../../../../src/console-api/cards.ts';
import type { ServiceActsPort, ServiceFactsPort } from '../../../../../src/console-api/service.ts';
import { operationsWith } from '../../../../support/workers/test-operations.ts';
import { consoleWorld, fakeAccess, fieldIn } from '../world.ts';

export type ServiceParts = {
  facts?: Partial<ServiceFactsPort & CardFactsPort>;
  acts?: Partial<ServiceActsPort & CardActsPort>;
  bindings?: Record<string, unknown>;
};

let browsers = 0;

/** A signed-in operator in front of the console, with an api Worker that answers as the test says. */
export async function serviceWorld({ facts = {}, acts = {}, bindings = {} }: ServiceParts = {}) {
  const access = fakeAccess(acts as Partial<ConsoleAccessPort>); // Its own calls stay as they are.
  browsers += 1;
  const address = `198.51.100.${browsers % 250}`; // Each has the limit of an address for itself.
  const world = consoleWorld({
    access,
    address,
    bindings: { OPERATIONS: { ...operationsWith({}), ...facts }, ...bindings },
  });
  await world.signIn();
  return {
    ...world,
    text: async (path: string): Promise<string> => (await world.get(path)).text(),
    /** Sends the form of a confirmation with this reason, as a person does. */
    confirm: async (path: string, reason: string): Promise<Response> => {
      const page = await (await world.get(path)).text();
      const fields: Record<string, string> = { reason };
      const [, own = ''] =
        /<form method="post" action="\/console\/(?!signout)[^"]*"[^>]*>(.*?)<\/form>/s.exec(page) ?? [];
      for (const [, name = '', value = ''] of own.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g))
        fields[name] = decodeEntities(value);
      if (fields['csrf'] === undefined) throw new Error(`no form at ${path}: ${page.slice(0, 2_000)}`);
      return world.form(new URL(path, 'https://control.sightline.test').pathname, fields);
    },
    fieldIn,
  };
}

/** What the page says that an action led to. */
export async function saidAfter(
  world: { get: (path: string) => Promise<Response> },
  answer: Response,
): Promise<string> {
  const page = await (await world.get(answer.headers.get('location') ?? '')).text();
  return /<p class="note" role="status">([^<]*)<\/p>/.exec(page)?.[1] ?? '';
}

/** What a browser reads where a page has a text. */
export const decodeEntities = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
