/** Parameters of a call: texts, and maps of them. Lists are maps by number. */
export type FormParams = { [name: string]: string | FormParams };

/** Levels that Stripe's own parameters have. */
const MAX_DEPTH = 8;
const PART = /\[([^\]]*)\]/g;

/** Reads `line_items[0][price_data][currency]=usd`, the form in which Stripe's API takes everything. */
export function parseFormParams(text: string): FormParams {
  const params: FormParams = Object.create(null) as FormParams;
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = ''] = name.split('[', 1);
    const path = [first, ...[...name.matchAll(PART)].map(([, part = '']) => part)].slice(0, MAX_DEPTH);
    let place = params;
    for (const part of path.slice(0, -1)) {
      const next = place[part];
      const inner = typeof next === 'object' ? next : (Object.create(null) as FormParams);
      place[part] = inner;
      place = inner;
    }
    place[path.at(-1) ?? ''] = value;
  }
  return params;
}

/** The text at a path; undefined where there is none. */
export function readParam(params: FormParams, ...path: readonly string[]): string | undefined {
  let found: string | FormParams | undefined = params;
  for (const part of path) found = typeof found === 'object' ? found[part] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** The texts of a map, such as `metadata`. */
export function readTexts(params: FormParams, name: string): Record<string, string> {
  const found = params[name];
  if (typeof found !== 'object') return {};
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}
