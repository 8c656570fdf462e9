import { jsonForHtml } from '../../../lib/safe-text.ts';
import { slot } from '../../../fixes/core/fix-slots.ts';
import type { Fixing } from '../../../fixes/core/fix-context.ts';

/** Operations that one patch names. */
const MAX_OPERATIONS = 300;

/** A JSON merge patch that gives every operation without one an operationId (`getUsersById`), and a summary to write. */
export function operationIdsPatch({ read }: Fixing): string {
  const operations = read('openapi')?.found?.document.operations ?? [];
  const taken = new Set(operations.flatMap(({ operationId }) => operationId ?? []));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, operationId, described, webhook } of operations.slice(0, MAX_OPERATIONS)) {
    if (webhook || (operationId !== undefined && described)) continue;
    const id = operationId === undefined ? { operationId: freshId(taken, method, path) } : {};
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: { ...id, ...(described ? {} : { summary: slot('operation') }) },
    };
  }
  return `${jsonForHtml({ paths })}\n`;
}

function freshId(taken: Set<string>, method: string, path: string): string {
  const words = path.split('/').flatMap((part) => part.replaceAll(/[^A-Za-z0-9{}]+/g, ' ').split(' '));
  const named = words.map((word) =>
    word.startsWith('{') ? `By${capital(word.replaceAll(/[{}]/g, ''))}` : capital(word),
  );
  const wanted = `${method.toLowerCase()}${named.join('') || 'Root'}`.slice(0, 100);
  const all = [wanted, ...Array.from({ length: taken.size + 1 }, (_, index) => `${wanted}${index + 2}`)];
  const id = all.find((each) => !taken.has(each)) ?? wanted;
  taken.add(id);
  return id;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
