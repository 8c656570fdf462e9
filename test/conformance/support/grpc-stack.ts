import {
  type CallCredentials,
  ChannelCredentials,
  type Client,
  credentials,
  makeClientConstructor,
  Metadata,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { google } from 'googleapis';
import { type GrpcFront, startGrpcFront } from '../../../local/grpc/front.ts';
import { joinControlStack } from './control-stack.ts';

/** A token beside a channel in plain text, which grpc-js itself refuses to put together. */
class PlainWithToken extends ChannelCredentials {
  readonly #token: CallCredentials;

  constructor(token: string) {
    super();
    this.#token = credentials.createFromMetadataGenerator((_options, done) => {
      const metadata = new Metadata();
      metadata.set('authorization', `Bearer ${token}`);
      done(null, metadata);
    });
  }

  override _isSecure(): boolean {
    return false;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(...[target, options]: Parameters<ChannelCredentials['_createSecureConnector']>) {
    return credentials.createInsecure()._createSecureConnector(target, options, this.#token);
  }
}

/** Options of the official clients: their own transport, gRPC. */
export type GrpcClientOptions = {
  apiEndpoint: string;
  port: number;
  sslCreds: ChannelCredentials;
  authClient: unknown;
};

export type GrpcStack = {
  stack: Awaited<ReturnType<typeof joinControlStack>>;
  front: GrpcFront;
  /** With the token of the stack's account, or another one. */
  options: (token?: string) => GrpcClientOptions;
  /** Without any token. */
  anonymous: () => GrpcClientOptions;
  stop: () => Promise<void>;
};

/** A tenant of its own on the shared control stack, behind a gRPC front of its own. */
export async function joinGrpcStack(): Promise<GrpcStack> {
  process.env['METADATA_SERVER_DETECTION'] = 'none'; // Else the clients look for the vendor's machines first.
  const stack = await joinControlStack();
  const front = await startGrpcFront({ port: 0, control: stack.world.url });
  const optionsWith = (sslCreds: ChannelCredentials): GrpcClientOptions => {
    const authClient = new google.auth.OAuth2();
    authClient.setCredentials({ access_token: 'not-sent' });
    return { apiEndpoint: '127.0.0.1', port: front.port, sslCreds, authClient };
  };
  return {
    stack,
    front,
    options: (token = stack.world.token) => optionsWith(new PlainWithToken(token)),
    anonymous: () => optionsWith(credentials.createInsecure()),
    stop: async () => {
      await front.close();
      await stack.stop();
    },
  };
}

const protosFolder = dirname(createRequire(import.meta.url).resolve('google-proto-files/package.json'));
const OPTIONS = { includeDirs: [protosFolder], longs: String, enums: String, defaults: false };

function findDefinition(file: string, name: string) {
  const found = loadSync(file, OPTIONS)[name];
  if (found === undefined) throw new Error(`${file} has no ${name}`);
  return found;
}

/** A message of the vendor's protos. */
export function readProtoMessage(file: string, name: string) {
  const found = findDefinition(file, name);
  if (!('serialize' in found) || typeof found.serialize !== 'function') throw new Error(`${name} is no message`);
  return found as { serialize: (value: object) => Buffer; deserialize: (bytes: Buffer) => object };
}

/** One method of a client; the answer, or the error of gRPC. */
export type GrpcCall = (request: object) => Promise<Record<string, unknown>>;

/** A client of grpc-js for a service that has no official one, made of the vendor's proto. */
export function createProtoClient(file: string, name: string, { port, sslCreds }: GrpcClientOptions) {
  const Service = makeClientConstructor(findDefinition(file, name) as ServiceDefinition, name);
  const client: Client = new Service(`127.0.0.1:${port}`, sslCreds);
  const methods = client as unknown as Record<
    string,
    (request: object, done: (error: Error | null, answer: never) => void) => void
  >;
  return {
    call:
      (method: string): GrpcCall =>
      (request) =>
        new Promise((resolve, reject) => {
          methods[method]?.call(client, request, (error, answer) => (error === null ? resolve(answer) : reject(error)));
        }),
    close: () => client.close(),
  };
}
