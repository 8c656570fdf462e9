import type { FetchFailure } from './fetched.ts';

/** What stops the reading of a site; `refused` is an answer that shuts every reader out. */
export type ReadFailure = FetchFailure | 'refused';

/** What a failure means for people, and what to do about it. */
export type FailureWords = { means: string; next: string };

/** A row for each failure: pages, problems, MCP results and the command line read the same one. */
export const failureWords: Readonly<Record<ReadFailure, FailureWords>> = {
  invalid_url: {
    means: 'This is not a web address.',
    next: 'Write it as in a browser, such as https://example.com/.',
  },
  scheme_refused: {
    means: 'Only http and https addresses can be read.',
    next: 'Use the https address of the page, such as https://example.com/page.',
  },
  credentials_refused: {
    means: 'The address contains a user name or a password.',
    next: 'Leave them out: what needs a sign-in is not visible to AI systems either.',
  },
  port_refused: {
    means: 'Only the usual ports of websites are read.',
    next: 'Use the address that visitors of the site use.',
  },
  private_target: {
    means: 'The address leads into a private network.',
    next: 'Use the public address of the site, or audit it from your own machine with the command line.',
  },
  redirect_loop: {
    means: 'The site redirects in a circle.',
    next: 'Follow it with curl -IL, and check the redirects between http and https, and with and without www.',
  },
  too_many_redirects: {
    means: 'The site redirects more often than we follow.',
    next: 'Follow it with curl -IL, then start from the last address or shorten the chain.',
  },
  bad_redirect: {
    means: 'The site redirects to an address that cannot be read.',
    next: 'Check the Location header of the redirect with curl -I, and correct it.',
  },
  budget_exhausted: {
    means: 'The audit reached its limit of requests, bytes or time before it had read this page.',
    next: 'Run the audit again. If this happens again, check how large the page is and how long it takes to load.',
  },
  encoding_refused: {
    means: 'The page is compressed in a way that we did not ask for.',
    next: 'Send gzip, Brotli or no compression, as Accept-Encoding allows. curl -I shows the Content-Encoding header.',
  },
  timeout: {
    means: 'The site did not answer in time.',
    next: 'Check with curl -I that the server is up and answers within seconds, then run the audit again.',
  },
  connection_failed: {
    means:
      'No connection could be made: the name is unknown, no server listens there, or a firewall or certificate stops us.',
    next: 'Check the spelling of the address, its DNS records, the certificate and the firewall, for example with curl -I.',
  },
  body_failed: {
    means: 'The answer began and then broke off, or could not be unpacked.',
    next: 'Try again. If this happens again, check the server log, and Content-Length and Content-Encoding of the page.',
  },
  refused: {
    means: 'The site answers, but refuses every reader that we came as.',
    next: 'Allow the audit in your firewall or bot protection, or audit from a network that is let in.',
  },
};
