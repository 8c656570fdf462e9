import type { DescMessage, FileRegistry } from '@bufbuild/protobuf';
import { loadSync, type MethodDefinition, type PackageDefinition } from '@grpc/proto-loader';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import * as z from 'zod';
import { match } from '../../src/management/core/table/router.ts';
import { type HttpBinding, listBindings, renderSample } from './bindings.ts';
import { createRegistry } from './descriptors.ts';
import { GRPC_ANY_FILES, GRPC_SERVICES, type GrpcService, type HttpRule } from './services-data.ts';

/** A method of a service whose HTTP path has a row. */
export type GrpcMethod = {
  /** `/google.logging.v2.LoggingServiceV2/ListLogEntries`. */
  path: string;
  name: string;
  input: DescMessage;
  output: DescMessage;
  /** Both sides stream. */
  isStream: boolean;
  bindings: readonly HttpBinding[];
};

export type Protos = {
  registry: FileRegistry;
  services: readonly { name: string; methods: readonly GrpcMethod[] }[];
};

const protosFolder = dirname(createRequire(import.meta.url).resolve('google-proto-files/package.json'));

let known: Protos | undefined;

/** The vendor's protos, read from disk by the first front of a process: a fifth of a second. */
export const loadProtos = (): Protos => (known ??= readProtos());

function readProtos(): Protos {
  const files = [...GRPC_SERVICES.map(({ file }) => file), ...GRPC_ANY_FILES];
  const definitions = loadSync(files, { includeDirs: [protosFolder], keepCase: true });
  const registry = createRegistry(listDescriptors(definitions));
  return {
    registry,
    services: GRPC_SERVICES.map((service) => ({
      name: service.name,
      methods: listMethods(definitions, service).flatMap(([name, definition]) =>
        readMethod(name, definition, service, registry),
      ),
    })),
  };
}

/** Every definition has the descriptors of all files. */
function listDescriptors(loaded: PackageDefinition): readonly Uint8Array[] {
  for (const definition of Object.values(loaded))
    if ('fileDescriptorProtos' in definition && Array.isArray(definition.fileDescriptorProtos))
      return definition.fileDescriptorProtos;
  throw new Error('The protos have no message');
}

function listMethods(
  loaded: PackageDefinition,
  { name }: GrpcService,
): readonly [string, MethodDefinition<object, object>][] {
  const service = loaded[name];
  if (service === undefined || 'format' in service) throw new Error(`The protos have no service ${name}`);
  return Object.entries(service);
}

const httpRule: z.ZodType<HttpRule> = z.object({
  get: z.string().optional(),
  put: z.string().optional(),
  post: z.string().optional(),
  delete: z.string().optional(),
  patch: z.string().optional(),
  body: z.string().optional(),
  get additional_bindings() {
    return z.union([z.array(httpRule), httpRule]).optional();
  },
});

const annotated = z.object({ '(google.api.http)': httpRule.optional() });

function readMethod(
  name: string,
  { path, requestType, responseType, requestStream, responseStream, options }: MethodDefinition<object, object>,
  service: GrpcService,
  registry: FileRegistry,
): readonly GrpcMethod[] {
  const rule = service.bindings === undefined ? annotated.parse(options)['(google.api.http)'] : service.bindings[name];
  const bindings = rule === undefined ? [] : listBindings(rule);
  if (!bindings.some((binding) => hasRow(binding)) || requestStream !== responseStream) return [];
  return [
    {
      path,
      name,
      input: findMessage(registry, requestType, service),
      output: findMessage(registry, responseType, service),
      isStream: requestStream,
      bindings,
    },
  ];
}

function hasRow(binding: HttpBinding): boolean {
  const found = match(binding.method, renderSample(binding));
  return found !== undefined && 'row' in found;
}

/** The message of a definition, which has its bare name: one of the service's own package, or one that services share. */
function findMessage(registry: FileRegistry, { type }: { type: object }, service: GrpcService): DescMessage {
  const { name } = z.object({ name: z.string() }).parse(type);
  const scope = service.name.slice(0, service.name.lastIndexOf('.'));
  for (const home of [scope, 'google.longrunning', 'google.protobuf']) {
    const found = registry.getMessage(`${home}.${name}`);
    if (found !== undefined) return found;
  }
  throw new Error(`The protos have no message ${name}`);
}
