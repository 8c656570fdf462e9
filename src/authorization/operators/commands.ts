import { formatIsoTimestamp } from '../../lib/time.ts';
import type { MachineClientView } from '../service-accounts/clients.ts';
import type { NewServiceAccount, ServiceAccountView, ServiceKeyView } from '../service-accounts/services.ts';
import type { KeyFile, OperatorRefusal, PublicKey } from '../service-accounts/shapes.ts';
import type { NewOperator, OperatorAccountRefusal, OperatorView } from './accounts.ts';

/** What was done or found, as the operator reads it: RFC 3339 times and the spelling of OAuth's own metadata. */
export function formatOperatorAnswer(answer: OperatorAnswer & { ok: true }): Record<string, unknown> {
  switch (answer.did) {
    case 'listed_service_accounts':
      return { accounts: answer.accounts.map(formatServiceAccount) };
    case 'listed_clients':
      return { clients: answer.clients.map(formatMachineClient) };
    case 'created_service_account':
      return { account: formatServiceAccount(answer.account) };
    case 'created_key':
      return { key: formatServiceKey(answer.key), file: answer.file };
    case 'created_client':
      return {
        client: formatMachineClient(answer.client),
        ...(answer.secret === undefined ? {} : { secret: answer.secret }),
      };
    case 'listed_operators':
      return { operators: answer.operators.map(formatNamedOperator) };
    case 'created_operator':
    case 'restored_operator':
      return { operator: formatNamedOperator(answer.operator), secret: answer.secret };
    case 'deleted_service_account':
    case 'revoked_key':
    case 'deleted_client':
    case 'deleted_operator':
      return { name: answer.name };
  }
}

function formatServiceAccount({ actsFor, createdAtMs, keys, ...account }: ServiceAccountView) {
  return {
    ...account,
    acts_for: actsFor,
    created_at: formatIsoTimestamp(createdAtMs),
    keys: keys.map(formatServiceKey),
  };
}

function formatServiceKey({ id, createdAtMs, expiresAtMs, usedAtMs }: ServiceKeyView) {
  const times = { created_at: formatIsoTimestamp(createdAtMs), expires_at: formatIsoTimestamp(expiresAtMs) };
  return { id, ...times, ...formatLastUse(usedAtMs) };
}

const formatLastUse = (usedAtMs: number | undefined) =>
  usedAtMs === undefined ? {} : { last_used_at: formatIsoTimestamp(usedAtMs) };

function formatMachineClient({ method, createdAtMs, ...client }: ClientView) {
  const own = { token_endpoint_auth_method: method, created_at: formatIsoTimestamp(createdAtMs) };
  if (client.grant === 'client_credentials') {
    const { usedAtMs, ...known } = client;
    return { ...known, ...own, ...formatLastUse(usedAtMs) };
  }
  const { redirectUris, ...rest } = client;
  return { ...rest, redirect_uris: redirectUris, ...own };
}

function formatNamedOperator({ id, name, directoryUserId, createdAtMs, ...access }: OperatorView) {
  const who = { id, name, ...(directoryUserId === undefined ? {} : { directory_user_id: directoryUserId }) };
  const held = { ...who, state: access.state, created_at: formatIsoTimestamp(createdAtMs) };
  return access.state === 'enabled'
    ? held
    : { ...held, reason: access.reason, ended_at: formatIsoTimestamp(access.endedAtMs) };
}

/** A client with a person behind it that the operator registered: it may carry operator scopes (rule A1). */
export type InteractiveClientView = {
  id: string;
  name: string;
  method: 'none' | 'client_secret_basic';
  redirectUris: readonly string[];
  createdAtMs: number;
};

export type NewClient =
  | {
      grant: 'client_credentials';
      name: string;
      scopes: readonly string[];
      resources?: readonly string[] | undefined;
      jwks?: readonly PublicKey[] | undefined;
    }
  | {
      grant: 'authorization_code';
      name: string;
      redirectUris: readonly string[];
      method: InteractiveClientView['method'];
    };

/** What an operator asks of the store; every field was parsed at the edge. */
export type OperatorCommand =
  | { do: 'create_service_account'; account: NewServiceAccount }
  | { do: 'list_service_accounts' }
  | { do: 'delete_service_account'; id: string }
  | { do: 'create_key'; id: string; days: number }
  | { do: 'revoke_key'; id: string; keyId: string }
  | { do: 'create_client'; client: NewClient }
  | { do: 'list_clients' }
  | { do: 'delete_client'; id: string }
  | { do: 'create_operator'; operator: NewOperator }
  | { do: 'list_operators' }
  | { do: 'delete_operator'; id: string }
  | { do: 'restore_operator'; id: string };

export type ClientView =
  | (MachineClientView & { grant: 'client_credentials' })
  | (InteractiveClientView & { grant: 'authorization_code' });

/** `name` and `id` are what the audit log may say of it. Secrets and key files are in no second answer. */
export type OperatorAnswer =
  | { ok: true; did: 'listed_service_accounts'; accounts: readonly ServiceAccountView[] }
  | { ok: true; did: 'listed_clients'; clients: readonly ClientView[] }
  | { ok: true; did: 'created_service_account'; account: ServiceAccountView }
  | { ok: true; did: 'created_key'; key: ServiceKeyView; file: KeyFile }
  | { ok: true; did: 'created_client'; client: ClientView; secret?: string }
  | { ok: true; did: 'listed_operators'; operators: readonly OperatorView[] }
  | { ok: true; did: 'created_operator' | 'restored_operator'; operator: OperatorView; secret: string }
  | {
      ok: true;
      did: 'deleted_service_account' | 'revoked_key' | 'deleted_client' | 'deleted_operator';
      name: string;
    }
  | OperatorRefusal
  | OperatorAccountRefusal;

/** What was done, and by which operator's account. `isRepeat`: it was done before, under the same key. */
export type Operated = OperatorAnswer & { ok: true } & {
  by: string;
  isRepeat?: true;
  /** Shards of tokens that have not confirmed what was ended: they are asked again until they do. */
  unreached?: number;
};
export type NotOperated = (OperatorAnswer & { ok: false }) | NotOperator | NotRepeated;

/** Why a command under a key that was used is not answered: it is another command, or its answer had a secret. */
type NotRepeated = { ok: false; reason: 'key_reused' } | { ok: false; reason: 'already_created'; id: string };

/** Why a session may not do this. */
export type NotOperator = { ok: false; reason: 'not_signed_in' | 'not_operator' | 'sign_in_too_old' };

/**
 * @param session the hash of a browser session's value
 * @param key the operator's name for this command, of the header `Idempotency-Key`
 */
export type OperatorCommands = (
  session: string,
  command: OperatorCommand,
  key?: string,
) => Promise<Operated | NotOperated>;
