import { pageOf, prose } from '../../../support/audit/pages.ts';
import { testChecks } from '../../../support/audit/judge-check.ts';

const chars = (count: number): string => `<p>${'lamp '.repeat(count / 5)}</p>`;

/** A page of `bytes` bytes whose HTML holds `bloat` characters of a data: URI. */
const bloated = (bytes: number, bloat: number): string => {
  const image = `<img src="data:image/png;base64,${'A'.repeat(bloat - 22)}" alt="">`;
  const rest = pageOf(prose(80) + image);
  return pageOf(`${prose(80)}${image}<!--${'.'.repeat(bytes - rest.length - 7)}-->`);
};

testChecks<string>(
  {
    'agent.tokens.page': [
      ['50,000 characters pass', pageOf(chars(49_990)), 'pass', /About 12498 tokens/],
      ['60,000 are partial', pageOf(chars(60_000)), 'partial', /About 15000 tokens/, { value: 0.5 }],
      ['more than 100,000 fail', pageOf(chars(100_100)), 'fail', /25000 or before/],
      ['hidden text costs nothing', pageOf(`${prose(80)}<div hidden>${chars(200_000)}</div>`), 'pass', /tokens/],
      ['too few words are not applicable', pageOf(prose(40)), 'not_applicable', /fewer than 60/],
    ],
    'agent.tokens.preamble': [
      ['content at the top passes', pageOf(`<nav>Home</nav><main>${prose(200)}</main>`), 'pass', /^0\.\d%/],
      [
        'a third before the h1 is partial',
        pageOf(`<div>${prose(100)}</div><h1>Lamps</h1>${prose(200)}`),
        'partial',
        /^33/,
      ],
      ['most before main fails', pageOf(`<div>${prose(300)}</div><main>${prose(100)}</main>`), 'fail', /^7\d/],
      ['all before the h1 is 100% and no more', pageOf(`${prose(100)}<h1> </h1>`), 'fail', /^100%/],
      ['neither h1 nor main is not applicable', pageOf(prose(100)), 'not_applicable', /neither/],
      ['too few words are not applicable', pageOf(`<h1>A</h1>${prose(20)}`), 'not_applicable', /fewer than 60/],
    ],
    'agent.tokens.inline-bloat': [
      ['a fifth of 60 KB passes', bloated(60_000, 12_000), 'pass', /^20/],
      ['a third of 60 KB fails', bloated(60_000, 20_000), 'fail', /^33\.3/],
      ['a large page without any passes', bloated(60_000, 30), 'pass', /0 of data/],
      ['a small page is not applicable', bloated(50_000, 40_000), 'not_applicable', /50 KB/],
    ],
  },
  { seen: 200 },
);
