import * as fc from 'fast-check';

/** Choices of one generated file. Every one shrinks to its first, plainest value. */
export type Draw = {
  /** True in about `percent` of 100 cases. */
  chance: (percent: number) => boolean;
  /** Both ends included. */
  between: (min: number, max: number) => number;
  pick: <T>(choices: readonly T[]) => T;
  shuffled: <T>(items: readonly T[]) => T[];
};

const upTo = (max: number) => fc.nat(max);

export function drawWith(g: fc.GeneratorValue): Draw {
  const between = (min: number, max: number) => min + g(upTo, max - min);
  const pick = <T>(choices: readonly T[]): T => {
    const choice = choices[between(0, choices.length - 1)];
    if (choice === undefined) throw new Error('nothing to pick from');
    return choice;
  };
  return {
    chance: (percent) => g(upTo, 99) >= 100 - percent,
    between,
    pick,
    shuffled: (items) => {
      const rest = [...items];
      return items.map(() => rest.splice(between(0, rest.length - 1), 1)).flat();
    },
  };
}
