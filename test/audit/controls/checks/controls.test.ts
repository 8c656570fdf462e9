import { describe, expect, test } from 'vitest';
import { isAutofillToken } from '../../../../src/audit/controls/facts/forms.ts';
import { findStateChangeWord } from '../../../../src/audit/controls/facts/state-changes.ts';
import { json, notFound, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { AGENT_TABLE, page } from '../../../support/audit/agent-site.ts';
import { judgeCheck, testChecks } from '../../../support/audit/judge-check.ts';
import { pageOf, prose, RESULTS, searchForm, startWith } from '../../../support/audit/pages.ts';

const links = (count: number): string => '<a href="/x">x</a>'.repeat(count);

testChecks(
  {
    'agent.ui.autocomplete': [
      [
        'fields with tokens pass',
        '<input type="email" autocomplete="email"><input name="firstName" autocomplete="given-name">',
        'pass',
        /2 of 2/,
      ],
      [
        'one of two is partial',
        '<input type="tel" autocomplete="tel"><input name="billing[street_address]">',
        'partial',
        /1 of 2/,
        { value: 0.5 },
      ],
      ['no token fails', '<input type="email"><input type="tel">', 'fail', /0 of 2/],
      ['off is no token', '<input type="email" autocomplete="off">', 'fail', /0 of 1/],
      ['a made-up token fails', '<input name="phone" autocomplete="phone">', 'fail', /0 of 1/],
      [
        'other fields are not applicable',
        '<input name="q" type="search"><input name="username"><input name="filename"><input type="submit" name="email">',
        'not_applicable',
        /asks for no name/,
      ],
      ['a name in another language', '<input name="gast_name"><input name="fon"><input name="plz">', 'fail', /0 of 3/],
      [
        'a field that only its label names',
        '<label for="a">Full name *</label><input id="a" name="f1"><label>Straße (Pflichtfeld)<input name="f2"></label>',
        'fail',
        /0 of 2/,
      ],
      [
        'a label of another thing',
        '<label>Product name<input name="f1"></label>',
        'not_applicable',
        /asks for no name/,
      ],
      ['hidden fields are not applicable', '<input type="email" hidden>', 'not_applicable', /asks for no name/],
    ],
    'agent.ui.native-controls': [
      ['native controls pass', `${links(4)}<button>x</button>`, 'pass', /^0 of 5/],
      ['one of twenty without words passes', `${links(19)}<div onclick="x()"></div>`, 'pass', /^1 of 20/],
      [
        'one of twenty that says the same as a link passes',
        `${links(19)}<a href="/buy">Buy</a><div onclick="x()">Buy</div>`,
        'pass',
        /^1 of 21/,
      ],
      [
        'one of thirty that nothing else says is partial',
        `${links(29)}<div onclick="x()">Buy</div>`,
        'partial',
        /^1 of 30 .* 1 of them says/,
      ],
      ['the only control of a page fails', '<div onclick="x()">Buy</div>', 'fail', /^1 of 1/],
      ['a handler of a library is one', `${links(4)}<div @click="x()">Buy</div>`, 'fail', /^1 of 5/],
      [
        'three of twenty are partial',
        `${links(17)}${'<div onclick="x()">x</div>'.repeat(3)}`,
        'partial',
        /^3 of 20/,
        { value: 0.85 },
      ],
      ['a quarter fails', `${links(15)}${'<span onclick="x()">x</span>'.repeat(5)}`, 'fail', /^5 of 20/],
      ['a role without a tabindex is a ghost', `${links(4)}<div role="button">x</div>`, 'fail', /^1 of 5/],
      [
        'a made-up role is a ghost',
        `${links(4)}<div onclick="x()" role="butt0n" tabindex="0">x</div>`,
        'fail',
        /^1 of 5/,
      ],
      [
        'a role with a tabindex is in the tree',
        `${links(4)}<div role="button" tabindex="0">x</div>`,
        'pass',
        /^0 of 5/,
      ],
      ['a hidden one does not count', `${links(5)}<div onclick="x()" hidden>x</div>`, 'pass', /^0 of 5/],
      ['fewer than five are not applicable', links(4), 'not_applicable', /fewer than 5/],
    ],
    'agent.ui.forms-no-js': [
      ['an action passes', '<form action="/s" method="post"><input name="a"></form>', 'pass', /1 of 1/],
      [
        'one of two is partial',
        '<form action="/s"><input name="a"></form><form><input name="a"></form>',
        'partial',
        /1 of 2/,
        { value: 0.5 },
      ],
      ['no action fails', '<form><input></form>', 'fail', /0 of 1/],
      ['an empty action fails', '<form action=""><input></form>', 'fail', /0 of 1/],
      ['a fragment fails', '<form action="#"><input></form>', 'fail', /0 of 1/],
      ['a script fails', '<form action="javascript:go()"><input></form>', 'fail', /0 of 1/],
      [
        'a form that closes a dialog is not applicable',
        '<form method="dialog"><button>x</button></form>',
        'not_applicable',
        /has a form/,
      ],
      ['a form without controls is not applicable', '<form action="#"></form>', 'not_applicable', /has a form/],
      [
        'fields without a name fail',
        '<form action="/s" method="post"><input id="a"></form>',
        'fail',
        /nothing is sent/,
      ],
      [
        'a button that only a script hears fails',
        '<form action="/s" method="post"><input name="a"><input name="b"><button type="button">Go</button></form>',
        'fail',
        /no button/,
      ],
      [
        'a password by GET fails',
        '<form action="/s"><input name="a"><input type="password" name="b"><button>Go</button></form>',
        'fail',
        /by GET/,
      ],
      [
        'a field for a mail address in no form fails',
        '<input type="email"><button>Go</button>',
        'fail',
        /outside any form/,
      ],
      [
        'a field that names its form is in it',
        '<form id="f" action="/s" method="post"><button>Go</button></form><input type="email" name="m" form="f">',
        'pass',
        /1 of 1/,
      ],
      ['no forms are not applicable', '<input>', 'not_applicable', /has a form/],
    ],
  },
  { site: (body) => pageOf(body + prose(80)) },
);

test.each([
  ['email', true],
  ['Work TEL', true],
  ['section-a shipping street-address', true],
  ['billing home tel-national', true],
  ['username webauthn', true],
  ['section-a', false],
  ['home name', false],
  ['email shipping', false],
  ['on', false],
  ['nope', false],
  ['name name', false],
  ['webauthn', false],
  ['', false],
])('the autocomplete value "%s" names a field: %s', (value, is) => {
  expect(isAutofillToken(value)).toBe(is);
});

test.each([
  ['/users/5/delete', 'delete'],
  ['/sign_out', 'sign_out'],
  ['/logout.php?next=/', 'logout.php'],
  ['/wp-login.php?action=logout&_wpnonce=1', 'logout'],
  ['/cart?remove_item=abc', 'remove_item'],
  ['/Unsubscribe', 'unsubscribe'],
  ['/delete-account', 'delete-account'],
  ['/deleted', undefined],
  ['/help/delete-account', undefined],
  ['/removals', undefined],
  ['/?action=deleted-scenes', undefined],
  ['/?q=delete', undefined],
  [`/?${'a=1&'.repeat(60)}delete=1`, undefined],
])('the address %s tells of the change %s', (path, change) => {
  expect(findStateChangeWord(new URL(path, 'https://acme.example'))).toBe(change);
});

test('a form on a page beside the start page is judged', async () => {
  const map: SiteMap = {
    '/': page('<a href="/contact">Contact</a>'),
    '/contact': page('<form><label>Text <textarea name="t"></textarea></label><button>Send</button></form>'),
  };
  const outcome = await judgeCheck('agent.ui.forms-no-js', map);
  expect(outcome).toMatchObject({ status: 'fail', evidence: [{ url: `${SITE}/contact` }] });
});

describe('a form without an action that searches', () => {
  test.each([
    ['counts as one that can be sent when its results have text', RESULTS, 'pass'],
    ['does not when it leads nowhere', notFound, 'fail'],
  ] as const)('%s', async (_name, results, gives) => {
    const map: SiteMap = { '/': startWith(searchForm('')), '/?q=test': results };
    expect(await judgeCheck('agent.ui.forms-no-js', map)).toMatchObject({ status: gives });
  });
});

testChecks<SiteMap>(
  {
    'agent.ui.form-labels': [
      [
        'labelled fields pass',
        {
          '/': page(
            '<label for="a">A</label><input id="a"><label>B <select></select></label><textarea aria-label="C"></textarea>',
          ),
        },
        'pass',
        /3 of 3/,
      ],
      [
        'a placeholder is a name',
        { '/': page('<input aria-label="A"><input placeholder="B">') },
        'pass',
        /2 of 2 fields have a name, 1 of them only a placeholder/,
        { value: 1 },
      ],
      [
        'one of two without a name is partial',
        { '/': page('<input placeholder="A"><input placeholder=" ">') },
        'partial',
        /1 of 2 fields have a name/,
        { value: 0.5 },
      ],
      ['nameless fields fail', { '/': page('<input><input>') }, 'fail', /0 of 2/],
      [
        'hidden fields and buttons are no fields',
        { '/': page('<input type="hidden"><input type="submit"><button>x</button>') },
        'not_applicable',
        /no form fields/,
      ],
      ['no fields are not applicable', { '/': page('<p>x</p>') }, 'not_applicable', /no form fields/],
      [
        'fields of a closed menu count where there are no others',
        { '/': page('<div style="display:none"><input name="q" placeholder="Search"></div>') },
        'pass',
        /1 of 1 field/,
      ],
      [
        'fields of a closed menu do not count beside others',
        { '/': page('<input aria-label="A"><div hidden><input name="q"></div>') },
        'pass',
        /1 of 1 field/,
      ],
      [
        'a field that is hidden by itself, or off the screen, is a trap for robots',
        { '/': page('<input style="display:none"><p style="left:-9999px"><input></p>') },
        'not_applicable',
        /no form fields/,
      ],
      [
        'a switch of the menu beside a picture is no field, with a label it is one',
        {
          '/': page(
            '<input aria-label="A"><input type="checkbox" id="menu-toggle"><input type="radio" class="hide slide">' +
              '<label><input type="checkbox" id="night-switch">Night</label><input type="checkbox" name="terms">',
          ),
        },
        'partial',
        /2 of 3 fields/,
      ],
      ...['modal', 'modal fade'].map(
        (name) =>
          [
            `fields of a closed dialog (${name}) do not count beside others`,
            {
              '/': page(
                `<input aria-label="A"><div class="${name}"><div class="modal-dialog"><input><select></select></div></div>`,
              ),
            },
            'pass',
            /1 of 1 field/,
          ] as const,
      ),
      ...['modal show', 'modally'].map(
        (name) =>
          [
            `fields of an open dialog (${name}) count`,
            { '/': page(`<input aria-label="A"><div class="${name}"><div class="modal-dialog"><input></div></div>`) },
            'partial',
            /1 of 2 fields/,
          ] as const,
      ),
      ['a start page that is no HTML is unknown', { '/': json({}) }, 'unknown', /not_html/],
    ],
    'agent.ui.control-names': [
      [
        'a name may come from what is inside',
        {
          '/': page(
            '<button><img alt="Find" src="/f.svg"></button><button><svg aria-label="Find"><path/></svg></button>' +
              '<a href="/a"><svg><title>Shop</title><path/></svg></a><a href="/b"><i aria-label="Map"></i></a>' +
              '<a href="/c"><i title="Mail"></i></a><button><span><svg role="img" aria-label="Close"/></span></button>',
          ),
        },
        'pass',
        /100% of 6/,
      ],
      [
        'what is hidden inside names nothing',
        {
          '/': page(
            '<a href="/a"><svg aria-hidden="true" aria-label="Shop"><title>Shop</title></svg></a>' +
              '<a href="/b"><i aria-hidden="true" title="Map"></i></a><a href="/c"><svg><path/></svg></a>' +
              '<button><i></i></button><p title="Lamps">Lamps</p><svg><title>Lamps</title></svg>',
          ),
        },
        'fail',
        /0% of 4/,
      ],
      [
        'a button without a value has the word of the browser, one with an empty value has none',
        { '/': page('<input type="submit"><input type="submit" value=""><input type="button">') },
        'fail',
        /33.3% of 3/,
      ],
      [
        'named buttons and links pass',
        { '/': page('<button>Go</button><a href="/x">X</a><input type="submit"><a href="/y"><img alt="Y"></a>') },
        'pass',
        /100% of 4/,
      ],
      [
        'one nameless of ten is partial',
        { '/': page(`${'<a href="/x">X</a>'.repeat(9)}<button></button>`) },
        'partial',
        /90% of 10/,
      ],
      [
        'three of four are partial',
        { '/': page(`${'<a href="/x">X</a>'.repeat(3)}<button></button>`) },
        'partial',
        /75% of 4/,
      ],
      ['nameless ones fail', { '/': page('<a href="/x"><svg></svg></a><button></button>') }, 'fail', /0% of 2/],
      ['an image button without alt fails', { '/': page('<input type="image">') }, 'fail', /0% of 1/],
      ['hidden ones do not count', { '/': page('<a href="/x" hidden></a>') }, 'not_applicable', /no buttons/],
      ['a page without either is not applicable', { '/': page('<p>x</p>') }, 'not_applicable', /no buttons/],
    ],
  },
  AGENT_TABLE,
);
