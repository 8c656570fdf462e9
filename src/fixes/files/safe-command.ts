import { parityAgents } from '../../audit/crawlers/facts/ai-agents.ts';
import { reproduceLine } from '../../audit/core/wire.ts';
import { withoutAsk } from './curl-options.ts';

/** Characters of a command that is looked at: none of ours is longer. */
const MAX_COMMAND_CHARS = 2000;

/** A command that a generated file may tell an agent to run: a tool that asks or filters, and plain words. */
const COMMAND = /^(?:curl|jq|grep|head|npx sightline|sightline)(?: [A-Za-z0-9._~/:%=,+@'"|?&[\]* -]{1,1000})?$/u;

/** A quote opens a word and closes it at its end; `$`, backticks, `;`, `<` and `>` stand nowhere. */
const WORDS = /^(?:[^'"|?&[\]*]|'[^']{0,600}'|"[^"]{0,200}"| \| )*$/u;

/**
 * The command if people and agents may paste it (rule X1): one line of known tools and plain words, whose addresses are
 * all of the audited origin; else the request of the start page. A User-Agent that the audit itself sends is a fixed word, and so are the
 * options of `ASKS`.
 */
export function safeCommand(command: string, start: URL): string {
  const bare = parityAgents.reduce(
    (text, { userAgent }) => text.replace(` -A '${userAgent}'`, ''),
    withoutAsk(command, start),
  );
  const parts = bare.split(' | ');
  const plain =
    bare.length <= MAX_COMMAND_CHARS &&
    parts.length <= 3 &&
    parts.every((part) => COMMAND.test(part)) &&
    WORDS.test(bare);
  return plain && addressesOf(bare).every((address) => isOf(address, start)) ? command : reproduceLine(start);
}

const addressesOf = (command: string): readonly string[] =>
  command.split(/[\s'"]/u).filter((word) => word.includes('://'));

const isOf = (address: string, start: URL): boolean => URL.parse(address)?.origin === start.origin;
