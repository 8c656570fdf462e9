import type { ServiceAccountView, ServiceKeyView } from '../service-accounts/services.ts';
import type { OperatorView } from './accounts.ts';
import type { ClientView, OperatorAnswer } from './commands.ts';

/** What was done or found, as the operator reads it: RFC 3339 times and the spelling of OAuth's own metadata. */
export function operatorWire(answer: OperatorAnswer & { ok: true }): Record<string, unknown> {
  switch (answer.did) {
    case 'listed_service_accounts':
      return { accounts: answer.accounts.map(accountWire) };
    case 'listed_clients':
      return { clients: answer.clients.map(clientWire) };
    case 'created_service_account':
      return { account: accountWire(answer.account) };
    case 'created_key':
      return { key: keyWire(answer.key), file: answer.file };
    case 'created_client':
      return { client: clientWire(answer.client), ...(answer.secret === undefined ? {} : { secret: answer.secret }) };
    case 'listed_operators':
      return { operators: answer.operators.map(namedOperatorWire) };
    case 'created_operator':
    case 'restored_operator':
      return { operator: namedOperatorWire(answer.operator), secret: answer.secret };
    case 'deleted_service_account':
    case 'revoked_key':
    case 'deleted_client':
    case 'deleted_operator':
      return { name: answer.name };
  }
}

function accountWire({ actsFor, createdAtMs, keys, ...account }: ServiceAccountView) {
  return { ...account, acts_for: actsFor, created_at: time(createdAtMs), keys: keys.map(keyWire) };
}

function keyWire({ id, createdAtMs, expiresAtMs }: ServiceKeyView) {
  return { id, created_at: time(createdAtMs), expires_at: time(expiresAtMs) };
}

function clientWire({ method, createdAtMs, ...client }: ClientView) {
  const own = { token_endpoint_auth_method: method, created_at: time(createdAtMs) };
  if (client.grant === 'client_credentials') return { ...client, ...own };
  const { redirectUris, ...rest } = client;
  return { ...rest, redirect_uris: redirectUris, ...own };
}

function namedOperatorWire({ id, name, directoryUserId, createdAtMs, ...access }: OperatorView) {
  const who = { id, name, ...(directoryUserId === undefined ? {} : { directory_user_id: directoryUserId }) };
  const held = { ...who, state: access.state, created_at: time(createdAtMs) };
  return access.state === 'enabled' ? held : { ...held, reason: access.reason, ended_at: time(access.endedAtMs) };
}

const time = (ms: number): string => new Date(ms).toISOString();
