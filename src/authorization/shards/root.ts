import { callWithTimeout } from '../../lib/concurrency.ts';
import { SECOND_MS } from '../../lib/time.ts';
import { createClientDirectory } from '../clients/clients.ts';
import {
  type EndedAccess,
  findEndedAccess,
  formatGrantRowKey,
  GRANT_ROWS,
  parseNamedGrant,
} from '../oauth/kv-facade.ts';
import type { Rows, StoreTools } from '../oauth/rows.ts';
import { createTokenKeyring, type SealingKey } from '../oauth/sealing-keys.ts';
import { readTokenForm, type TokenRequest } from '../oauth/store-protocol.ts';
import { ACCESS_TOKEN_S, REFRESH_TOKEN_S } from '../oauth/tokens.ts';
import { createOperatorAccess } from '../operators/named-operators.ts';
import { createCreditCaps, type MadeGrant, type PlacedGrant } from '../people/client-access.ts';
import { MACHINE_CLIENT_ROWS } from '../service-accounts/clients.ts';
import { SERVICE_KEY_ROWS, SERVICE_ROWS } from '../service-accounts/services.ts';
import { readFacts, type RootFacts } from './facts.ts';
import type { Notices } from './notices.ts';
import { chooseShard } from './sealed-token.ts';
import type { AdoptedGrant } from './shard.ts';

/** The keys that seal tokens, and until when an access token without a seal can be good, in Unix milliseconds. */
export type TokenKeys = { keys: readonly SealingKey[]; oldUntilMs: number };

/** What the root says to the Worker for the shards. */
export type RootObject = {
  /** A Worker asks once and remembers the answer for a while. */
  tokenKeys: () => Promise<TokenKeys>;
  /** What the root knows of the parties of a token request that a shard will answer; null where it has ended the grant. */
  readFacts: (request: TokenRequest) => Promise<RootFacts | null>;
  /** A shard has ended a grant, or has said so before. Says which client has lost its last grant of the account. */
  forgetGrant: (accountId: string, grantId: string, shard: number) => Promise<EndedAccess | undefined>;
  /**
   * Whether the account of a grant is still an operator's. Asked for each token of an operator, of whom there are few, so
   * that the end of an operator's access waits for no shard.
   */
  confirmOperator: (accountId: string, grantId: string) => Promise<boolean>;
  /** A registered client got tokens: it lives on. */
  renewClient: (clientId: string) => Promise<void>;
  /** A machine client, or a key of a service account, got a token: see `last-uses.ts`. */
  noteMachineUse: (credential: string) => Promise<void>;
};

type LibraryRow = { value: string; metadata?: unknown };
/** A grant as the root keeps it: for lists and for its end. Code, tokens and what they open are in the shard. */
type GrantPointer = { clientId: string; shard: number };

const SECRETS = ['encryptedProps', 'authCodeId', 'authCodeWrappedKey', 'codeChallenge', 'codeChallengeMethod'] as const;
/** A pointer outlives its grant by this much. */
const POINTER_SLACK_MS = 15 * 60_000;
/** Every call of the root waits meanwhile. */
const ADOPT_MS = 2 * SECOND_MS;
const CAP_NUMBER = 'own:cap-number:';
/** A consent is kept or taken back long before. */
const CAP_NUMBER_MS = 600_000;
const OLD_UNTIL = 'own:old-tokens-until';
/** While an upgrade spreads, a Worker of before may still hand out such a token. */
const OLD_SLACK_MS = 15 * 60_000;

const formatCapNumberKey = ({ accountId, clientId }: MadeGrant): string => `${CAP_NUMBER}${accountId}:${clientId}`;

const readPointer = (row: LibraryRow | undefined): GrantPointer | undefined => {
  const grant = row && (JSON.parse(row.value) as Partial<GrantPointer>); // Written below, or by the provider library.
  return grant?.shard === undefined ? undefined : (grant as GrantPointer);
};

/**
 * The rows of the root, watched: what deletes a grant that a shard holds, or the row of a party whose tokens shards
 * hold, leaves a notice for those shards with it.
 */
