import { DEFAULT_LIMITS } from './fetch-budget.ts';

/** Whether a request of a group may follow its next redirect. `end` says that it will follow no more. */
export type RedirectShare = { mayFollow: () => Promise<boolean>; end: () => void };

type Member = { followed: number; isOver: boolean };

/**
 * Shares a number of redirects among requests that run at the same time, so that it depends on the answers and their order
 * in the group alone who gets them, and never on which answer comes first. An earlier request goes before a later one:
 * where not all that earlier ones might still follow is left, a later one waits until they are over.
 * @param most redirects that one request follows
 */
export function createRedirectShares(
  left: number,
  most: number = DEFAULT_LIMITS.redirects,
): { join: () => RedirectShare } {
  const members: Member[] = [];
  const waiting = new Set<() => void>();
  const tellWaiting = (): void => {
    for (const look of waiting) look();
  };
  const decide = (me: Member): boolean | undefined => {
    if (me.isOver) return false; // It ran out of time while it waited.
    const before = members.slice(0, members.indexOf(me)).filter(({ isOver }) => !isOver);
    const spent = members.reduce((sum, { followed }) => sum + followed, 0);
    const claimed = before.reduce((sum, { followed }) => sum + most - followed, 0);
    if (left - spent - claimed >= 1) return true;
    return before.length === 0 ? false : undefined;
  };
  return {
    join() {
      const me: Member = { followed: 0, isOver: false };
      members.push(me);
      return {
        mayFollow: () =>
          new Promise((resolve) => {
            const look = (): void => {
              const may = decide(me);
              if (may === undefined) return;
              waiting.delete(look);
              if (may) me.followed += 1;
              resolve(may);
            };
            waiting.add(look);
            look();
          }),
        end() {
          me.isOver = true;
          tellWaiting();
        },
      };
    },
  };
}
