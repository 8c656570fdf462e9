import type { Step, StepEnd } from './crawl-step.ts';

/** Pages of the list of items that one step goes through. */
const LISTS_PER_STEP = 10;

/**
 * Deletes the items of pages that are gone or no longer to be indexed, and, where everything that lists pages could be looked
 * at, of those that nothing lists any more. A page that could not be looked at keeps its item: that is no word of it.
 */
export function sweep(step: Step): StepEnd {
  const { frontier } = step;
  for (let lists = 0; lists < LISTS_PER_STEP; lists += 1) {
    if (!step.transaction(() => sweepList(step))) return { kind: 'ended', reason: endOf(step) };
  }
  return frontier.state() ? { kind: 'more' } : { kind: 'ended', reason: 'cancelled' };
}

/** @returns whether there may be more */
function sweepList({ frontier, sink }: Step): boolean {
  const state = frontier.state();
  const items = state ? sink.items(state.sweepPage) : [];
  if (!state || items.length === 0) return false;
  const isWhole = !state.isPartial && frontier.count('waiting') === 0;
  const over = items.filter(({ key }) => {
    const seen = frontier.page(key)?.state;
    return seen === undefined ? isWhole : seen === 'gone' || seen === 'refused' || seen === 'moved';
  });
  for (const { id, key } of over) {
    sink.remove(id);
    sink.log('info', `An item is deleted, its page is no longer to be indexed: ${key}`);
  }
  // What is deleted makes room: the same page of the list then shows others.
  if (over.length === 0) frontier.change({ sweepPage: state.sweepPage + 1 });
  return true;
}

function endOf({
  frontier,
  source,
  rules,
  site,
}: Step): 'completed' | 'page_limit' | 'time_limit' | 'robots_disallowed' {
  if (frontier.state()?.isLate) return 'time_limit';
  if (frontier.count('waiting') > 0) return frontier.asked() >= source.maxPages ? 'page_limit' : 'time_limit';
  return frontier.asked() === 0 && !rules.allows(site) ? 'robots_disallowed' : 'completed';
}