export function watchRootRows(rows: Rows, notices: Pick<Notices, 'put' | 'putForAll'>): Rows {
  const endGrant = (key: string): void => {
    const pointer = readPointer(rows.get<LibraryRow>(key));
    const [accountId = '', grantId = ''] = key.slice(GRANT_ROWS.length).split(':');
    if (pointer !== undefined) notices.put(pointer.shard, { is: 'grant_ended', accountId, grantId });
  };
  const endHolder = (key: string): void => {
    const prefix = [MACHINE_CLIENT_ROWS, SERVICE_ROWS, SERVICE_KEY_ROWS].find((one) => key.startsWith(one));
    if (prefix !== undefined && rows.get(key) !== undefined)
      notices.putForAll({ is: 'holder_ended', id: key.slice(prefix.length) });
  };
  return {
    ...rows,
    delete: (key) => {
      if (key.startsWith(GRANT_ROWS)) endGrant(key);
      endHolder(key);
      rows.delete(key);
    },
  };
}

type RootParts = {
  /** Over the rows as they are, unwatched. */
  tools: StoreTools;
  notices: Pick<Notices, 'put' | 'takeNumber'>;
  adopt: (shard: number, grant: AdoptedGrant) => Promise<void>;
};

/** Gives new grants to shards. */
function createPlacing({ tools, notices, adopt }: RootParts) {
  const { rows, now } = tools;
  const caps = createCreditCaps(tools);
  const sendCap = (
    to: Iterable<number>,
    { accountId, clientId }: MadeGrant,
    capMicroUsdc: number | undefined,
  ): void => {
    for (const shard of to)
      notices.put(shard, { is: 'cap', accountId, clientId, ...(capMicroUsdc === undefined ? {} : { capMicroUsdc }) });
  };

  return {
    /**
     * Hands a grant to a shard, and says to which; undefined when that does not answer, and then there is no grant, and
     * what was said of credits holds nowhere. Otherwise that reaches the other shards; the root's own row is the caller's.
     */
    place: async (made: MadeGrant): Promise<PlacedGrant | undefined> => {
      const { accountId, clientId, grantId } = made;
      const key = formatGrantRowKey(accountId, grantId);
      const [row] = rows.list<LibraryRow>(key, 1);
      if (row === undefined) throw new Error('a code without a grant');
      const shard = chooseShard(tools.random(4));
      rows.put(
        key,
        buildPointer(row.value, shard),
        row.expiresAtMs === null ? undefined : row.expiresAtMs + POINTER_SLACK_MS,
      );
      const capBefore = caps.get(accountId, clientId);
      const { capMicroUsdc = capBefore } = made;
      const number = notices.takeNumber();
      const cap = capMicroUsdc === undefined ? {} : { cap: { clientId, capMicroUsdc, number } };
      const adopted = await callWithTimeout(() => adopt(shard, { row, accountId, ...cap }), ADOPT_MS);
      if (!adopted.ok) {
        rows.delete(key);
        notices.put(shard, { is: 'grant_ended', accountId, grantId }); // It may have heard all the same.
        if (capMicroUsdc !== undefined) sendCap([shard], made, capBefore);
        return undefined;
      }
      const others = listShards(rows, accountId, clientId).filter((other) => other !== shard);
      if (capMicroUsdc !== undefined) sendCap(others, made, capMicroUsdc);
      if (made.capMicroUsdc !== undefined) rows.put(formatCapNumberKey(made), number, now() + CAP_NUMBER_MS);
      return { ...made, shard, number, ...(capBefore === undefined ? {} : { capBefore }) };
    },
    /** Ends a grant that not every shard heard of in time. The limit of before holds again, unless another was said since. */
    takeBack: ({ shard, capBefore, number, ...made }: PlacedGrant): void => {
      const { accountId, clientId, grantId, capMicroUsdc } = made;
      const others = listShards(rows, accountId, clientId);
      rows.delete(formatGrantRowKey(accountId, grantId));
      notices.put(shard, { is: 'grant_ended', accountId, grantId });
      if (capMicroUsdc === undefined || rows.get(formatCapNumberKey(made)) !== number) return;
      caps.set(accountId, clientId, capBefore);
      sendCap(others, made, capBefore);
    },
  };
}

