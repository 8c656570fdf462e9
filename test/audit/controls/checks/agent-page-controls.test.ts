import { expect, test } from 'vitest';
import { findStateChangeWord, isAutofillToken } from '../../../../src/audit/controls/facts/forms.ts';
import { type Row, testChecks } from '../../../support/audit/judge-check.ts';
import { pageOf, prose } from '../../../support/audit/pages.ts';

const links = (count: number): string => '<a href="/x">x</a>'.repeat(count);
const CAPTCHA = '<script src="https://www.google.com/recaptcha/api.js"></script>';
const SEARCH = '<form action="/s"><input name="q" type="search"></form>';
const LETTER =
  '<form method="post" action="/l"><input name="email" type="email"><input name="first" type="text"></form>';
const refresh = (content: string): string => `<meta http-equiv="refresh" content="${content}">`;

const rows: Readonly<Record<string, readonly Row<string>[]>> = {
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
    ['hidden fields are not applicable', '<input type="email" hidden>', 'not_applicable', /asks for no name/],
  ],
  'agent.ui.native-controls': [
    ['native controls pass', `${links(4)}<button>x</button>`, 'pass', /^0 of 5/],
    ['one of twenty passes', `${links(19)}<div onclick="x()">x</div>`, 'pass', /^1 of 20/],
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
    ['a role with a tabindex is in the tree', `${links(4)}<div role="button" tabindex="0">x</div>`, 'pass', /^0 of 5/],
    ['a hidden one does not count', `${links(5)}<div onclick="x()" hidden>x</div>`, 'pass', /^0 of 5/],
    ['fewer than five are not applicable', `${links(3)}<div onclick="x()">x</div>`, 'not_applicable', /fewer than 5/],
  ],
  'agent.ui.forms-no-js': [
    ['an action passes', '<form action="/s" method="post"><input></form>', 'pass', /1 of 1/],
    [
      'one of two is partial',
      '<form action="/s"><input></form><form><input></form>',
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
      /no forms/,
    ],
    ['a form without controls is not applicable', '<form action="#"></form>', 'not_applicable', /no forms/],
    ['no forms are not applicable', '<input>', 'not_applicable', /no forms/],
  ],
  'agent.ui.captcha': [
    [
      'a captcha beside a contact form passes',
      `${CAPTCHA}<form method="post"><textarea name="m"></textarea></form>`,
      'pass',
      /recaptcha/,
    ],
    [
      'beside a script-driven sign-up it passes',
      `${CAPTCHA}<form><input type="email"><input type="password"></form>`,
      'pass',
      /recaptcha/,
    ],
    ['beside search and letter it is partial', CAPTCHA + SEARCH + LETTER, 'partial', /search or order/, { value: 0.5 }],
    [
      'beside a choice of languages it is partial',
      `${CAPTCHA}<form><select name="lang"></select></form>`,
      'partial',
      /search or order/,
    ],
    ['without a form it is partial', CAPTCHA, 'partial', /without a form/, { value: 0.5 }],
    ['no captcha is not applicable', LETTER, 'not_applicable', /no captcha/],
  ],
  'agent.ui.dangerous-get': [
    ['a link that deletes fails', '<a href="/basket?action=delete&item=4">x</a>', 'fail', /1 link/],
    ['a link that signs out fails', '<a href="/account/logout">x</a><a href="/about">y</a>', 'fail', /1 link/],
    ['on a sister host it fails', '<a href="https://shop.acme.example/?add-to-cart=9">x</a>', 'fail', /1 link/],
    ['marked nofollow it passes', '<a href="/?add-to-cart=9" rel="nofollow">x</a>', 'pass', /nofollow/],
    ['one of two unmarked fails', '<a href="/logout" rel="nofollow">x</a><a href="/delete">y</a>', 'fail', /1 link/],
    ['a title with such a word is not applicable', '<a href="/how-to-remove-rust">x</a>', 'not_applicable', /No link/],
    ['documentation of it is not applicable', '<a href="/docs/api/delete">x</a>', 'not_applicable', /No link/],
    ['another site is not applicable', '<a href="https://other.example/logout">x</a>', 'not_applicable', /No link/],
  ],
  'agent.ui.refresh': [
    ['a reload after 30 seconds fails', refresh('30'), 'fail', /after 30 seconds/],
    ['a redirect after 5 seconds fails', refresh('5; url=/x'), 'fail', /after 5 seconds/],
    ['more than 20 hours pass', refresh('72001'), 'pass', /20 hours/],
    ['20 hours fail', refresh('72000'), 'fail', /72000/],
    ['a redirect at once is for another check', refresh('0;url=/x'), 'not_applicable', /at once/],
    ['what browsers ignore is not applicable', refresh('soon'), 'not_applicable', /no meta refresh/],
    ['no refresh is not applicable', '<p>x</p>', 'not_applicable', /no meta refresh/],
  ],
};

testChecks(rows, { site: (body) => pageOf(body + prose(80)) });

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
