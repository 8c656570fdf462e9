import { parseSync } from 'oxc-parser';
import { RefusedCall } from './refusals-data.ts';

/** What a main module offers. `handlers` is undefined where its default export is not a plain object or class. */
export type ScriptExports = { readonly names: readonly string[]; readonly handlers: readonly string[] | undefined };

/** Reads it from the text, as the platform does by running it. @throws RefusedCall where it is no module */
export function readScriptExports(name: string, text: string): ScriptExports {
  const { module, program, errors } = parseSync(name.endsWith('.js') ? name : `${name}.js`, text, {
    lang: 'js',
    sourceType: 'module',
  });
  const [error] = errors;
  if (error !== undefined) throw new RefusedCall('invalidScript', [`Uncaught SyntaxError: ${error.message}`]);
  const entries = module.staticExports.flatMap((one) => one.entries);
  // Only the default export has no name here.
  const names = entries.map(({ exportName }) => exportName.name ?? 'default');
  const local = entries.find((_, i) => names[i] === 'default')?.localName.name ?? undefined;
  return { names, handlers: findHandlers(program.body, local) };
}

type Body = ReturnType<typeof parseSync>['program']['body'];

function findHandlers(body: Body, local: string | undefined): readonly string[] | undefined {
  for (const node of body) {
    if (node.type === 'ExportDefaultDeclaration') return listMembers(node.declaration);
    if (node.type === 'ClassDeclaration' && node.id?.name === local) return listMembers(node);
    if (node.type !== 'VariableDeclaration') continue;
    const found = node.declarations.find(({ id }) => id.type === 'Identifier' && id.name === local);
    if (found?.init) return listMembers(found.init);
  }
  return undefined;
}

function listMembers(node: { readonly type: string }): readonly string[] | undefined {
  const members =
    'properties' in node ? node.properties : 'body' in node && isBody(node.body) ? node.body.body : undefined;
  if (!Array.isArray(members)) return undefined;
  return members.flatMap((member: unknown) => readKey(member));
}

const isBody = (value: unknown): value is { body: unknown } =>
  typeof value === 'object' && value !== null && 'body' in value;

function readKey(member: unknown): readonly string[] {
  if (typeof member !== 'object' || member === null || !('key' in member)) return [];
  const { key } = member;
  return typeof key === 'object' && key !== null && 'name' in key && typeof key.name === 'string' ? [key.name] : [];
}
