import type { ReasonRow } from '../payment/terms/reasons-data.ts';
import { commonProblems } from './common.ts';

/** `paid`: a paid route may answer it. */
export type ProblemRow = ReasonRow & { paid: boolean };

type ProblemWords = readonly [title: string, means: string, next: string];

const definePaidProblem = (status: number, ...[title, means, next]: ProblemWords): ProblemRow => ({
  status,
  title,
  means,
  next,
  paid: true,
});
const defineFreeProblem = (status: number, ...[title, means, next]: ProblemWords): ProblemRow => ({
  status,
  title,
  means,
  next,
  paid: false,
});

/** Problems that have nothing to do with a payment. */
export const generalProblems = {
  invalid_json: { ...commonProblems.invalid_json, paid: true },
  body_broken_off: { ...commonProblems.body_broken_off, paid: true },
  body_too_large: { ...commonProblems.body_too_large, paid: true },
  unsupported_media_type: { ...commonProblems.unsupported_media_type, paid: true },
  invalid_body: { ...commonProblems.invalid_body, paid: true },
  niche_names_brand: definePaidProblem(
    422,
    'The niche names a measured brand, so every question would name it',
    'An answer to a question that names the brand says nothing about how well the brand is known.',
    'Describe the niche without the brand, such as "running shoes", and send the request again.',
  ),
  not_publishable: definePaidProblem(
    422,
    'This report cannot be published',
    'Only audits of the start page of a site, with all four scores and the detected profile, can be public.',
    'Buy a full audit of the start page without a profile, and publish that report.',
  ),
  method_not_allowed: { ...commonProblems.method_not_allowed, paid: true },
  rate_limited: { ...commonProblems.rate_limited, paid: true },
  loop_detected: definePaidProblem(
    508,
    'An audit of this service asked for another audit',
    'The audited address leads back to this service, so the audit would never end; it was stopped.',
    'Audit an address that does not belong to this service.',
  ),
  internal_error: { ...commonProblems.internal_error, paid: true },
  insufficient_scope: { ...commonProblems.insufficient_scope, paid: false },
  stopped: defineFreeProblem(
    503,
    'The preview was stopped',
    'The connection ended before the preview was complete.',
    'Run the preview again, and leave the page open until it ends.',
  ),
  not_found: { ...commonProblems.not_found, paid: false },
  unknown_capability: defineFreeProblem(
    404,
    'No capability of this name',
    'The last part of the address is not a capability of this service.',
    'Take the name from GET /api/agent/index, which is free.',
  ),
  report_not_found: defineFreeProblem(
    404,
    'No report under this id',
    'The address is misspelt, the report was deleted, or its payment was not settled.',
    'Check the address against the answer to the purchase, or run a new audit or measurement.',
  ),
  publish_refused: defineFreeProblem(
    403,
    'The publish token is not that of this report',
    'Only the buyer of a report can publish it or take it back.',
    'Copy publish_token from the answer to the purchase of this report.',
  ),
  history_not_found: defineFreeProblem(
    404,
    'Nothing is published about this host',
    'A history begins with the first report that its buyer publishes.',
    'Run an audit of the site, and publish its report.',
  ),
  report_expired: defineFreeProblem(
    410,
    'This report has expired',
    'Reports can be read for 30 days; that time is over for this one.',
    'Run a new audit or measurement to see the current state.',
  ),
  not_acceptable: defineFreeProblem(
    406,
    'This report is not available in that form',
    'The report cannot be shown in the media type or with the file ending that was asked for.',
    'Ask for one of the forms that the detail lists; JSON always works.',
  ),
  not_comparable: defineFreeProblem(
    422,
    'These two reports cannot be compared',
    'What changed is shown between two reports of the same site address, or of the same brand and market.',
    'Open a report, and paste the address of an earlier one of the same subject into "What changed since".',
  ),
  pdf_unavailable: defineFreeProblem(
    503,
    'No PDF of this report can be made',
    'Making a PDF needs a browser, and this deployment has none, or it is busy.',
    'Open the page of the report and print it to a file, or try again later.',
  ),
  declined: defineFreeProblem(
    403,
    'The purchase was declined',
    'The price was shown, and the answer was no: nothing was bought or debited.',
    'Call another tool, or the same one again when the price is accepted.',
  ),
  invalid_view: definePaidProblem(
    400,
    'There is no such view of a result',
    'A result is read as summary, standard or full; nothing was charged.',
    'Correct `view`, or leave it out, and send the same request with the same payment again.',
  ),
  invalid_fields: definePaidProblem(
    400,
    'The selection of members cannot be read',
    '`fields` is not a list of members, or has more than 100 paths or more than 10 levels; nothing was charged.',
    'Correct `fields`, or leave it out, and send the same request again.',
  ),
  unknown_section: defineFreeProblem(
    404,
    'This report has no such section',
    'Reports have the sections that their capability fills.',
    'Take a section from the detail, or from `sections` of the summary.',
  ),
  unknown_fix: defineFreeProblem(
    404,
    'This report has no such fix',
    'A fix is read by its id, which is that of a check or of a topic.',
    'Take the id from `do_first` of the summary, or from the section `fixes`.',
  ),
  invalid_filter: defineFreeProblem(
    400,
    'The section cannot be filtered by this',
    'Sections differ in what their items can be chosen by, and each filter has its own values.',
    'Correct the filter that the detail names, or leave it out.',
  ),
  invalid_cursor: defineFreeProblem(
    400,
    'The cursor is not one of this list',
    'A cursor continues the list that gave it, with the same filters, and no other.',
    'Ask for the first page without a cursor, and pass `next_cursor` of each answer on unchanged.',
  ),
  run_not_found: defineFreeProblem(
    404,
    'No answers under this id',
    'The id is misspelt, the measurement was not paid, or its 30 days are over.',
    'Take run_id from the report of the measurement, or measure again.',
  ),
  operator_sign_in_required: defineFreeProblem(
    401,
    'Sign in as the operator, and send the cookie and its token in x-csrf-token',
    'This address is for signed-in operators.',
    'Sign in at /console/, then send the cookie and its token.',
  ),
  foreign_origin: defineFreeProblem(
    403,
    'Only pages of this service may send this',
    'The browser says that the form was sent by a page of another site.',
    'Open the page of this service and send the form from there; programs use the API.',
  ),
  operator_only: defineFreeProblem(
    403,
    'This is for operators',
    'The account that you signed in with is not an operator.',
    'Sign in with an operator account, or ask an operator to do it.',
  ),
  operator_enabled: defineFreeProblem(
    403,
    'Only this operator, or the holder of the operator secret, can change this secret',
    'Other operators may set secrets only for operators that are disabled.',
    'Ask that operator to change the secret, or use the operator secret of the deployment.',
  ),
  sign_in_too_old: defineFreeProblem(
    403,
    'Sign in again: this makes or ends a credential',
    'Changes of credentials need a recent sign-in.',
    'Sign out, sign in again, and repeat the change.',
  ),
  limit_reached: { ...commonProblems.limit_reached, paid: false },
  already_created: defineFreeProblem(
    409,
    'This was created by an earlier request with the same Idempotency-Key',
    'The earlier request was carried out, and the secret that it made was in its answer alone.',
    'Use what has the id of the detail; where its secret is lost, delete it and create another with a new key.',
  ),
  last_operator: defineFreeProblem(
    409,
    'No one else could sign in as an operator: make another operator first',
    'Without this operator the service would have none.',
    'Add a second operator, then repeat the change.',
  ),
  directory_user_taken: defineFreeProblem(
    409,
    'Another operator has this directory user id',
    'A directory user belongs to one operator.',
    'Choose another user id, or remove it from the other operator first.',
  ),
  form_expired: defineFreeProblem(
    403,
    'This form is no longer valid: open the page again',
    'You have signed in again since you opened the form, or it was opened in another browser.',
    'Open the page again and send the form from there.',
  ),
  sign_in_refused: defineFreeProblem(
    403,
    'The sign-in is refused',
    'What was entered does not prove who you are.',
    'Check the address, the signature or the secret, and sign in again.',
  ),
  sign_in_needed: defineFreeProblem(
    401,
    'You are not signed in',
    'The browser sent no cookie of a session, or the session has ended.',
    'Sign in at /signin, then open the page again.',
  ),
  too_many_attempts: defineFreeProblem(
    429,
    'Too many attempts: wait before the next one',
    'Many attempts of this kind came from your network in a short time.',
    'Wait as long as Retry-After says, then try again.',
  ),
  chain_unavailable: defineFreeProblem(
    503,
    'The chain cannot be asked about this wallet now',
    'Signatures of smart wallets are checked on the chain, which did not answer.',
    'Try again in a minute.',
  ),
  invalid_address: defineFreeProblem(
    422,
    'That is not an Ethereum address',
    'An address is 0x and 40 hexadecimal digits.',
    'Copy the address from your wallet.',
  ),
  invalid_cap: defineFreeProblem(
    422,
    'The daily limit is out of range',
    'The limit is not a number, or is outside the range that can be set.',
    'Enter an amount in dollars inside the range that the form names.',
  ),
  invalid_authorization_request: defineFreeProblem(
    400,
    'This authorization request cannot be answered',
    'The app that sent you here asked in a way that OAuth does not allow.',
    'Start the sign-in again from the app; if it fails again, report it to the maker of the app.',
  ),
  revocation_unfinished: defineFreeProblem(
    503,
    'The access has ended, but not every part of the service has heard of it yet',
    'Several places hold tokens, and some did not answer. Until they do, a token may still be accepted there.',
    'Wait: the service goes on by itself, every 5 seconds, until all have heard. Access tokens end within the hour in any case.',
  ),
  consent_not_kept: defineFreeProblem(
    503,
    'The app was given no access',
    'A part of the service that keeps what you allowed did not answer in time.',
    'Start the sign-in again from the app, in a minute.',
  ),
  sign_in_unavailable: defineFreeProblem(
    503,
    'Sign-ins and accounts cannot be looked up now',
    'A part of the service that keeps them did not answer in time. What you sent may still have been done.',
    'Wait as long as Retry-After says, look whether it was done, and if not, send it again.',
  ),
  account_not_deleted: defineFreeProblem(
    422,
    'The account was not deleted',
    'Something has to be said or ended first. Nothing was changed.',
    'Open /account/delete, read what it asks for, and send the form from there.',
  ),
  grant_not_found: defineFreeProblem(
    404,
    'This app has no access to your account',
    'The access was taken away before, or never given.',
    'Open /account again to see which apps have access.',
  ),
  invalid_host: { ...commonProblems.invalid_host, paid: false },
  wrong_host: { ...commonProblems.wrong_host, paid: false },
  front_secret_wrong: { ...commonProblems.front_secret_wrong, paid: false },
  caller_address_missing: { ...commonProblems.caller_address_missing, paid: false },
} as const satisfies Readonly<Record<string, ProblemRow>>;
