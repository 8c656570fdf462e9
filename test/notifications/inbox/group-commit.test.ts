import { expect, test } from 'vitest';
import { groupCommit } from '../../../src/notifications/inbox/group-commit.ts';

/** A group commit whose writes become durable when the test says so, with what was written. */
function world(
  write: (items: readonly number[]) => readonly string[] = (items) => items.map((item) => `kept ${item}`),
) {
  const groups: number[][] = [];
  const pending: PromiseWithResolvers<void>[] = [];
  const keep = groupCommit<number, string>({
    write: (items) => {
      groups.push([...items]);
      return write(items);
    },
    durable: () => {
      const one = Promise.withResolvers<void>();
      pending.push(one);
      return one.promise;
    },
    most: 3,
  });
  /** The write under way is durable; the next one, if any, has begun when this settles. */
  const durable = async () => {
    pending.shift()?.resolve();
    await turn();
  };
  return { keep, groups, pending, durable };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what comes in one turn is one write, and each caller gets its own result', async () => {
  const { keep, groups } = world();
  expect(await Promise.all([keep(1), keep(2)])).toEqual(['kept 1', 'kept 2']);
  expect(groups).toEqual([[1, 2]]);
});

test('what comes while a write becomes durable waits for it, and is the next write', async () => {
  const { keep, groups, durable } = world();
  await keep(1);
  const later = [2, 3].map(keep);
  await turn();
  expect(groups).toEqual([[1]]);
  await durable();
  expect(await Promise.all(later)).toEqual(['kept 2', 'kept 3']);
  expect(groups).toEqual([[1], [2, 3]]);
});

test('a write has a largest size: what is beyond it is the write after', async () => {
  const { keep, groups, durable } = world();
  const kept = Promise.all([1, 2, 3, 4].map(keep));
  await turn();
  expect(groups).toEqual([[1, 2, 3]]);
  await durable();
  expect(await kept).toEqual(['kept 1', 'kept 2', 'kept 3', 'kept 4']);
  expect(groups).toEqual([[1, 2, 3], [4]]);
});

test('an item that comes after all is durable is written at once', async () => {
  const { keep, groups, durable } = world();
  await keep(1);
  await durable();
  expect(await keep(2)).toBe('kept 2');
  expect(groups).toEqual([[1], [2]]);
});

test('a write that fails refuses every caller of its group, and none of the next', async () => {
  let fails = true;
  const { keep, durable } = world((items) => {
    if (fails) throw new Error('disk full');
    return items.map(String);
  });
  const refused = await Promise.allSettled([keep(1), keep(2)]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  await durable();
  expect(await keep(3)).toBe('3');
});

test('a write that does not become durable holds nobody up', async () => {
  const { keep, groups, pending } = world();
  await keep(1);
  const next = keep(2);
  pending.shift()?.reject(new Error('disk gone'));
  expect(await next).toBe('kept 2');
  expect(groups).toEqual([[1], [2]]);
});

test('results that are not as many as the items refuse everybody: nobody gets the result of another', async () => {
  const { keep } = world(() => ['only one']);
  const refused = await Promise.allSettled([keep(1), keep(2)]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
