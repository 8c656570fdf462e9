/**
 * Writes `src/capabilities/bazaar.generated.json`: the x402 `bazaar` extension of each capability, made and validated
 * by the official package. It is made here and not in the Worker because that package compiles JSON Schemas to code,
 * which Workers refuse. `test/capabilities/bazaar.test.ts` makes it anew and compares.
 */
import { writeFileSync } from 'node:fs';
import { declareDiscoveryExtension, validateDiscoveryExtension } from '@x402/extensions/bazaar';
import { catalog } from '../src/capabilities/catalog.ts';
import { exampleBodies } from '../src/capabilities/bodies.ts';
import { buildBodySchema } from '../src/capabilities/capability.ts';
import { questionFields } from '../src/capabilities/visibility-questions.ts';

/** @throws Error when the official validator refuses the extension of a row. */
export function bazaarExtensions(): Record<string, unknown> {
  return Object.fromEntries(
    catalog.map((row) => [row.name, extensionOf(row.name, shortenLists(buildBodySchema(row)))]),
  );
}

/**
 * The terms of a payment fit into a header: what is in a list that may be left out is described in the OpenAPI document
 * alone.
 */
function shortenLists(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Member>;
    required?: readonly string[];
  };
  const short = Object.entries(properties).map(([name, member]) => [
    name,
    required.includes(name) ? member : shortenMember(name, member),
  ]);
  return { ...schema, properties: Object.fromEntries(short) as Record<string, unknown> };
}

type Member = { type?: unknown; items?: { type?: unknown }; description?: unknown };

/** Fields that choose questions and engines go without words as well: their names and values are enough to fill them. */
const WORDLESS: ReadonlySet<string> = new Set([...Object.keys(questionFields), 'engines']);

function shortenMember(name: string, { description, ...member }: Member): Member {
  const short = member.type === 'array' ? { ...member, items: { type: member.items?.type } } : member;
  return WORDLESS.has(name) || description === undefined ? short : { description, ...short };
}

function extensionOf(name: (typeof catalog)[number]['name'], inputSchema: Record<string, unknown>): unknown {
  const declared = declareDiscoveryExtension({
    bodyType: 'json',
    input: exampleBodies[name],
    inputSchema,
    output: { example: { capability: name, report_id: '0123456789abcdef0123456789abcdef' } },
  });
  const bazaar = declared['bazaar'] as unknown as { info: { input: Record<string, unknown> } };
  const extension = { ...bazaar, info: { ...bazaar.info, input: { method: 'POST', ...bazaar.info.input } } };
  const verdict = validateDiscoveryExtension(extension as never);
  if (!verdict.valid) throw new Error(`bazaar extension of ${name}: ${JSON.stringify(verdict.errors)}`);
  return extension;
}

if (import.meta.main) {
  const path = new URL('../src/capabilities/bazaar.generated.json', import.meta.url);
  writeFileSync(path, `${JSON.stringify(bazaarExtensions(), null, 1)}\n`);
  console.log('wrote src/capabilities/bazaar.generated.json');
}
