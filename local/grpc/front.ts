import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import { isIP } from 'node:net';
import { LOOPBACK } from '../ports.ts';
import { type GrpcMethod, loadProtos } from './protos.ts';
import { createStreamHandler } from './tail.ts';
import { createUnaryHandler, type GrpcWorld } from './unary.ts';

/** Of one message, as the vendor takes for entries of a call. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** Calls of one connection at a time. */
const MAX_STREAMS = 100;
/** A connection that does not answer a ping in this time is gone, and its calls end. */
const PING_EVERY_MS = 30_000;
const PING_TIMEOUT_MS = 10_000;
/** Calls that run may end by themselves for so long. */
const CLOSE_GRACE_MS = 1_000;

export type GrpcFrontOptions = {
  /** 0 takes a free one. */
  port: number;
  /** Origin of the control Worker. */
  control: string;
  /** An address of this machine alone: 127.0.0.1 when absent. */
  host?: string;
  /** Of one message that comes in: 10 MiB when absent. */
  maxMessageBytes?: number;
  /** `Authorization` of calls that bring none. */
  authorization?: string;
  /** Hears of calls that ended by a bug. */
  log?: (level: string, message: string) => void;
};

export type GrpcFront = { port: number; close: () => Promise<void> };

/** The front is in plain text: it listens on this machine only. */
export class NotLoopback extends Error {
  override name = 'NotLoopback';
}

/**
 * Serves gRPC in plain text on loopback, in front of the control Worker at `control`.
 * @throws NotLoopback; Error when the port cannot be opened
 */
export async function startGrpcFront(options: GrpcFrontOptions): Promise<GrpcFront> {
  const { host = LOOPBACK, port, maxMessageBytes = MAX_MESSAGE_BYTES, log } = options;
  if (!isLoopback(host)) throw new NotLoopback(`The gRPC front listens on loopback only, not on ${host}.`);
  const { registry, services } = loadProtos();
  const world: GrpcWorld = {
    registry,
    upstream: { control: new URL(options.control).origin, authorization: options.authorization },
    failed: (method, error) =>
      log?.('error', `gRPC ${method}: ${error instanceof Error ? error.message : String(error)}`),
    running: new Set(),
  };
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_concurrent_streams': MAX_STREAMS,
    'grpc.keepalive_time_ms': PING_EVERY_MS,
    'grpc.keepalive_timeout_ms': PING_TIMEOUT_MS,
  });
  for (const { methods } of services) server.addService(...buildService(methods, world));
  const bound = await listenOn(server, isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`);
  return { port: bound, close: () => closeServer(server, world) };
}

/** Messages stay bytes: what they say is read where the failure can say what is wrong. */
function buildService(methods: readonly GrpcMethod[], world: GrpcWorld): Parameters<Server['addService']> {
  const same = (bytes: Buffer): Buffer => bytes;
  const definition: ServiceDefinition = Object.fromEntries(
    methods.map(({ name, path, isStream }) => [
      name,
      {
        path,
        requestStream: isStream,
        responseStream: isStream,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
        responseDeserialize: same,
      },
    ]),
  );
  const handlers = methods.map((method) => [
    method.name,
    method.isStream ? createStreamHandler(method, world) : createUnaryHandler(method, world),
  ]);
  return [definition, Object.fromEntries(handlers)];
}

const listenOn = (server: Server, address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });

/** Lets calls end for a moment, then ends them and what they ask. */
async function closeServer(server: Server, { running }: GrpcWorld): Promise<void> {
  const isShut = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  const timer = setTimeout(() => {
    for (const controller of running) controller.abort();
    server.forceShutdown();
  }, CLOSE_GRACE_MS);
  await isShut;
  clearTimeout(timer);
}

/** `localhost` is an address of this machine by RFC 6761. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
