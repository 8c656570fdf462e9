import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import * as z from 'zod';
import { parseJson } from '../src/lib/json.ts';
import { isProcessAlive } from './processes/process-alive.ts';
import { takeLock } from './processes/folder-lock.ts';
import { LOCAL_FOLDER, writeOwnFile } from './stack-file.ts';

/** Folders of state: one that stays, and one for each stack that is gone with its process. */
export const STATE_PARENT = join(LOCAL_FOLDER, 'state');
const LASTING = 'stack';
const IDENTITY_FILE = 'identity.json';
const CHAIN_FILE = 'chain.json';
const MAX_STACKS_PER_PROCESS = 100;
const SECRET_BYTES = 32;
let started = 0;

const privateKeySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);

/** Keys and secrets of a stack. All of its state is readable with these alone. */
const identitySchema = z.object({
  version: z.literal(1),
  /** Unix seconds: payments from before are of no stack with these keys. */
  sinceS: z.int().min(0),
  /** Owner and minter of the local USDC. */
  minterKey: privateKeySchema,
  buyerKey: privateKeySchema,
  sellerKey: privateKeySchema,
  ledgerSecret: z.string().min(SECRET_BYTES),
  operatorSecret: z.string().min(SECRET_BYTES),
  /** CHANNEL_TOKEN_KEYS of the webhook Worker. */
  channelTokenKeys: z.string(),
});
export type StackIdentity = z.infer<typeof identitySchema>;

/** Where a stack has its state, and who it is. */
export type StackState = {
  /** Of Durable Objects, R2 and queues. */
  folder: string;
  identity: StackIdentity;
  /** The chain as it was last saved; undefined for state that goes with the stack. */
  chainFile: string | undefined;
  /** What another stack holds, which is why this one's state does not stay: the id of its process. */
  holder?: number;
  /** Lets go of state that stays, and removes any other. */
  release: () => void;
};

/** Where mails of the Workers are found: a text and a page for each. Nothing is sent anywhere. */
export const findMailFolder = (state: string): string => join(state, 'mails');

/** A file of state of another form than this version writes. The message says what to do next. */
export class StateUnreadable extends Error {
  override name = 'StateUnreadable';

  constructor(file: string, options?: ErrorOptions) {
    super(
      `The state of the last start, in ${dirname(file)}, has another form than this version reads. \`npm start -- --fresh\` deletes it and begins with new state.`,
      options,
    );
  }
}

export function createStackIdentity(nowMs: number): StackIdentity {
  const makeSecret = () => randomBytes(SECRET_BYTES).toString('base64url');
  return {
    version: 1,
    sinceS: Math.floor(nowMs / 1000),
    minterKey: generatePrivateKey(),
    buyerKey: generatePrivateKey(),
    sellerKey: generatePrivateKey(),
    ledgerSecret: makeSecret(),
    operatorSecret: makeSecret(),
    channelTokenKeys: `1:${makeSecret()}`,
  };
}

/**
 * State that goes with its stack, in a folder of its own. What killed stacks left behind is removed: its keys are gone
 * with them.
 */
export function createPassingState(parent = STATE_PARENT): StackState {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    const [pid = ''] = /^\d+(?=-)/.exec(name) ?? [];
    if (pid !== '' && !isProcessAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  started += 1;
  if (started > MAX_STACKS_PER_PROCESS)
    throw new Error(`one process started more than ${MAX_STACKS_PER_PROCESS} stacks`);
  const folder = join(parent, `${process.pid}-${started}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const release = (): void => rmSync(folder, { recursive: true, force: true });
  return { folder, identity: createStackIdentity(Date.now()), chainFile: undefined, release };
}

/**
 * The state that stays from one start to the next; new where there is none, or where `fresh` asks for that. While another
 * stack has it, state that goes with this one.
 * @throws StateUnreadable
 */
export function openLastingState({ fresh, parent = STATE_PARENT }: { fresh: boolean; parent?: string }): StackState {
  const folder = join(parent, LASTING);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = takeLock(folder);
  if ('holder' in lock) return { ...createPassingState(parent), holder: lock.holder };
  try {
    const workers = join(folder, 'workers');
    const chainFile = join(folder, CHAIN_FILE);
    const identityFile = join(folder, IDENTITY_FILE);
    // Without its keys or its chain the rest is of no use.
    if (fresh || !existsSync(identityFile) || !existsSync(chainFile)) {
      for (const path of [workers, chainFile, identityFile]) rmSync(path, { recursive: true, force: true });
      writeOwnFile(createStackIdentity(Date.now()), identityFile);
    }
    mkdirSync(workers, { recursive: true, mode: 0o700 });
    return { folder: workers, identity: readIdentity(identityFile), chainFile, release: lock.release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function readIdentity(file: string): StackIdentity {
  const identity = identitySchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (identity.success) return identity.data;
  throw new StateUnreadable(file);
}
