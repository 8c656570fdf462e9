import { CLIENT_ROWS, GRANT_ROWS } from '../oauth/kv-facade.ts';
import type { Rows } from '../oauth/rows.ts';
import { type ClientClass, type ClientRecord, formatClassRowKey } from './clients.ts';

/** Clients of a page. */
const PAGE = 50;
/** Grants that are counted for a page: all of a service with a few thousand people. */
export const MAX_GRANTS_COUNTED = 5_000;
const MAX_HOSTS = 5;

/** A client with a row of its own, as an operator reads it. Its name is its own claim: hostile text. */
export type SurveyedClient = {
  id: string;
  name: string;
  redirectHosts: readonly string[];
  registeredAtMs?: number;
  grants: number;
  isOperatorMade: boolean;
};
/** `isPartial`: there are more grants than were counted. */
export type ClientSurvey = { clients: SurveyedClient[]; next?: string; isPartial: boolean };

type LibraryRow = { value: string };

/** A page of the clients with a row, in the order of their ids, each with its living grants. */
export function surveyClients(rows: Pick<Rows, 'get' | 'list'>, after?: string): ClientSurvey {
  const found = rows.list<LibraryRow>(CLIENT_ROWS, PAGE + 1, after === undefined ? undefined : CLIENT_ROWS + after);
  const counted = rows.list<LibraryRow>(GRANT_ROWS, MAX_GRANTS_COUNTED + 1);
  const grants = Map.groupBy(counted.slice(0, MAX_GRANTS_COUNTED), ({ value }) => readGrantHolder(value.value));
  const clients = found.slice(0, PAGE).map(({ key, value }) => {
    const client = JSON.parse(value.value) as Partial<ClientRecord>; // Written by the provider library, or as it does.
    const id = key.slice(CLIENT_ROWS.length);
    return {
      id,
      name: client.clientName ?? '',
      redirectHosts: listHosts(client.redirectUris ?? []),
      ...(client.registrationDate === undefined ? {} : { registeredAtMs: client.registrationDate * 1000 }),
      grants: grants.get(id)?.length ?? 0,
      isOperatorMade: rows.get<ClientClass>(formatClassRowKey(id)) === 'operator',
    };
  });
  const last = clients.at(-1)?.id;
  const isPartial = counted.length > MAX_GRANTS_COUNTED;
  return found.length > PAGE && last !== undefined ? { clients, next: last, isPartial } : { clients, isPartial };
}

const readGrantHolder = (grant: string): string => (JSON.parse(grant) as { clientId: string }).clientId;

const listHosts = (uris: readonly string[]): readonly string[] => [
  ...new Set(uris.slice(0, MAX_HOSTS).flatMap((uri) => (URL.canParse(uri) ? [new URL(uri).host] : []))),
];
