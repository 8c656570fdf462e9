import type { Step } from './crawl-step.ts';

/**
 * Whether the rules of the instance leave an address out. The log names it then, once, with the vendor's words for the rule,
 * as long as there are not too many.
 */
export function isLeftOut({ skip, frontier, sink }: Pick<Step, 'skip' | 'frontier' | 'sink'>, url: URL): boolean {
  const why = skip(url);
  if (!why) return false;
  const noted = frontier.noteSkip(url.href);
  if (noted === 'last') sink.log('info', 'More pages are left out by rules: they are not named');
  if (noted !== 'named') return true;
  const rule =
    why.kind === 'excluded' ? `Skipped by rule: ${why.pattern} (${url.href})` : `Skipped by Include Rules: ${url.href}`;
  sink.log('info', rule);
  return true;
}
