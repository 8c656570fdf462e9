import { type FailureWords, failureWords, type ReadFailure } from '../../net/failure-words-data.ts';
import { germanFailures } from './german/failures-data.ts';
import type { PageLanguage, Translated } from './language.ts';

/** Why a site could not be read, in every language. */
export const readFailureWords: Translated<Readonly<Record<ReadFailure, FailureWords>>> = {
  en: failureWords,
  de: germanFailures,
};

/** What a failure to read a site means, and what to do about it. */
export const getFailureWords = (failure: ReadFailure, language: PageLanguage): FailureWords =>
  readFailureWords[language][failure];
