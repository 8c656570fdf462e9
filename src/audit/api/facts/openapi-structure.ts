import {
  MAX_ISSUES,
  formatMemberPointer,
  getString,
  isJsonRecord,
  type Issue,
  type JsonRecord,
} from '../../structured-data/facts/json-document.ts';
import {
  followReference,
  readOperations,
  resolvePointer,
  type OpenApiKind,
  type RawOperation,
} from './openapi-operations.ts';

/** Objects and arrays of a document that are walked for references. */
const MAX_WALKED = 300_000;
/** Characters of a pointer or a message that an issue keeps. */
const MAX_TEXT = 300;

/** What breaks the specification so that code generators and agents refuse the document, in the order of the parts. */
export function listStructureIssues(document: JsonRecord, kind: OpenApiKind): readonly Issue[] {
  const operations = readOperations(document);
  return [
    ...listInfoIssues(document),
    ...listPathsIssues(document, kind),
    ...operations.flatMap((operation) => listOperationIssues(document, operation, kind)),
    ...listRepeatedIds(operations),
    ...listReferenceIssues(document),
  ]
    .slice(0, MAX_ISSUES)
    .map((issue) => ({ ...issue, pointer: issue.pointer.slice(0, MAX_TEXT) }));
}

function listInfoIssues(document: JsonRecord): readonly Issue[] {
  const info = document['info'];
  if (!isJsonRecord(info)) return [{ pointer: '/info', message: 'is missing' }];
  return ['title', 'version']
    .filter((name) => getString(info, name) === undefined)
    .map((name) => ({ pointer: `/info/${name}`, message: 'must be a string' }));
}

function listPathsIssues(document: JsonRecord, kind: OpenApiKind): readonly Issue[] {
  const paths = document['paths'];
  if (paths === undefined && kind === '3.1') {
    const other = isJsonRecord(document['components']) || isJsonRecord(document['webhooks']);
    return other ? [] : [{ pointer: '', message: 'has none of paths, webhooks and components' }];
  }
  if (!isJsonRecord(paths))
    return [{ pointer: '/paths', message: paths === undefined ? 'is missing' : 'must be an object' }];
  return Object.keys(paths)
    .filter((path) => !path.startsWith('/') && !path.startsWith('x-'))
    .slice(0, MAX_ISSUES)
    .map((path) => ({ pointer: formatMemberPointer(['paths', path]), message: 'must begin with a slash' }));
}

function listOperationIssues(document: JsonRecord, raw: RawOperation, kind: OpenApiKind): readonly Issue[] {
  const { operation, source } = raw;
  const issues: Issue[] = [];
  if (kind !== '3.1' && !isJsonRecord(source['responses'])) {
    issues.push({ pointer: `${operation.pointer}/responses`, message: 'is missing' });
  }
  return operation.webhook ? issues : [...issues, ...listParameterIssues(document, raw)];
}

/** Every `{name}` of the path needs a path parameter, which must be required; a path parameter needs its `{name}`. */
function listParameterIssues(document: JsonRecord, { operation, item, source }: RawOperation): readonly Issue[] {
  const parameters = [item['parameters'], source['parameters']]
    .flatMap((list: unknown) => (Array.isArray(list) ? (list as unknown[]).slice(0, 200) : []))
    .map((parameter) => followReference(document, parameter));
  if (parameters.includes('elsewhere')) return [];
  const declared = parameters.filter((parameter) => isJsonRecord(parameter) && parameter['in'] === 'path');
  const names = new Set(declared.map((parameter) => getString(parameter, 'name')));
  const templated = new Set(Array.from(operation.path.matchAll(/\{([^{}/]{1,200})\}/gu), (match) => match[1] ?? ''));
  const undeclared = [...templated]
    .filter((name) => !names.has(name))
    .map((name) => ({ message: 'a path parameter is not declared', about: name }));
  const unused = [...names]
    .filter((name) => name !== undefined && !templated.has(name))
    .map((name) => ({ message: 'a declared path parameter is not in the path', about: String(name) }));
  const optional = declared
    .filter((parameter) => isJsonRecord(parameter) && parameter['required'] !== true)
    .map((parameter) => ({ message: 'a path parameter must be required', about: getString(parameter, 'name') ?? '?' }));
  return [...undeclared, ...unused, ...optional].map((issue) => ({ pointer: operation.pointer, ...issue }));
}

function listRepeatedIds(operations: readonly RawOperation[]): readonly Issue[] {
  const first = new Map<string, string>();
  const issues: Issue[] = [];
  for (const { operation } of operations) {
    if (operation.operationId === undefined) continue;
    const before = first.get(operation.operationId);
    if (before === undefined) first.set(operation.operationId, operation.pointer);
    else
      issues.push({
        pointer: `${operation.pointer}/operationId`,
        message: 'repeats the id of another operation',
        about: before,
      });
  }
  return issues;
}

/** Members whose value is an example or a literal, where `$ref` is data; as the name of a property it is a schema again. */
const LITERALS = new Set(['example', 'examples', 'default', 'enum', 'const']);
const NAME_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'schemas',
  'dependentSchemas',
  'parameters',
  'headers',
]);

type Step = { value: object; key: string; up: Step | undefined; named: boolean };

/** Local references that lead nowhere. Objects met twice (aliases, cycles of them) are walked once. */
function listReferenceIssues(document: JsonRecord): readonly Issue[] {
  const { references, anchors } = collectReferences(document);
  const broken = references.filter(({ target }) => {
    if (target === '#') return false;
    return target.startsWith('#/') ? !resolvePointer(document, target.slice(1)).found : !anchors.has(target.slice(1));
  });
  return broken.slice(0, MAX_ISSUES).map(({ target, at }) => ({
    pointer: formatMemberPointer([...buildStepPath(at), '$ref']),
    message: 'leads nowhere',
    about: target,
  }));
}

function collectReferences(document: JsonRecord): { references: { target: string; at: Step }[]; anchors: Set<string> } {
  const references: { target: string; at: Step }[] = [];
  const anchors = new Set<string>();
  const seen = new Set<object>();
  const waiting: Step[] = [{ value: document, key: '', up: undefined, named: false }];
  while (seen.size < MAX_WALKED) {
    const step = waiting.pop();
    if (!step) break;
    if (seen.has(step.value)) continue;
    seen.add(step.value);
    const target = getString(step.value, '$ref');
    if (target?.startsWith('#')) references.push({ target, at: step });
    for (const name of ['$anchor', '$dynamicAnchor']) anchors.add(getString(step.value, name) ?? '');
    // Below an `$id` of its own, a schema's references are relative to that.
    if (getString(step.value, '$id') !== undefined) continue;
    for (const below of listStepsBelow(step).toReversed()) waiting.push(below);
  }
  return { references, anchors };
}

function listStepsBelow(step: Step): Step[] {
  return Object.entries(step.value).flatMap(([key, value]: [string, unknown]) => {
    const literal = !step.named && (LITERALS.has(key) || key.startsWith('x-'));
    if (literal || typeof value !== 'object' || value === null) return [];
    return [{ value, key, up: step, named: !step.named && NAME_MAPS.has(key) && isJsonRecord(value) }];
  });
}

function buildStepPath(step: Step): readonly string[] {
  const keys: string[] = [];
  for (let at: Step | undefined = step; at?.up; at = at.up) keys.push(at.key);
  return keys.toReversed();
}
