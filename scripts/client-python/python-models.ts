import type { ModelClass, ModelMember, ModelSet } from './model-classes.ts';

const LINE_LENGTH = 118;
/** Names that a member cannot have: words of Python, and what pydantic's classes have already. */
const RESERVED: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield construct copy dict fields from_orm json parse_file parse_obj
  parse_raw schema schema_json update_forward_refs validate Any Dict List Optional Type`.split(/\s+/),
);

const HEADER = `"""
Answers of the service, from its OpenAPI description. Generated: run \`node scripts/client-python/generate.ts\`.

Enumerations are texts, and members that are not listed here are allowed: a newer service may send other ones.
"""

from typing import Any, Dict, List, Optional, Type

from pydantic import Field

from ._compat import Model
`;

/** The text of a module with these classes, in a style that pydantic 1.10 and 2 both take. */
export function formatPythonModels(
  { classes, aliases }: ModelSet,
  results: Readonly<Record<string, string>>,
  paths: Readonly<Record<string, string>> = {},
): string {
  const named = [...classes.map(formatClass), ...aliases.map(({ name, type }) => `${name} = ${type}`)];
  const rows = Object.entries(results).map(([capability, type]) => `    "${capability}": ${type},`);
  const table = `#: The full result of each capability.\nRESULTS: Dict[str, Type[Model]] = {\n${rows.join('\n')}\n}`;
  const own = Object.entries(paths).map(([name, path]) => `    "${name}": "${path}",`);
  const pathTable = `#: Where panels and tools are sold, by name: not at /api/agent.\nPATHS: Dict[str, str] = {\n${own.join('\n')}\n}`;
  return `${HEADER}\n\n${[...named, table, ...(own.length === 0 ? [] : [pathTable])].join('\n\n\n')}\n`;
}

function formatClass({ name, description, members }: ModelClass): string {
  const head = [`class ${name}(Model):`];
  const text = description === undefined ? [] : [...formatDocstring(description), ''];
  // Pydantic wants no order, readers of signatures do: what is always there comes first.
  const sorted = members.toSorted((a, b) => Number(b.required) - Number(a.required));
  return [...head, ...text, ...sorted.flatMap(formatMember)].join('\n').trimEnd();
}

function formatMember({ key, type, required, description }: ModelMember): readonly string[] {
  const comments = description === undefined ? [] : wrapText(description, '    #: ');
  const name = toMemberName(key);
  const full = required || type === 'Any' ? type : type.startsWith('Optional[') ? type : `Optional[${type}]`;
  const aliased = name === key ? [] : [`alias="${key}"`];
  // A required value that may be null has no default in either version.
  const isMandatory = required && (aliased.length > 0 || full.startsWith('Optional[') || full === 'Any');
  const field =
    isMandatory || aliased.length > 0 ? ` = Field(${[required ? '...' : 'None', ...aliased].join(', ')})` : '';
  return [...comments, `    ${name}: ${full}${field === '' && !required ? ' = None' : field}`];
}

const toMemberName = (key: string): string => {
  const name = key.replaceAll(/\W/g, '_').replace(/^(?=\d)|^_+/, 'x_');
  return RESERVED.has(name) ? `${name}_` : name;
};

const formatDocstring = (text: string): readonly string[] => {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const lines = wrapText(safe, '    ');
  const [only = ''] = lines;
  return lines.length === 1 && only.length + 6 <= LINE_LENGTH
    ? [`    """${only.trimStart()}"""`]
    : ['    """', ...lines, '    """'];
};

function wrapText(text: string, prefix: string): readonly string[] {
  const lines: string[] = [];
  let line = prefix.trimEnd();
  for (const word of text.split(' ')) {
    const isFirst = line === prefix.trimEnd();
    if (!isFirst && line.length + 1 + word.length > LINE_LENGTH) {
      lines.push(line);
      line = `${prefix}${word}`;
    } else line = isFirst ? `${prefix}${word}` : `${line} ${word}`;
  }
  return [...lines, line];
}
