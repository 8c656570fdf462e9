import { CLIENT_ASSERTION_TYPE, type FirstUse } from './client-assertion.ts';
import { formatClientRowKey } from '../oauth/kv-facade.ts';
import { readAssertion, verifyClientAssertion } from './assertion.ts';
import type { MachineClients } from './clients.ts';
import { type MachineClient, type MachineRequest, refuseToken, type TokenRefusal } from './shapes.ts';
import type { StoreTools } from '../oauth/rows.ts';

const METHODS = 'a machine client authenticates by client_secret_basic or private_key_jwt';

type Parts = {
  tools: StoreTools;
  clients: MachineClients;
  isFirstUse: FirstUse;
  /** The audiences that an assertion of a client may have. */
  audiences: readonly string[];
};

/** Identifies which machine client sends a request, by its secret or by an assertion under its own key. */
export function createMachineClientAuth({ tools: { rows, now }, clients, isFirstUse, audiences }: Parts) {
  /** Rule A1: only clients that the operator made may ask; others learn that, and what no one registered is unknown. */
  const machineClient = (id: string): MachineClient | TokenRefusal => {
    const client = clients.get(id);
    if (client) return client;
    const isOpen = id.startsWith('https://') || rows.get(formatClientRowKey(id)) !== undefined;
    return isOpen
      ? refuseToken('unauthorized_client', 'this grant is for clients that the operator made')
      : refuseToken('invalid_client', 'unknown client');
  };

  const bySecret = async (id: string, secret: string): Promise<MachineClient | TokenRefusal> => {
    const client = machineClient(id);
    if ('ok' in client) return client;
    return (await clients.hasSecret(client, secret)) ? client : refuseToken('invalid_client', 'wrong client secret');
  };

  const byAssertion = async (form: URLSearchParams, assertion: string): Promise<MachineClient | TokenRefusal> => {
    if (form.get('client_assertion_type') !== CLIENT_ASSERTION_TYPE)
      return refuseToken('invalid_client', `client_assertion_type must be ${CLIENT_ASSERTION_TYPE}`);
    const hint = readAssertion(assertion);
    if (!hint.ok) return refuseToken('invalid_client', hint.detail);
    const client = machineClient(hint.issuer);
    if ('ok' in client) return client;
    if (client.jwks === undefined)
      return refuseToken('invalid_client', 'this client authenticates by client_secret_basic');
    const verified = await verifyClientAssertion(assertion, client.jwks, audiences, now());
    if (!verified.ok) return refuseToken('invalid_client', verified.detail);
    const { claims } = verified;
    const names = [claims.iss, claims.sub, form.get('client_id') ?? client.id];
    if (names.some((name) => name !== client.id))
      return refuseToken('invalid_client', 'iss, sub and client_id must be the same client');
    return (await isFirstUse(client.id, claims))
      ? client
      : refuseToken('invalid_client', 'this assertion was used before');
  };

  return async ({ form, authorization }: MachineRequest): Promise<MachineClient | TokenRefusal> => {
    const assertion = form.get('client_assertion');
    const id = form.get('client_id');
    if (authorization !== null && (assertion !== null || form.has('client_secret')))
      return refuseToken('invalid_request', 'a client authenticates in one way at a time');
    if (assertion !== null) return byAssertion(form, assertion);
    if (authorization !== null) {
      const basic = parseBasicCredentials(authorization);
      if (basic === undefined || (id !== null && id !== basic.id)) return refuseToken('invalid_client', METHODS);
      return bySecret(basic.id, basic.secret);
    }
    const client = id === null ? undefined : machineClient(id);
    return client && 'ok' in client ? client : refuseToken('invalid_client', METHODS);
  };
}

/** Client id and secret of a Basic header, each form-encoded within it (RFC 6749 section 2.3.1). */
export function parseBasicCredentials(authorization: string): { id: string; secret: string } | undefined {
  const encoded = /^basic ([A-Za-z0-9+/=]{1,4000})$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  try {
    const [id = '', secret = '', ...more] = atob(encoded).split(':').map(decodeURIComponent);
    return id === '' || secret === '' || more.length > 0 ? undefined : { id, secret };
  } catch {
    return undefined; // Not base64, or not form-encoded.
  }
}
