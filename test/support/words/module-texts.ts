import { parseSync } from 'oxc-parser';

type Node = { type: string; [member: string]: unknown };
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Their strings are names of modules and of types: no one reads them. */
const UNREAD: ReadonlySet<string> = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'TSLiteralType']);

/** Every text of a module that a reader may meet: strings, the fixed parts of templates, and the text of markup. */
export function listModuleTexts(file: string, source: string): readonly string[] {
  const texts: string[] = [];
  const walk = (node: Node): void => {
    if (UNREAD.has(node.type)) return;
    if (node.type === 'Literal' && typeof node['value'] === 'string') texts.push(node['value']);
    if (node.type === 'TemplateElement') texts.push(String((node['value'] as { cooked: unknown }).cooked));
    if (node.type === 'JSXText') texts.push(String(node['value']));
    for (const value of Object.values(node)) {
      for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) walk(one);
    }
  };
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? ''}`);
  walk(program as unknown as Node);
  return texts;
}
