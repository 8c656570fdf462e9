import { X402_EXTENSION } from './payment-metadata.ts';
import type { TaskState } from './task.ts';
import type { A2aVersion } from './versions.ts';

export type OutgoingPart = { kind: 'text'; text: string } | { kind: 'data'; data: Readonly<Record<string, unknown>> };
type Metadata = Readonly<Record<string, unknown>>;

/** A message of ours, in the form of no version. */
export type OutgoingMessage = {
  id: string;
  contextId: string;
  taskId?: string;
  parts: readonly OutgoingPart[];
  metadata?: Metadata;
};

export type OutgoingArtifact = { id: string; name: string; parts: readonly OutgoingPart[] };

/** A task as its client sees it. */
export type TaskView = {
  id: string;
  contextId: string;
  state: TaskState;
  atMs: number;
  message: OutgoingMessage;
  artifact?: OutgoingArtifact;
};

export type A2aReply = { kind: 'message'; message: OutgoingMessage } | { kind: 'task'; task: TaskView };

/** One event of a stream. `isLast`: clients of 0.3 read it from the event, those of 1.0 from the end of the stream. */
export type A2aEvent =
  | A2aReply
  | { kind: 'status'; task: TaskView; isLast: boolean }
  | { kind: 'artifact'; task: TaskView; artifact: OutgoingArtifact };

/**
 * The events with which a stream ends. One that has begun says what it came to; one that has not says the task, and to
 * clients of 0.3 that nothing follows: they read that from an event.
 */
export function listLastEvents(version: A2aVersion, reply: A2aReply, hasBegun: boolean): readonly A2aEvent[] {
  if (reply.kind === 'message') return [reply];
  const { task } = reply;
  const last: A2aEvent = { kind: 'status', task, isLast: true };
  if (!hasBegun) return version === '1.0' ? [reply] : [reply, last];
  const { artifact } = task;
  return [...(artifact === undefined ? [] : [{ kind: 'artifact' as const, task, artifact }]), last];
}

/** The URI of the extension is named where its metadata is. */
const EXTENSION_PREFIX = 'x402.payment.';

/** The result of `SendMessage` and its like: 1.0 wraps what it is, 0.3 says it in `kind`. */
export const formatReply = (version: A2aVersion, reply: A2aReply): Record<string, unknown> => {
  const inner = reply.kind === 'task' ? formatTask(version, reply.task) : formatMessage(version, reply.message);
  return version === '1.0' ? { [reply.kind]: inner } : inner;
};

export function formatTask(version: A2aVersion, task: TaskView): Record<string, unknown> {
  return {
    ...(version === '1.0' ? {} : { kind: 'task' }),
    id: task.id,
    contextId: task.contextId,
    status: formatStatus(version, task),
    ...(task.artifact === undefined ? {} : { artifacts: [formatArtifact(version, task.artifact)] }),
  };
}

/** The result of one event. */
export function formatA2aEvent(version: A2aVersion, event: A2aEvent): Record<string, unknown> {
  switch (event.kind) {
    case 'message':
    case 'task':
      return formatReply(version, event);
    case 'status': {
      const { task, isLast } = event;
      const update = { taskId: task.id, contextId: task.contextId, status: formatStatus(version, task) };
      return version === '1.0' ? { statusUpdate: update } : { kind: 'status-update', ...update, final: isLast };
    }
    case 'artifact': {
      const { task, artifact } = event;
      const update = {
        taskId: task.id,
        contextId: task.contextId,
        artifact: formatArtifact(version, artifact),
        lastChunk: true,
      };
      return version === '1.0' ? { artifactUpdate: update } : { kind: 'artifact-update', ...update };
    }
  }
}

const formatStatus = (version: A2aVersion, { state, atMs, message }: TaskView): Record<string, unknown> => ({
  state: version === '1.0' ? `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}` : state,
  message: formatMessage(version, message),
  timestamp: new Date(atMs).toISOString(),
});

function formatMessage(version: A2aVersion, message: OutgoingMessage): Record<string, unknown> {
  const { id, contextId, taskId, parts, metadata = {} } = message;
  const isOfExtension = Object.keys(metadata).some((name) => name.startsWith(EXTENSION_PREFIX));
  return {
    ...(version === '1.0' ? {} : { kind: 'message' }),
    messageId: id,
    contextId,
    ...(taskId === undefined ? {} : { taskId }),
    role: version === '1.0' ? 'ROLE_AGENT' : 'agent',
    parts: parts.map((part) => formatPart(version, part)),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(isOfExtension ? { extensions: [X402_EXTENSION] } : {}),
  };
}

const formatArtifact = (version: A2aVersion, { id, name, parts }: OutgoingArtifact): Record<string, unknown> => ({
  artifactId: id,
  name,
  parts: parts.map((part) => formatPart(version, part)),
});

function formatPart(version: A2aVersion, part: OutgoingPart): Record<string, unknown> {
  if (version === '0.3') return { ...part };
  return part.kind === 'text'
    ? { text: part.text, mediaType: 'text/plain' }
    : { data: part.data, mediaType: 'application/json' };
}
