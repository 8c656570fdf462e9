import { create, createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

/**
 * A registry of the descriptors that proto-loader gives out. They are as they were parsed: type names are relative, files
 * name no imports and are in no order, and extensions stand among the fields.
 */
export function createRegistry(encoded: readonly Uint8Array[]): FileRegistry {
  const files = encoded.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
  const homes = new Map(files.flatMap((file) => listTypes(file).map((type) => [type, file] as const)));
  for (const file of files) {
    file.extension = [];
    file.service = []; // Their methods are read from the definition of the package.
    const imports = new Set<string>();
    for (const message of file.messageType) resolveMessage(message, file.package, { file, homes, imports });
    file.dependency = [...imports];
  }
  return createFileRegistry(create(FileDescriptorSetSchema, { file: sortByImports(files) }));
}

/** Full names of the messages and enums of a file. */
function listTypes({ package: scope, messageType, enumType }: FileDescriptorProto): readonly string[] {
  const within = (message: DescriptorProto, outer: string): string[] => {
    const name = `${outer}.${message.name}`;
    const enums = message.enumType.map((each) => `${name}.${each.name}`);
    return [name, ...enums, ...message.nestedType.flatMap((nested) => within(nested, name))];
  };
  return [...messageType.flatMap((each) => within(each, scope)), ...enumType.map(({ name }) => `${scope}.${name}`)];
}

type Resolving = { file: FileDescriptorProto; homes: ReadonlyMap<string, FileDescriptorProto>; imports: Set<string> };

function resolveMessage(message: DescriptorProto, outer: string, resolving: Resolving): void {
  const { file, homes, imports } = resolving;
  const scope = `${outer}.${message.name}`;
  message.extension = [];
  message.field = message.field.filter(({ name }) => !name.startsWith('.'));
  for (const field of message.field) {
    field.jsonName = field.name.replaceAll(/_([a-z0-9])/g, (_under, next: string) => next.toUpperCase());
    if (field.typeName === '') continue;
    const found = findType(field.typeName, scope, homes);
    field.typeName = `.${found}`;
    const home = homes.get(found);
    if (home !== undefined && home !== file) imports.add(home.name);
  }
  for (const nested of message.nestedType) resolveMessage(nested, scope, resolving);
}

/** The type that a name means inside of a scope: the innermost one (language guide of protobuf, "Packages and name resolution"). */
function findType(name: string, scope: string, homes: ReadonlyMap<string, unknown>): string {
  if (name.startsWith('.')) return name.slice(1);
  const parts = scope.split('.');
  for (let length = parts.length; length >= 0; length -= 1) {
    const found = [...parts.slice(0, length), name].join('.');
    if (homes.has(found)) return found;
  }
  throw new Error(`The protos have no type ${name}, which ${scope} uses`);
}

/** Each file after those that it imports. */
function sortByImports(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const sorted = new Set<FileDescriptorProto>();
  const visit = (file: FileDescriptorProto): void => {
    for (const name of file.dependency) {
      const imported = byName.get(name);
      if (imported !== undefined && !sorted.has(imported)) visit(imported);
    }
    sorted.add(file);
  };
  for (const file of files) visit(file);
  return [...sorted];
}
