/**
 * Faults that tests make on purpose, as workerd prints them: it has no way to be told that a test expects one. Their stacks
 * are shown only when the run fails; every other fault is shown at once.
 */
const EXPECTED = [
  'The authorization server is not there',
  'gone',
  'secret detail',
  'secret words',
  'the shard is away',
  'no such table: day_totals: SQLITE_ERROR',
  'Application called deleteAllDurableObjects().',
  'a x402 claim lacks its instrument',
  'the reply was lost',
  'the queue is down',
  'overloaded',
  'no server now',
];
const FAULT = /uncaught exception; (?:source|exception) = .*?(?:stack = \w*Error: |jsg\.Error: )(.*)$/;
const STACK_LINE = /^(?:\s+at |stack: )/;

/**
 * Splits lines of a run into those to show and the faults that tests expect.
 * @returns {{ isShown: (line: string) => boolean, hidden: string[] }} `isShown` is called with each line, in order
 */
export function createFaultFilter() {
  const hidden = [];
  let isInside = false;
  const isShown = (line) => {
    const [, message] = FAULT.exec(line) ?? [];
    if (message !== undefined) isInside = EXPECTED.includes(message.trim());
    else if (!STACK_LINE.test(line)) isInside = false;
    if (isInside) hidden.push(line);
    return !isInside;
  };
  return { isShown, hidden };
}
