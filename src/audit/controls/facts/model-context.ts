/** The ways a script names an interface: a member, a key in brackets, a feature test, and a destructured member. */
const buildHostPatterns = (host: 'document' | 'navigator'): readonly RegExp[] => [
  new RegExp(String.raw`\b${host}\s{0,9}(?:\?\.|\.)\s{0,9}modelContext\b`),
  new RegExp(String.raw`\b${host}\s{0,9}(?:\?\.)?\[\s{0,9}["'${'`'}]modelContext["'${'`'}]`),
  new RegExp(String.raw`["'${'`'}]modelContext["'${'`'}]\s{0,9}in\s{1,9}(?:window\.|self\.|globalThis\.)?${host}\b`),
  new RegExp(String.raw`\bmodelContext\b[^{}=]{0,100}\}\s{0,9}=\s{0,9}(?:window\.|self\.|globalThis\.)?${host}\b`),
];

const NAMES = { document: buildHostPatterns('document'), navigator: buildHostPatterns('navigator') } as const;

/**
 * Hosts of the WebMCP interface that a script names: `document.modelContext` as the draft has it, or the older
 * `navigator.modelContext`. A text search: comments and dead code count, and names put together at run time do not.
 */
export function findModelContextHosts(script: string): readonly ('document' | 'navigator')[] {
  if (!script.includes('modelContext')) return [];
  return (['document', 'navigator'] as const).filter((host) => NAMES[host].some((pattern) => pattern.test(script)));
}
