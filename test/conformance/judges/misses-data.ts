import type { JudgeLanguage } from './judges-data.ts';

/** A case that is known to miss: why, and the vendor's source that says what it should be. It fails once it passes. */
export type KnownMiss = {
  language: JudgeLanguage;
  name: string;
  /** `theirs`: the client's own fault. `declared`: not served, and said so. Otherwise the finding that it belongs to. */
  cause: 'theirs' | 'declared' | `F${number}`;
  why: string;
  source: string;
};

/** A miss of several clients by one cause. */
type Missed = Omit<KnownMiss, 'language' | 'name'> & Partial<Record<JudgeLanguage, readonly string[]>>;

const MISSED: readonly Missed[] = [
  {
    cause: 'theirs',
    why: 'list_next changes the body of a request and keeps its Content-Length: the next page is asked for with half a body',
    source: 'googleapiclient/discovery.py 1.7.12, createNextMethod; googleapiclient/http.py, HttpRequest.execute',
    python: ['logging: list_next of entries.list follows the token in the body'],
  },
  {
    cause: 'declared',
    why: 'an assertion names its key (kid, rule A2); googleauth 0.13 signs without one',
    source: 'signet/oauth_2/client.rb 0.17, to_jwt',
    ruby: ['keys: googleauth signs with the key file, at the address that the file says'],
  },
  {
    cause: 'declared',
    why: 'the three reports of v1beta are not served: v1 has the two that the vendor’s samples ask for',
    source: 'admob/v1beta, networkReport.generate',
    go: ['admob: a network report is generated'],
    ruby: ['admob: a network report is generated'],
  },
  {
    cause: 'declared',
    why: 'the numbers of mediation’s enums are published nowhere: names are taken alone',
    source: 'google/ads/admob/v1: its protocol buffers declare reports only',
    python: ['admob: enums of a group are taken as numbers too'],
  },
];

export const MISSES: readonly KnownMiss[] = MISSED.flatMap(({ cause, why, source, ...byLanguage }) =>
  Object.entries(byLanguage).flatMap(([language, names]) =>
    names.map((name): KnownMiss => ({ language: language as JudgeLanguage, name, cause, why, source })),
  ),
);
