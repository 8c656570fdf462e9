import { type FailureWords, failureWords, type ReadFailure } from '../../net/failure-words-data.ts';
import type { CommandFailure } from './failure.ts';
import { formatSafeLine } from './terminal.ts';
import { EXIT } from './usage.ts';

/** On this machine a private address may be read, if it is the one that was typed: the table says to use this command line. */
const LOCAL_WORDS: Readonly<Partial<Record<ReadFailure, FailureWords>>> = {
  private_target: {
    means: 'The site leads to a private address, which is read only if you name it yourself.',
    next: 'Audit that address itself, or correct the redirect or the DNS record.',
  },
};

/** What a failure means to those who run the command line, and what to do about it. */
export const findFailureWords = (failure: ReadFailure): FailureWords => LOCAL_WORDS[failure] ?? failureWords[failure];

/**
 * Why there is no result of a site: what it is, what was tried, and what to check.
 * @param tried each request that failed, with what came of it
 */
export function refuseUnreadSite(where: string, failure: ReadFailure, tried: readonly string[]): CommandFailure {
  const { means, next } = findFailureWords(failure);
  return {
    reason: failure,
    message: `${formatSafeLine(where)} could not be read. ${means}`,
    detail: tried.map((one) => formatSafeLine(`Tried: ${one}`)),
    next,
    exit: EXIT.unreachable,
  };
}
