import { expect, test } from 'vitest';
import { groupCommit } from '../../src/notifications/group-commit.ts';

/** A group commit whose timers the test lets go off, with what was written. */
function world(
  write: (items: readonly number[]) => readonly string[] = (items) => items.map((item) => `kept ${item}`),
) {
  const groups: number[][] = [];
  const timers: (() => void)[] = [];
  const waits: number[] = [];
  const keep = groupCommit<number, string>({
    write: (items) => {
      groups.push([...items]);
      return write(items);
    },
    later: (work, delayMs) => {
      timers.push(work);
      waits.push(delayMs);
    },
    waitMs: 2,
    most: 3,
  });
  const tick = () => timers.splice(0).forEach((work) => work());
  return { keep, groups, waits, tick };
}

test('items that come within the wait are one write, and each caller gets its own result', async () => {
  const { keep, groups, waits, tick } = world();
  const kept = Promise.all([keep(1), keep(2)]);
  expect(groups).toEqual([]);
  tick();
  expect(await kept).toEqual(['kept 1', 'kept 2']);
  expect(groups).toEqual([[1, 2]]);
  expect(waits).toEqual([2]);
});

test('a full group is written at once, and the next one waits anew', async () => {
  const { keep, groups, waits, tick } = world();
  const kept = Promise.all([1, 2, 3, 4].map(keep));
  expect(groups).toEqual([[1, 2, 3]]);
  tick();
  expect(await kept).toEqual(['kept 1', 'kept 2', 'kept 3', 'kept 4']);
  expect(groups).toEqual([[1, 2, 3], [4]]);
  expect(waits).toEqual([2, 2]);
});

test('nobody is answered before the write', async () => {
  const { keep, tick } = world();
  let isAnswered = false;
  const kept = keep(1).then(() => (isAnswered = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  tick();
  await kept;
  expect(isAnswered).toBe(true);
});

test('a write that fails refuses every caller of its group, and none of the next', async () => {
  let fails = true;
  const { keep, tick } = world((items) => {
    if (fails) throw new Error('disk full');
    return items.map(String);
  });
  const refused = Promise.allSettled([keep(1), keep(2)]);
  tick();
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  const kept = keep(3);
  tick();
  expect(await kept).toBe('3');
});

test('results that are not as many as the items refuse everybody: nobody gets the result of another', async () => {
  const { keep, tick } = world(() => ['only one']);
  const refused = Promise.allSettled([keep(1), keep(2)]);
  tick();
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
