import { type handleUnaryCall, status as codes } from '@grpc/grpc-js';
import { isObject } from '../../src/lib/json.ts';
import type { FileRegistry } from '@bufbuild/protobuf';
import { toRestCall } from './bindings.ts';
import { readMessage, writeMessage } from './messages.ts';
import type { GrpcMethod } from './protos.ts';
import { createFailure, type GrpcFailure, toFailure } from './statuses.ts';
import { limitCall, openCall, readAnswer, type Upstream, UpstreamFailed } from './upstream.ts';

/** What every call of a front has. */
export type GrpcWorld = {
  registry: FileRegistry;
  upstream: Upstream;
  /** Hears of a call that ended by a bug. */
  failed: (method: string, error: unknown) => void;
  /** What runs, so that it can be ended with the front. */
  running: Set<AbortController>;
};

/** Ends a call with a failure. */
export class CallFailed extends Error {
  readonly failure: GrpcFailure;

  constructor(failure: GrpcFailure) {
    super(failure.details);
    this.failure = failure;
  }
}

/** Answers one message with one: by a REST call, which ends with its client, its deadline or the front. */
export const createUnaryHandler =
  (method: GrpcMethod, world: GrpcWorld): handleUnaryCall<Uint8Array, Uint8Array> =>
  (call, answered) => {
    const { request, metadata } = call;
    const { signal, done } = trackCall(call, world);
    const run = async (): Promise<Uint8Array> => {
      const limited = limitCall(signal);
      const response = await openCall(requireRestCall(request, method, world), metadata, world.upstream, limited);
      const body = await readAnswer(response, limited);
      if (!response.ok)
        throw new CallFailed(toFailure(response.status, body, response.headers.get('retry-after'), world.registry));
      return writeMessage(isObject(body) ? body : {}, method.output, world.registry);
    };
    run()
      .then(
        (bytes) => answered(null, bytes),
        (error: unknown) => answered(describeFailure(error, method, world)),
      )
      .finally(done)
      .catch((error: unknown) => world.failed(method.path, error));
  };

/** A signal that aborts when the client has left, its deadline has passed or the front closes. `done` when the call is over. */
export function trackCall(
  call: { on: (event: 'cancelled', listener: () => void) => unknown; cancelled: boolean },
  { running }: Pick<GrpcWorld, 'running'>,
): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  running.add(controller);
  if (call.cancelled) controller.abort();
  call.on('cancelled', () => controller.abort());
  return { signal: controller.signal, done: () => void running.delete(controller) };
}

/** The REST call of a request. @throws CallFailed for bytes that are no such message, and for names that no path takes */
export function requireRestCall(bytes: Uint8Array, method: GrpcMethod, { registry }: GrpcWorld) {
  const read = readMessage(bytes, method.input, registry);
  if (!read.ok) throw new CallFailed(createFailure(codes.INVALID_ARGUMENT, `${method.input.name}: ${read.reason}`));
  const rest = toRestCall(read.message, method.bindings);
  if (rest !== undefined) return rest;
  const forms = method.bindings.map(({ parts }) =>
    parts.flatMap((part) => (typeof part === 'string' ? [] : [`${part.field.join('.')}=${part.pattern}`])).join(', '),
  );
  throw new CallFailed(
    createFailure(codes.INVALID_ARGUMENT, `${method.input.name} must name one of: ${[...new Set(forms)].join('; ')}`),
  );
}

/** How an error ends a call. A bug is reported, and says nothing of itself to the client. */
export function describeFailure(error: unknown, method: GrpcMethod, { failed }: GrpcWorld): GrpcFailure {
  if (error instanceof CallFailed) return error.failure;
  if (error instanceof UpstreamFailed) return createFailure(codes.UNAVAILABLE, error.message);
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return createFailure(codes.DEADLINE_EXCEEDED, 'The call took too long');
  if (error instanceof DOMException && error.name === 'AbortError')
    return createFailure(codes.CANCELLED, 'The call was ended');
  failed(method.path, error);
  return createFailure(codes.INTERNAL, 'Internal error encountered.');
}
