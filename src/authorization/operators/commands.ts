import type { MachineClientView } from '../service-accounts/clients.ts';
import type { KeyFile } from '../service-accounts/keys.ts';
import type { NewServiceAccount, ServiceAccountView, ServiceKeyView } from '../service-accounts/services.ts';
import type { OperatorRefusal, PublicKey } from '../service-accounts/shapes.ts';
import type { NewOperator, OperatorAccountRefusal, OperatorView } from './accounts.ts';

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

/** What was done, and by which operator's account. */
export type Operated = OperatorAnswer & { ok: true } & { by: string };
export type NotOperated = (OperatorAnswer & { ok: false }) | NotOperator;

/** Why a session may not do this. */
export type NotOperator = { ok: false; reason: 'not_signed_in' | 'not_operator' | 'sign_in_too_old' };

/** @param session the hash of a browser session's value. */
export type OperatorDesk = (session: string, command: OperatorCommand) => Promise<Operated | NotOperated>;
