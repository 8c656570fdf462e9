import * as z from 'zod';
import { isObject } from '../lib/json.ts';
import { buildFault, type RpcFault } from './rpc.ts';
import type { A2aVersion } from './versions.ts';

/** Parts of one message that are read; a message with more is refused. */
export const MAX_MESSAGE_PARTS = 16;
/** Extensions that a message or a header may name. */
const MAX_EXTENSIONS = 32;
const MAX_NAME_CHARS = 256;
/** 128 random bits as 32 hex digits: who has the id of a task may read it. */
const TASK_ID = /^[0-9a-f]{32}$/;

/** What of a part we read; `other` is a file or an address, which no skill takes. */
export type MessagePart = { kind: 'text'; text: string } | { kind: 'data'; data: unknown } | { kind: 'other' };

/** A message in the form of no version. */
export type IncomingMessage = {
  taskId?: string;
  contextId?: string;
  parts: readonly MessagePart[];
  metadata: Readonly<Record<string, unknown>>;
  /** URIs of extensions that the message says it uses. */
  extensions: readonly string[];
  /** The answer may come before the work has ended. */
  isImmediate: boolean;
};

export type MessageOutcome = { ok: true; message: IncomingMessage } | { ok: false; fault: RpcFault };

const name = z.string().max(MAX_NAME_CHARS);
const context = z.string().regex(/^[\w.:-]{1,128}$/, { error: 'must have 1 to 128 letters, digits or . : _ -' });
/** Clients of protocol buffers write '' for what is absent. */
const acceptEmpty = <T extends z.ZodType>(schema: T) => z.union([z.literal(''), schema]).nullish();
const metadata = z.record(z.string(), z.unknown()).nullish();

const common = {
  messageId: name.min(1),
  contextId: acceptEmpty(context),
  taskId: acceptEmpty(name),
  metadata,
  extensions: z.array(name).max(MAX_EXTENSIONS).nullish(),
};
const modes = z.array(name).max(MAX_EXTENSIONS).nullish();

const currentMessage = z.looseObject({
  ...common,
  role: z.union([z.literal('ROLE_USER'), z.literal(1)]),
  parts: z.array(z.looseObject({})).min(1).max(MAX_MESSAGE_PARTS),
});
const currentParams = z.looseObject({
  message: currentMessage,
  configuration: z
    .looseObject({
      acceptedOutputModes: modes,
      returnImmediately: z.boolean().nullish(),
      taskPushNotificationConfig: z.unknown().optional(),
    })
    .nullish(),
});

const olderMessage = z.looseObject({
  ...common,
  kind: z.literal('message').optional(),
  role: z.literal('user'),
  parts: z
    .array(z.looseObject({ kind: z.enum(['text', 'data', 'file']) }))
    .min(1)
    .max(MAX_MESSAGE_PARTS),
});
const olderParams = z.looseObject({
  message: olderMessage,
  configuration: z
    .looseObject({
      acceptedOutputModes: modes,
      blocking: z.boolean().nullish(),
      pushNotificationConfig: z.unknown().optional(),
    })
    .nullish(),
});

/** Media types that we answer with, and what clients write for any. */
const OUTPUT_MODES: ReadonlySet<string> = new Set(['application/json', 'text/plain', 'application/*', 'text/*', '*/*']);
/** Names of before media types. */
const OLD_MODES: ReadonlySet<string> = new Set(['text', 'data', 'text/markdown']);

/** The message of `SendMessage` or `message/send`. */
export const readA2aMessage = (version: A2aVersion, params: unknown): MessageOutcome =>
  version === '1.0' ? readCurrent(params) : readOlder(params);

function readCurrent(params: unknown): MessageOutcome {
  const parsed = currentParams.safeParse(params);
  if (!parsed.success) return refuseParams(parsed.error);
  const { message, configuration } = parsed.data;
  if (isNamed(configuration?.taskPushNotificationConfig)) return { ok: false, fault: buildFault('push_not_supported') };
  const parts = message.parts.map(readCurrentPart);
  return finishMessage(
    { message, parts, isImmediate: configuration?.returnImmediately === true },
    configuration?.acceptedOutputModes,
  );
}

/** A client that has nothing to register may send an empty object. */
const isNamed = (config: unknown): boolean =>
  config !== undefined && config !== null && !(isObject(config) && Object.keys(config).length === 0);

function readCurrentPart(part: Readonly<Record<string, unknown>>): MessagePart {
  if (typeof part['text'] === 'string') return { kind: 'text', text: part['text'] };
  return part['data'] === undefined ? { kind: 'other' } : { kind: 'data', data: part['data'] };
}

function readOlder(params: unknown): MessageOutcome {
  const parsed = olderParams.safeParse(params);
  if (!parsed.success) return refuseParams(parsed.error);
  const { message, configuration } = parsed.data;
  if (isNamed(configuration?.pushNotificationConfig)) return { ok: false, fault: buildFault('push_not_supported') };
  const parts = message.parts.map(readOlderPart);
  return finishMessage(
    { message, parts, isImmediate: configuration?.blocking === false },
    configuration?.acceptedOutputModes,
  );
}

function readOlderPart({ kind, text, data }: { kind: string; text?: unknown; data?: unknown }): MessagePart {
  if (kind === 'text' && typeof text === 'string') return { kind, text };
  return kind === 'data' ? { kind, data } : { kind: 'other' };
}

type ReadParts = {
  message: Pick<z.infer<typeof currentMessage>, keyof typeof common>;
  parts: readonly MessagePart[];
  isImmediate: boolean;
};

function finishMessage(
  { message, parts, isImmediate }: ReadParts,
  accepted: readonly string[] | null | undefined,
): MessageOutcome {
  const isRead = (accepted ?? []).some((mode) => OUTPUT_MODES.has(mode) || OLD_MODES.has(mode));
  if (accepted && accepted.length > 0 && !isRead) {
    return {
      ok: false,
      fault: buildFault('content_type_not_supported', 'Answers are application/json and text/plain'),
    };
  }
  const { taskId, contextId, extensions } = message;
  return {
    ok: true,
    message: {
      ...(taskId ? { taskId } : {}),
      ...(contextId ? { contextId } : {}),
      parts,
      metadata: message.metadata ?? {},
      extensions: extensions ?? [],
      isImmediate,
    },
  };
}

function refuseParams({ issues }: z.ZodError): { ok: false; fault: RpcFault } {
  const fields = issues.slice(0, MAX_MESSAGE_PARTS).map(({ path, code, message }) => ({
    field: path.map(String).join('.').slice(0, MAX_NAME_CHARS),
    // zod's own texts quote names that a client chose.
    description: code === 'invalid_format' ? message : 'is missing, too long or of the wrong type',
  }));
  return { ok: false, fault: buildFault('invalid_params', undefined, fields) };
}

const taskParams = z.looseObject({ id: z.string() });

/** The id that a call about a task names; no task of ours has one of another form, so those are not looked up. */
export function readTaskId(params: unknown): { ok: true; id: string } | { ok: false; fault: RpcFault } {
  const parsed = taskParams.safeParse(params);
  if (!parsed.success) return refuseParams(parsed.error);
  return TASK_ID.test(parsed.data.id)
    ? { ok: true, id: parsed.data.id }
    : { ok: false, fault: buildFault('task_not_found') };
}

export const isTaskId = (text: string): boolean => TASK_ID.test(text);
