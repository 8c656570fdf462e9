import type { ApiProblemCode } from '../../problems/codes.ts';
import type { ProblemRowWords } from './word-tables.ts';

/**
 * What people read where the words of a problem are for programs: what happened, what it means, what to do next. Any other
 * problem has one text for both.
 */
export const englishProblems: Readonly<Partial<Record<ApiProblemCode, ProblemRowWords>>> = {
  not_found: [
    'This page does not exist',
    'Nothing is at this address: it may be misspelt, or the page has moved.',
    'Check the address, or begin at the start page.',
  ],
  report_not_found: [
    'There is no report at this address',
    'The address is misspelt, the report was deleted, or its payment was not settled.',
    'Check the address against the one that you got after the purchase, or run a new audit or measurement.',
  ],
  run_not_found: [
    'The answers of this measurement are not here',
    'The address is misspelt, the measurement was not paid, or its 30 days are over.',
    'Open the report of the measurement, or measure again.',
  ],
  history_not_found: [
    'Nothing is published about this site',
    'A history begins with the first report that its buyer publishes.',
    'Audit the site, and publish its report.',
  ],
  not_comparable: [
    'These two reports cannot be compared',
    'What changed is shown between two reports of the same site address, or of the same brand and market.',
    'Open a report, and paste the address of an earlier one of the same subject into “What changed since”.',
  ],
  not_acceptable: [
    'This report has no such form',
    'The ending of the address asks for a form that this report does not have.',
    'Open the page of the report: it leads to each form that there is.',
  ],
  pdf_unavailable: [
    'No PDF of this report can be made now',
    'Making a PDF needs a browser, and this service has none, or it is busy.',
    'Open the page of the report and print it to a PDF, or try again in a minute.',
  ],
  niche_names_brand: [
    'The market names a measured brand, so every question would name it',
    'An answer to a question that names the brand says nothing about how well the brand is known.',
    'Describe the market without the brand, such as “running shoes”.',
  ],
  method_not_allowed: [
    'This address takes no such request',
    'There is something at this address, but not for what was sent.',
    'Begin at the start page, and send the form from its own page.',
  ],
  foreign_origin: [
    'This form was not sent from a page of this service',
    'The browser says that a page of another site sent it, so it was not read.',
    'Open the page of this service, and send the form from there.',
  ],
  invalid_json: [
    'The form did not arrive as it was sent',
    'What arrived cannot be read. Nothing was done.',
    'Open the page again, and send its form once more.',
  ],
  unsupported_media_type: [
    'The form did not arrive as it was sent',
    'What arrived is not what a form of this service sends. Nothing was done.',
    'Open the page again, and send its form once more.',
  ],
  invalid_body: [
    'Something in the form is missing or has another shape',
    'What arrived is not what this form can contain. Nothing was done.',
    'Open the page again, correct the form, and send it once more.',
  ],
  body_too_large: [
    'The form is too long',
    'More text arrived than this page takes. Nothing was done.',
    'Go back, shorten what you filled in, and send the form again.',
  ],
  rate_limited: [
    'Too many requests in a short time',
    'The limit for your network or account is used up for now.',
    'Wait a little, then load the page again.',
  ],
  internal_error: [
    'Something failed in this service',
    'It failed in a way that we did not expect.',
    'Load the page again. If it fails again, write to the operator and name the request below.',
  ],
  sign_in_needed: [
    'You are not signed in',
    'You have not signed in yet, or your sign-in has ended.',
    'Sign in, then open the page again.',
  ],
  sign_in_refused: [
    'The sign-in did not work',
    'What was entered does not prove who you are.',
    'Check the address, the signature or the secret, and sign in again.',
  ],
  sign_in_unavailable: [
    'Sign-ins and accounts cannot be read now',
    'A part of the service did not answer in time. What you sent may still have been done.',
    'Wait some seconds, look whether it was done, and if not, send it again.',
  ],
  too_many_attempts: [
    'Too many attempts: wait before the next one',
    'Many attempts of this kind came from your network in a short time.',
    'Wait a few minutes, then try again.',
  ],
  chain_unavailable: [
    'Your wallet cannot be checked now',
    'Signatures of smart wallets are checked on the chain, which did not answer.',
    'Try again in a minute.',
  ],
  account_not_deleted: [
    'The account was not deleted',
    'Something has to be said or ended first. Nothing was changed.',
    'Open the page that deletes an account, read what it asks for, and send the form from there.',
  ],
  cards_unavailable: [
    'Credits cannot be bought by card now',
    'Cards are not set up here, or the payment service did not answer. Nothing was charged.',
    'Open the page of your credits again in a minute, or pay with USDC.',
  ],
  sign_in_way_refused: [
    'The ways to sign in were not changed',
    'This way cannot be added to the account, or removed from it. Nothing was changed.',
    'Open the page with the ways to sign in, and read what the detail asks for.',
  ],
  grant_not_found: [
    'This app has no access to your account',
    'The access was taken away before, or never given.',
    'Open your account to see which apps have access.',
  ],
  invalid_authorization_request: [
    'The app cannot sign you in this way',
    'The app that sent you here asked in a way that is not allowed.',
    'Start the sign-in again from the app; if it fails again, report it to the maker of the app.',
  ],
  ledger_unavailable: [
    'The service cannot look up payments now; nothing was charged',
    'The part of the service that knows which reports are paid did not answer.',
    'Load the page again in some seconds.',
  ],
  not_configured: [
    'This service is not set up for that',
    'A setting is missing, so nothing can be bought or published here.',
    'Write to the operator of the service.',
  ],
};