/** What the root does for the shards. */
export function createRoot({ tools, notices, adopt }: RootParts) {
  const { rows, now } = tools;
  const operators = createOperatorAccess(tools);
  const clients = createClientDirectory(tools);
  const keyring = createTokenKeyring(tools);

  /** Before its code is redeemed a pointer lives as long as the code; from then on as long as the grant can. */
  const prolong = (key: string): void => {
    const row = rows.get<LibraryRow>(key);
    if (readPointer(row) !== undefined) rows.put(key, row, now() + REFRESH_TOKEN_S * 1000 + POINTER_SLACK_MS);
  };

  return {
    ...createPlacing({ tools, notices, adopt }),
    readFacts: async (request: TokenRequest): Promise<RootFacts | null> => {
      const read = readTokenForm(request);
      if (!read.ok) return [];
      if (isOfEndedGrant(rows, read.form)) return null; // Its shard may not have heard of it yet.
      const facts = await readFacts(rows, read.form, request.authorization);
      if (read.form.get('grant_type') === 'authorization_code') prolong(parseNamedGrant(read.form).key);
      return facts;
    },
    forgetGrant: (accountId: string, grantId: string, shard: number): EndedAccess | undefined => {
      const key = formatGrantRowKey(accountId, grantId);
      const pointer = readPointer(rows.get<LibraryRow>(key));
      if (pointer?.shard !== shard) return undefined; // A shard has a say in its own grants only.
      rows.delete(key);
      return findEndedAccess(rows, accountId, pointer.clientId);
    },
    /** The grant is there, and its account still an operator's. */
    confirmOperator: (accountId: string, grantId: string): boolean =>
      operators.epochOf(accountId) !== undefined && rows.get(formatGrantRowKey(accountId, grantId)) !== undefined,
    renewClient: clients.renewUsed,
    tokenKeys: (): TokenKeys => ({ keys: keyring(), oldUntilMs: findOldEnd(tools) }),
  };
}

const CODE_GRANTS: readonly (string | null)[] = ['authorization_code', 'refresh_token'];

/** Whether a code or refresh token is of a grant that is none any more. */
const isOfEndedGrant = (rows: Rows, form: URLSearchParams): boolean =>
  CODE_GRANTS.includes(form.get('grant_type')) && rows.get(parseNamedGrant(form).key) === undefined;

/**
 * Until when access tokens without a seal can be good. No Worker of this version hands them out: it seals what the root
 * makes, too. So that is their life after the first answer with keys; the answer is kept, so that it comes once.
 */
function findOldEnd({ rows, now }: StoreTools): number {
  const known = rows.get<number>(OLD_UNTIL);
  if (known !== undefined) return known;
  const untilMs = now() + ACCESS_TOKEN_S * 1000 + OLD_SLACK_MS;
  rows.put(OLD_UNTIL, untilMs);
  return untilMs;
}

function buildPointer(row: LibraryRow, shard: number): LibraryRow {
  const grant = JSON.parse(row.value) as Record<string, unknown>; // Written by the provider library.
  for (const name of SECRETS) delete grant[name];
  return { ...row, value: JSON.stringify({ ...grant, shard }) };
}

/** Grants of one account that are looked at. */
const MAX_GRANTS_SEARCHED = 1_000;

/** The shards that hold grants of a client to an account. */
function listShards(rows: Rows, accountId: string, clientId: string): readonly number[] {
  const pointers = rows
    .list<LibraryRow>(formatGrantRowKey(accountId, ''), MAX_GRANTS_SEARCHED)
    .flatMap(({ value }) => readPointer(value) ?? []);
  return [...new Set(pointers.filter((pointer) => pointer.clientId === clientId).map(({ shard }) => shard))];
}

export type Root = ReturnType<typeof createRoot>;
