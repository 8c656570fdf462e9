import type { FetchFailure } from '../../net/fetched.ts';

/** What it means that a site could not be read, and what to check: a row for each reason. */
export const unreachableRows: Readonly<Record<FetchFailure | 'refused', { means: string; next: string }>> = {
  invalid_url: {
    means: 'This is no web address.',
    next: 'Write it like example.com or https://example.com/page.',
  },
  scheme_refused: {
    means: 'Only http and https addresses can be read.',
    next: 'Write it like example.com or https://example.com/page.',
  },
  credentials_refused: {
    means: 'The address holds a user name or password.',
    next: 'Leave them out: what needs a sign-in is not visible to AI systems either.',
  },
  port_refused: { means: 'This port is not one of a website.', next: 'Name the address that visitors use.' },
  private_target: {
    means: 'The site led to a private address, which is read only where you name it.',
    next: 'Audit that address itself, or correct the redirect or DNS record.',
  },
  redirect_loop: {
    means: 'The site redirects in a circle.',
    next: 'Follow it with curl -IL and correct the redirects.',
  },
  too_many_redirects: {
    means: 'The site redirects too many times.',
    next: 'Follow it with curl -IL and name the last address.',
  },
  bad_redirect: { means: 'The site redirects to something that is no web address.', next: 'Check it with curl -I.' },
  budget_exhausted: {
    means: 'The time or size limit of an audit was reached before the start page was read.',
    next: 'Check how long the start page takes, and how large it is.',
  },
  encoding_refused: {
    means: 'The answer is compressed in a way that cannot be read.',
    next: 'Check the Content-Encoding header with curl -I.',
  },
  timeout: {
    means: 'The site did not answer in time.',
    next: 'Check that it is up and answers within seconds: curl -I.',
  },
  connection_failed: {
    means: 'No connection could be made.',
    next: 'Check the spelling, that the site is up, and that this machine reaches it: curl -I.',
  },
  body_failed: {
    means: 'The connection broke while the page was read.',
    next: 'Try again, and check the server if it happens again.',
  },
  refused: {
    means: 'The site refuses the auditor, so there is no page to judge.',
    next: 'Check what its firewall or bot protection does with unknown agents.',
  },
};
