import { expect, test } from 'vitest';
import { createFairTurns } from '../../../local/pdf/pdf-service.ts';

/** Lets what is settled go on. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function world(limits: Parameters<typeof createFairTurns>[0]) {
  const turns = createFairTurns(limits);
  const events: string[] = [];
  const leaves = new Map<string, () => void>();
  return {
    events,
    ask: async (owner: string, name: string): Promise<void> => {
      const turn = await turns(owner);
      events.push(turn ? `${name} begins` : `${name} is refused`);
      if (turn) leaves.set(name, turn.leave);
    },
    leave: (name: string): void => leaves.get(name)?.(),
  };
}

test('an owner has one turn at a time; others begin at once while there are places', async () => {
  const { events, ask, leave } = world({ places: 2, waiting: 9, waitingOfOwner: 9 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void ask(name.charAt(0), name);
  await settled();
  expect(events.splice(0)).toEqual(['a1 begins', 'b1 begins']);
  leave('b1');
  await settled();
  expect(events.splice(0)).toEqual(['c1 begins']);
  leave('a1');
  await settled();
  expect(events.splice(0)).toEqual(['a2 begins']);
  leave('a2');
  await settled();
  expect(events.splice(0)).toEqual(['a3 begins']);
  leave('c1');
  leave('a3');
  await settled();
  expect(events).toEqual(['b2 begins']);
});

test('a place is given back once, however often it is left', async () => {
  const { events, ask, leave } = world({ places: 1, waiting: 9, waitingOfOwner: 9 });
  for (const name of ['a1', 'b1', 'c1']) void ask(name.charAt(0), name);
  await settled();
  leave('a1');
  leave('a1');
  await settled();
  expect(events).toEqual(['a1 begins', 'b1 begins']);
});

test('no more wait than may, neither in all nor of one owner', async () => {
  const { events, ask } = world({ places: 1, waiting: 3, waitingOfOwner: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) void ask(name.charAt(0), name);
  await settled();
  expect(events).toEqual(['a1 begins', 'a4 is refused', 'c1 is refused']);
});
