import type * as z from 'zod';

/** What is wrong with a value that was sent or given, as the end of a sentence that begins with its name. */
export function issueText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string' ? 'is empty' : `is less than ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'number'
        ? `is more than ${issue.maximum}`
        : `has over ${issue.maximum} ${UNITS[issue.origin] ?? 'parts'}`;
    case 'invalid_type':
      // The only place where the parser says that there was nothing.
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : `takes ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `takes ${issue.values.map(String).join(', ')}`;
    case 'invalid_key':
      return issue.issues[0] ? `has a name that ${issueText(issue.issues[0])}` : 'has a wrong name';
    default:
      return issue.message; // Written for people where a schema has rules of its own.
  }
}

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};
