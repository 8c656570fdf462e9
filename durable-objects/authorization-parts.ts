import { generateRandomHex } from '../src/lib/digest.ts';
import { createLentClients } from '../src/authorization/clients/clients.ts';
import { createOAuthProtocol, type Protocol } from '../src/authorization/oauth/protocol.ts';
import { createProvider } from '../src/authorization/oauth/provider.ts';
import { getIssuer, listResources, normaliseResource, PATHS } from '../src/authorization/oauth/resources.ts';
import { createSqlRows, type StoreTools } from '../src/authorization/oauth/rows.ts';
import { createSealingKeyring, type SealingKey } from '../src/authorization/oauth/sealing-keys.ts';
import { createOperatorAccounts, type OperatorAccounts } from '../src/authorization/operators/accounts.ts';
import type { OperatorCommands } from '../src/authorization/operators/commands.ts';
import { createOperatorCommands } from '../src/authorization/operators/desk.ts';
import { createAccounts } from '../src/authorization/people/accounts.ts';
import { createClientAccess } from '../src/authorization/people/client-access.ts';
import { createGrantable } from '../src/authorization/people/grantable.ts';
import { createPeopleStore, type OperatorEpochs, type PeopleStore } from '../src/authorization/people/people.ts';
import { createMachineGrants } from '../src/authorization/service-accounts/machine.ts';
import type { MachineSettings } from '../src/authorization/service-accounts/shapes.ts';
import { createNotices, type Notices } from '../src/authorization/shards/notices.ts';
import { createRoot, type Root, watchRootRows } from '../src/authorization/shards/root.ts';
import { createShard, type ShardObject } from '../src/authorization/shards/shard.ts';

/** Addresses of the Workers, as their settings have them. */
type Addresses = { BASE_URL: string; WEBHOOK_URL?: string; CONTROL_URL?: string };

/** What an object of the authorization server consists of: the same of the root and of each shard. */
export type AuthorizationParts = {
  tools: StoreTools;
  sealingKeys: () => readonly SealingKey[];
  protocol: Protocol;
  operator: OperatorCommands;
  consoleOperator: OperatorCommands;
  operators: OperatorAccounts;
  people: PeopleStore & OperatorEpochs;
  notices: Notices;
  root: Root;
  shard: ShardObject;
};

type PartsOptions = {
  sql: SqlStorage;
  addresses: Addresses;
  /** Audiences of service-account assertions besides our own. */
  otherAudiences: readonly string[];
  getShard: (shard: number) => Pick<ShardObject, 'adoptGrant'>;
};

const getNowMs = (): number => Date.now();

export function createAuthorizationParts(options: PartsOptions): AuthorizationParts {
  const { sql, addresses, getShard } = options;
  const { BASE_URL: baseUrl, WEBHOOK_URL: webhookUrl, CONTROL_URL: controlUrl } = addresses;
  const issuer = getIssuer(baseUrl);
  const resources = listResources({ baseUrl, webhookUrl, controlUrl });
  const own: StoreTools = { rows: createSqlRows(sql, getNowMs), now: getNowMs, random: generateRandomHex };
  const notices = createNotices(own);
  const tools: StoreTools = { ...own, rows: watchRootRows(own.rows, notices) };
  const root = createRoot({ tools: own, notices, adopt: (shard, grant) => getShard(shard).adoptGrant(grant) });
  const lent = createLentClients();
  const grantable = createGrantable(tools);
  const onRefusal = (refusal: object) => console.log(JSON.stringify({ event: 'oauth_refused', ...refusal }));
  const provider = createProvider({ issuer, resources, tools, lent, grantable, onRefusal });
  const machineSettings = buildMachineSettings(options, issuer, resources);
  const machine = createMachineGrants(tools, machineSettings);
  const protocol = createOAuthProtocol({ tools, provider, machine, issuer });
  const accounts = createAccounts(tools);
  const operators = createOperatorAccounts({
    tools,
    accounts,
    revokeAll: createClientAccess(provider).revokeAll,
    log: (line) => console.log(JSON.stringify(line)),
  });
  const desk = { tools, machine, provider, registered: protocol.clients, operators };
  return {
    tools,
    sealingKeys: createSealingKeyring(own),
    protocol,
    operator: createOperatorCommands(desk),
    consoleOperator: createOperatorCommands(desk, 'console'),
    operators,
    people: createPeopleStore({
      tools,
      accounts,
      provider,
      clients: protocol.clients,
      lent,
      issuer,
      grantable,
      place: (granted) => root.place(granted),
    }),
    notices,
    root,
    shard: createShard({ tools: own, issuer, resources, machine: machineSettings, onRefusal }),
  };
}

function buildMachineSettings(
  { addresses: { CONTROL_URL }, otherAudiences }: PartsOptions,
  issuer: string,
  resources: readonly string[],
): MachineSettings {
  const control = CONTROL_URL ? normaliseResource(CONTROL_URL) : undefined;
  return { issuer, tokenEndpoint: `${issuer}${PATHS.token}`, resources, control, otherAudiences };
}
