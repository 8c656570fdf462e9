import type { Clients } from '../clients/clients.ts';
import type { Machine } from '../service-accounts/machine.ts';
import type { MachineClientView } from '../service-accounts/clients.ts';
import { MAX_MACHINE_CLIENTS, type OperatorRefusal } from '../service-accounts/shapes.ts';
import type {
  InteractiveClientView,
  NewClient,
  OperatorAnswer,
  OperatorCommand,
  OperatorCommands,
} from './commands.ts';
import type { OperatorAccountRefusal, OperatorAccounts } from './accounts.ts';
import type { OAuthProvider } from '../oauth/provider.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { createOnceGuard } from './repeats.ts';
import { createSessions } from '../people/sessions.ts';

const INTERACTIVE = 'own:machine:interactive:';

/** What makes a credential, or takes a colleague's, needs a sign-in no older than this. */
const FRESH_MS = 15 * 60_000;
const NEEDS_FRESH: readonly OperatorCommand['do'][] = [
  'create_key',
  'create_client',
  'create_operator',
  'restore_operator',
  'delete_operator',
];

type Parts = {
  tools: StoreTools;
  machine: Machine;
  provider: Pick<OAuthProvider, 'api'>;
  registered: Clients;
  operators: OperatorAccounts;
};

/**
 * Carries out what an operator asks for, by a session of an operator and by nothing else. All operators may do the same.
 * @param place where the session's cookie counts
 */
export function createOperatorCommands(parts: Parts, place: 'site' | 'console' = 'site'): OperatorCommands {
  const sessions = createSessions(parts.tools, place);
  const carryOut = createCommandHandlers(parts);
  const once = createOnceGuard(parts.tools);
  return async (hash, command, key) => {
    const session = sessions.find(hash);
    if (session === undefined) return { ok: false, reason: 'not_signed_in' };
    if (session.kind !== 'operator') return { ok: false, reason: 'not_operator' };
    const ageMs = parts.tools.now() - session.signedInAtMs;
    if (ageMs >= FRESH_MS && NEEDS_FRESH.includes(command.do)) return { ok: false, reason: 'sign_in_too_old' };
    const by = session.accountId;
    return once({ by, command, key }, async () => {
      const answer = await carryOut(command, by);
      return answer.ok ? { ...answer, by } : answer;
    });
  };
}

/** @returns what carries out a command of an account */
function createCommandHandlers(parts: Parts): (command: OperatorCommand, by: string) => Promise<OperatorAnswer> {
  const { operators } = parts;
  const { clients, services } = parts.machine;
  const interactive = listInteractiveClients(parts);
  return async (command, by) => {
    switch (command.do) {
      case 'create_service_account':
        return as('created_service_account', services.create(command.account));
      case 'list_service_accounts':
        return { ok: true, did: 'listed_service_accounts', accounts: services.list() };
      case 'delete_service_account':
        return as('deleted_service_account', services.remove(command.id));
      case 'create_key':
        return as('created_key', await services.addKey(command.id, command.days));
      case 'revoke_key':
        return as('revoked_key', services.revokeKey(command.id, command.keyId));
      case 'create_client':
        return createClient(command.client);
      case 'list_clients':
        return {
          ok: true,
          did: 'listed_clients',
          clients: [...clients.list().map(toClientView), ...interactive.list()],
        };
      case 'delete_client': {
        const removed = clients.remove(command.id);
        return as('deleted_client', removed.ok ? removed : await interactive.remove(command.id));
      }
      case 'create_operator':
        return as('created_operator', await operators.create(command.operator));
      case 'list_operators':
        return { ok: true, did: 'listed_operators', operators: operators.list() };
      case 'delete_operator':
        return as('deleted_operator', await operators.remove(command.id));
      case 'restore_operator':
        return as('restored_operator', await operators.restore(command.id, by));
    }
  };

  async function createClient(wanted: NewClient): Promise<OperatorAnswer> {
    if (wanted.grant === 'authorization_code') return interactive.create(wanted);
    const made = await clients.create(wanted);
    return made.ok ? { ...made, did: 'created_client', client: toClientView(made.client) } : made;
  }
}

const toClientView = (client: MachineClientView) => ({ ...client, grant: 'client_credentials' as const });

/** An outcome under the word for what was done; a refusal as it is. */
const as = <W extends string, T extends { ok: true }>(did: W, outcome: T | OperatorRefusal | OperatorAccountRefusal) =>
  outcome.ok ? { ...outcome, did } : outcome;

/** Clients with a person behind them, in the rows of the provider library, marked as the operator's. */
function listInteractiveClients({ tools: { rows, now }, provider, registered }: Parts) {
  return {
    list: () =>
      rows
        .list<InteractiveClientView>(INTERACTIVE, MAX_MACHINE_CLIENTS)
        .map(({ value }) => ({ ...value, grant: 'authorization_code' as const })),
    create: async (wanted: NewClient & { grant: 'authorization_code' }): Promise<OperatorAnswer> => {
      if (rows.count(INTERACTIVE) >= MAX_MACHINE_CLIENTS) return { ok: false, reason: 'too_many' };
      const { name, method, redirectUris } = wanted;
      const made = await provider.api.createClient({
        clientName: name,
        redirectUris: [...redirectUris],
        tokenEndpointAuthMethod: method,
        grantTypes: ['authorization_code', 'refresh_token'],
        responseTypes: ['code'],
      });
      const view: InteractiveClientView = { id: made.clientId, name, method, redirectUris, createdAtMs: now() };
      rows.put(`${INTERACTIVE}${view.id}`, view);
      registered.markOperatorMade(view.id);
      const secret = made.clientSecret === undefined ? {} : { secret: made.clientSecret };
      return { ok: true, did: 'created_client', client: { ...view, grant: wanted.grant }, ...secret };
    },
    /** Its grants and tokens end with it. */
    remove: async (id: string): Promise<{ ok: true; name: string } | OperatorRefusal> => {
      const client = rows.get<InteractiveClientView>(`${INTERACTIVE}${id}`);
      if (client === undefined) return { ok: false, reason: 'not_found' };
      await provider.api.deleteClient(id);
      rows.delete(`${INTERACTIVE}${id}`);
      return { ok: true, name: client.name };
    },
  };
}
