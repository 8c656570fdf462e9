import { html, redirect } from '../../../support/audit/site-fetch.ts';
import { pageHtml } from '../document.ts';
import { planted, type TruthSite } from '../truth-site.ts';

/** A choir whose address has moved four times, each time by one more temporary redirect. */
export const moved: TruthSite = {
  name: 'moved',
  map: {
    '/': redirect('/index.html', 302),
    '/index.html': redirect('/choir', 302),
    '/choir': redirect('/choir/', 302),
    '/choir/': redirect('/choir/welcome', 302),
    '/choir/welcome': html(
      pageHtml({
        path: '/choir/welcome',
        title: 'The mill choir sings on Thursdays',
        description:
          'A mixed choir of forty that meets in the old mill on Thursdays and sings in the church at Easter.',
        content:
          '# The mill choir sings on Thursdays\n\nWe are a mixed choir of forty and meet in the old mill at half past seven. New voices are welcome after the summer, and tenors at any time. Nobody has to read music, but it helps to like rain, because the mill leaks. We sing in the church at Easter and on the green in June.',
      }),
    ),
  },
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'The chain of redirects ends in 200 with text/html.',
      'aeo.index.canonical': 'The canonical link names the page at the end of the chain.',
    },
    fail: {
      'aeo.reach.redirect-chain': 'Four redirects lead from / to the page.',
    },
  }),
};
