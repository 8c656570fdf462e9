import { expect, test } from 'vitest';
import { colourResult, canColour } from '../../../src/cli/core/terminal.ts';

test.each([
  ['✗ Links resolve  [agent.llms.links-resolve]', '\u001B[31m'],
  ['~ robots.txt names the sitemap', '\u001B[33m'],
  ['aeo    ██████████ 100 A  (97 % of the rubric assessed)', '\u001B[32m'],
  ['agent  █████░░░░░  50 D  (45 % of the rubric assessed)', '\u001B[33m'],
  ['geo    ██░░░░░░░░  21 F  (33 % of the rubric assessed)', '\u001B[31m'],
])('%s has its colour, and ends it', (line, colour) => {
  expect(colourResult(`a\n${line}\nb`)).toBe(`a\n${colour}${line}\u001B[0m\nb`);
});

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: false }, {}, false],
  [{}, {}, false],
])('colours go to a terminal only, unless NO_COLOR is set: %j %j', (out, environment, expected) => {
  expect(canColour(out, environment)).toBe(expected);
});
