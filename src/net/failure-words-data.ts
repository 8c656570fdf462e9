import type { FetchFailure } from './fetched.ts';

/** What a failure means for people, and what to do about it; `refused` is an answer that shuts every reader out. */
export const failureWords: Readonly<Record<FetchFailure | 'refused', { means: string; next: string }>> = {
  invalid_url: {
    means: 'That is no address.',
    next: 'Write it as in a browser, such as https://example.com/.',
  },
  scheme_refused: {
    means: 'Only http and https addresses are read.',
    next: 'Use the https address of the page.',
  },
  credentials_refused: {
    means: 'The address contains a user name or a password.',
    next: 'Leave them out: pages behind a sign-in are not audited.',
  },
  port_refused: {
    means: 'Only the usual ports of websites are read.',
    next: 'Use the public address of the site, without a port.',
  },
  private_target: {
    means: 'The address leads into a private network.',
    next: 'Use the public address of the site, or audit it from your own machine with the command line.',
  },
  redirect_loop: {
    means: 'The site redirects in a circle.',
    next: 'Check the redirects between http and https, and with and without www.',
  },
  too_many_redirects: {
    means: 'The site redirects more often than we follow.',
    next: 'Start from the address at the end of the redirects, or shorten the chain.',
  },
  bad_redirect: {
    means: 'The site redirects to an address that cannot be read.',
    next: 'Correct the Location header of the redirect.',
  },
  budget_exhausted: {
    means: 'The audit used up its requests or bytes before this page.',
    next: 'Run the audit again; if it happens again, audit a smaller page.',
  },
  encoding_refused: {
    means: 'The page is compressed in a way that we did not ask for.',
    next: 'Send gzip, Brotli or no compression, as Accept-Encoding allows.',
  },
  timeout: {
    means: 'The site did not answer in time.',
    next: 'Check that the server is up and not overloaded, then run the audit again.',
  },
  connection_failed: {
    means:
      'No connection came about: the name is unknown, no server listens there, or a firewall or certificate stops us.',
    next: 'Check the spelling of the address, its DNS records, the certificate and the firewall.',
  },
  body_failed: {
    means: 'The answer began and then broke off, or could not be unpacked.',
    next: 'Check the server log for errors, and Content-Length and Content-Encoding of the page.',
  },
  refused: {
    means: 'The site answers, but shuts out every reader that we came as.',
    next: 'Allow the audit in your firewall or bot protection, or audit from a network that is let in.',
  },
};
