import type {
  VendorFacts,
  VendorMethod,
  VendorParameter,
  VendorType,
} from '../../../scripts/management/vendor-facts.ts';

type Lacks = NonNullable<VendorFacts['source']['lacks']>;

/**
 * What two descriptions of an API say differently, a line for each fact: `User.name.format: double, ours int32`. A name
 * that one of them lacks is one line. What the vendor's source cannot tell is passed over.
 */
export function listVendorDifferences(vendor: VendorFacts, ours: VendorFacts): string[] {
  const lacks = vendor.source.lacks ?? [];
  return [
    ...membersOf('', vendor.methods, ours.methods, (name, theirs, own) => methodDifferences(name, theirs, own, lacks)),
    ...membersOf('', vendor.schemas, ours.schemas, (name, theirs, own) =>
      membersOf(`${name}.`, theirs, own, (field, one, other) => typeDifferences(field, one, other, lacks)),
    ),
  ];
}

function membersOf<V>(
  prefix: string,
  vendor: Readonly<Record<string, V>>,
  ours: Readonly<Record<string, V>>,
  compare: (name: string, vendor: V, ours: V) => string[],
): string[] {
  return [...new Set([...Object.keys(vendor), ...Object.keys(ours)])].flatMap((name) => {
    const [theirs, own] = [vendor[name], ours[name]];
    if (theirs === undefined) return [`${prefix}${name}: only ours`];
    if (own === undefined) return [`${prefix}${name}: only theirs`];
    return compare(`${prefix}${name}`, theirs, own);
  });
}

function methodDifferences(name: string, vendor: VendorMethod, ours: VendorMethod, lacks: Lacks): string[] {
  return [
    ...(['id', 'httpMethod', 'path', 'request', 'response'] as const).flatMap((fact) =>
      factDifference(`${name}.${fact}`, vendor[fact], ours[fact]),
    ),
    ...(vendor.parameterOrder === undefined
      ? []
      : factDifference(`${name}.parameterOrder`, vendor.parameterOrder, ours.parameterOrder)),
    ...(vendor.scopes === undefined ? [] : scopeDifferences(name, vendor.scopes, ours.scopes ?? [])),
    ...membersOf(`${name}?`, vendor.parameters, ours.parameters, (parameter, theirs, own) =>
      PARAMETER_FACTS.flatMap((fact) =>
        isUntold(fact, theirs, lacks) ? [] : factDifference(`${parameter}.${fact}`, theirs[fact], own[fact]),
      ),
    ),
  ];
}

const PARAMETER_FACTS = [
  'location',
  'type',
  'format',
  'enum',
  'required',
  'repeated',
  'pattern',
  'minimum',
  'maximum',
  'default',
] as const;

const scopeDifferences = (name: string, vendor: readonly string[], ours: readonly string[]): string[] => [
  ...vendor.filter((scope) => !ours.includes(scope)).map((scope) => `${name}.scopes: only theirs ${scope}`),
  ...ours.filter((scope) => !vendor.includes(scope)).map((scope) => `${name}.scopes: only ours ${scope}`),
];

function typeDifferences(name: string, vendor: VendorType, ours: VendorType, lacks: Lacks): string[] {
  const inner = (['items', 'additionalProperties'] as const).flatMap((part) => {
    const [theirs, own] = [vendor[part], ours[part]];
    if (theirs === undefined || own === undefined)
      return factDifference(
        `${name}.${part}`,
        theirs === undefined ? undefined : 'told',
        own === undefined ? undefined : 'told',
      );
    return typeDifferences(`${name}.${part}`, theirs, own, lacks);
  });
  const facts = FIELD_FACTS.flatMap((fact) =>
    isUntold(fact, vendor, lacks) ? [] : factDifference(`${name}.${fact}`, vendor[fact], ours[fact]),
  );
  return [...facts, ...inner];
}

const FIELD_FACTS = ['type', 'format', '$ref', 'enum', 'default', 'readOnly', 'required'] as const;

function isUntold(fact: string, vendor: VendorType | VendorParameter, lacks: Lacks): boolean {
  if (fact === 'pattern') return lacks.includes('patterns');
  if (fact === 'readOnly') return lacks.includes('readOnly');
  if (fact !== 'format' || vendor.format !== undefined) return false;
  return (
    (vendor.type === 'string' && lacks.includes('textFormats')) ||
    (vendor.type === 'integer' && lacks.includes('patterns'))
  );
}

type Fact = string | true | readonly string[] | undefined;

function factDifference(name: string, vendor: Fact, ours: Fact): string[] {
  const [theirs, own] = [vendor, ours].map((value) => (value === undefined ? 'none' : String(value)));
  return theirs === own ? [] : [`${name}: ${theirs}, ours ${own}`];
}
