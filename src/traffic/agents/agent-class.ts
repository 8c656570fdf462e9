import type { AgentClass } from '../../audit/crawlers/facts/ai-agents-data.ts';

/**
 * What a visitor is, as far as its User-Agent says. `automation`: a program that is no agent of the roster (libraries,
 * scanners, SEO tools, monitors, feed readers, link previews, an empty User-Agent). `person`: a browser.
 */
export const visitorClasses = [
  'search',
  'user',
  'training',
  'multi-purpose',
  'automation',
  'person',
] as const satisfies readonly (AgentClass | 'automation' | 'person')[];
export type VisitorClass = (typeof visitorClasses)[number];

/** `token` and `owner` are of the roster, and there for its classes only. */
export type VisitorClaim = { class: VisitorClass; token?: string; owner?: string };
