import { type handleBidiStreamingCall, type ServerDuplexStream, status as codes } from '@grpc/grpc-js';
import { once } from 'node:events';
import { isObject, type JsonObject, parseJson } from '../../src/lib/json.ts';
import { writeMessage } from './messages.ts';
import type { GrpcMethod } from './protos.ts';
import { createFailure, toFailure } from './statuses.ts';
import { CallFailed, describeFailure, type GrpcWorld, requireRestCall, trackCall } from './unary.ts';
import { openCall, readAnswer, readTexts, UpstreamFailed } from './upstream.ts';

type Stream = ServerDuplexStream<Uint8Array, Uint8Array>;

/** Characters of one element of the answer: ours end at 256 KiB and one entry more. */
const MAX_ELEMENT_CHARS = 8 * 1024 * 1024;

/**
 * Answers one request with a stream of messages: the elements of the JSON array that REST answers, each as it comes. The
 * REST call ends with the client, its deadline or the front. A client that half-closes before the array is open has only said
 * that it has no other request; one that does so later has enough, and the stream ends well.
 */
export const createStreamHandler =
  (method: GrpcMethod, world: GrpcWorld): handleBidiStreamingCall<Uint8Array, Uint8Array> =>
  (call) => {
    const { signal, done } = trackCall(call, world);
    const state: StreamState = { hasRequest: false, isOpen: false, enough: new AbortController() };
    const end = (error: unknown): void => {
      if (error === undefined) call.end();
      else call.emit('error', describeFailure(error, method, world));
    };
    call.on('data', (bytes: Uint8Array) => {
      if (state.hasRequest) {
        state.enough.abort(new CallFailed(createFailure(codes.INVALID_ARGUMENT, 'A stream has one request')));
        return;
      }
      state.hasRequest = true;
      forwardElements(bytes, { call, method, state, signal }, world)
        .then(
          () => end(undefined),
          (error: unknown) => end(readReason(error, state)),
        )
        .finally(done)
        .catch((error: unknown) => world.failed(method.path, error));
    });
    call.on('end', () => {
      if (state.isOpen) state.enough.abort();
      if (state.hasRequest) return;
      done();
      end(new CallFailed(createFailure(codes.INVALID_ARGUMENT, 'The stream ended without a request')));
    });
  };

type StreamState = {
  hasRequest: boolean;
  /** The array of the REST answer is open. */
  isOpen: boolean;
  /** Ends the stream: without a reason of ours the client has enough. */
  enough: AbortController;
};

/** Why a stream ends; undefined where it ends well. */
function readReason(error: unknown, { enough }: StreamState): unknown {
  if (!enough.signal.aborted) return error;
  const reason: unknown = enough.signal.reason;
  return reason instanceof CallFailed ? reason : undefined;
}

type Passing = { call: Stream; method: GrpcMethod; state: StreamState; signal: AbortSignal };

async function forwardElements(
  bytes: Uint8Array,
  { call, method, state, signal }: Passing,
  world: GrpcWorld,
): Promise<void> {
  const ended = AbortSignal.any([signal, state.enough.signal]);
  const response = await openCall(requireRestCall(bytes, method, world), call.metadata, world.upstream, ended);
  if (!response.ok || response.body === null) {
    const body = await readAnswer(response, ended);
    throw new CallFailed(toFailure(response.status, body, response.headers.get('retry-after'), world.registry));
  }
  state.isOpen = true;
  const { split, isEnded } = createElementSplitter();
  for await (const text of readTexts(response.body, ended)) {
    for (const element of split(text)) {
      const message = writeMessage(requireElement(element, world), method.output, world.registry);
      // What the client does not take waits there, and is counted there.
      if (!call.write(message)) await once(call, 'drain', { signal: ended });
    }
  }
  if (!isEnded()) throw new UpstreamFailed('The answer ends before its array does');
}

/** An element as a message. @throws CallFailed for an error that the call came to; UpstreamFailed for what is no message */
function requireElement(element: string, { registry }: GrpcWorld): JsonObject {
  const json = parseJson(element);
  if (!isObject(json)) throw new UpstreamFailed('An element of the answer is no message');
  const { error } = json;
  if (!isObject(error)) return json;
  const { code } = error;
  throw new CallFailed(toFailure(typeof code === 'number' ? code : 500, json, null, registry));
}

/** Cuts a JSON array of objects that comes in pieces into its elements, and says whether it has ended. */
type ElementSplitter = {
  /** @throws UpstreamFailed for an element that is too long */
  split: (text: string) => readonly string[];
  isEnded: () => boolean;
};

function createElementSplitter(): ElementSplitter {
  let hasEnd = false;
  let element = '';
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  const step = (char: string): void => {
    if (isEscaped) isEscaped = false;
    else if (isText) {
      if (char === '\\') isEscaped = true;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    else if (char === ']' && depth === 0) hasEnd = true;
  };
  const split = (text: string): readonly string[] => {
    const elements: string[] = [];
    let from = depth === 0 ? -1 : 0;
    for (let at = 0; at < text.length; at += 1) {
      const before = depth;
      step(text.charAt(at));
      if (before === 0 && depth === 1) from = at;
      if (before !== 1 || depth !== 0) continue;
      elements.push(element + text.slice(from, at + 1));
      element = '';
      from = -1;
    }
    if (from !== -1) element += text.slice(from);
    if (element.length > MAX_ELEMENT_CHARS) throw new UpstreamFailed('An element of the answer is too long');
    return elements;
  };
  return { split, isEnded: () => hasEnd };
}
