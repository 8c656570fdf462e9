import { ACCOUNT_STYLES } from './account/frame.tsx';
import { type Html, renderDocument, renderHiddenFields } from './design/shell.tsx';

/** Why someone is asked for an operator's sign-in, in our words. Pages of operators are in English. */
const REASONS = {
  stale: 'This app asks for rights of an operator: sign in again, then decide within five minutes.',
  operator: 'Only an operator of this service can give this app what it asks for.',
} as const;

export type OperatorsPage = {
  csrf: string;
  /** A path of ours, for after the sign-in. */
  returnTo: string;
  isSignedIn: boolean;
  /** The address of the console, where this deployment has one. */
  consoleUrl: string | undefined;
  /** On the local stack: where the person at this machine finds the secret. */
  secretPlace: string | undefined;
  reason: keyof typeof REASONS | undefined;
  /** The secret before was not taken. */
  isWrong?: boolean;
};

/** A reason that a query names; undefined for any other text. */
export const parseOperatorReason = (text: string | undefined): OperatorsPage['reason'] =>
  (Object.keys(REASONS) as (keyof typeof REASONS)[]).find((reason) => reason === text);

/** The door of operators: the way to the console, and the sign-in for what this Worker itself asks an operator. */
export function renderOperatorsPage(page: OperatorsPage): Html {
  const isInside = page.isSignedIn && page.reason === undefined;
  return renderDocument({
    title: 'For operators',
    narrow: true,
    nav: [],
    path: '/console/',
    styles: ACCOUNT_STYLES,
    children: (
      <>
        {page.reason === undefined ? null : <p class="note">{REASONS[page.reason]}</p>}
        {isInside ? <ConsoleWay {...page} /> : null}
        {isInside ? <SignedIn {...page} /> : <SignInForm {...page} />}
        {isInside ? null : <ConsoleWay {...page} />}
        <p class="small">
          You buy audits and are no operator? <a href="/signin">Sign in to your account</a>
        </p>
      </>
    ),
  });
}

const SignInForm = ({ csrf, returnTo, secretPlace, isWrong = false }: OperatorsPage) => (
  <>
    <p>
      Sign in with the operator secret of this deployment, or with your own if you are a named operator. A sign-in lasts
      eight hours.
    </p>
    {secretPlace === undefined ? null : <p>Here the secret is {secretPlace}.</p>}
    {isWrong ? (
      <p class="warning" role="alert" id="wrong">
        That is not the secret of an operator. Check it, and enter it again: after five wrong ones you have to wait.
      </p>
    ) : null}
    <form method="post" action="/signin/operator">
      {renderHiddenFields({ csrf, return_to: returnTo })}
      <label for="secret">Operator secret</label>
      <input
        id="secret"
        name="secret"
        type="password"
        required
        maxlength={1024}
        autocomplete="current-password"
        aria-describedby={isWrong ? 'wrong' : undefined}
        aria-invalid={isWrong ? 'true' : undefined}
      />
      <button>Sign in as operator</button>
    </form>
  </>
);

const SignedIn = ({ csrf, returnTo }: OperatorsPage) => (
  <>
    <p role="status">
      You are signed in as an operator. You can decide about apps that ask for rights of an operator, and manage
      clients, service accounts and operators (<a href="/docs/operate/operators-and-clients">how</a>).
    </p>
    <form method="post" action="/signout">
      {renderHiddenFields({ csrf, return_to: returnTo })}
      <button class="quiet">Sign out</button>
    </form>
  </>
);

const ConsoleWay = ({ consoleUrl }: OperatorsPage) =>
  consoleUrl === undefined ? (
    <p class="small">
      This deployment has no console: it runs without the control Worker (<code>CONTROL_URL</code> is not set).
    </p>
  ) : (
    <section class="card" aria-labelledby="console">
      <h2 id="console">The console</h2>
      <p>
        Revenue, payments, measurements, logs and limits are on the console. It asks for the same secret; you need not
        sign in here first.
      </p>
      <p class="buttons">
        <a class="button" href={consoleUrl}>
          Open the console
        </a>
      </p>
    </section>
  );
