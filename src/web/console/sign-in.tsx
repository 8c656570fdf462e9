import type { Html } from '../design/shell.tsx';
import { HiddenFields } from './forms.tsx';
import { renderConsoleMessage } from './shell.tsx';

export type ConsoleSignInPage = {
  csrf: string;
  /** A path of the console. */
  returnTo: string;
  /** On the local stack: where the person at this machine finds the secret. */
  secretPlace?: string | undefined;
  /** Why the secret before was not taken, in our words. */
  alert?: string;
};

/** The sign-in of the console: one secret. */
export const renderConsoleSignIn = ({ csrf, returnTo, secretPlace, alert }: ConsoleSignInPage): Html =>
  renderConsoleMessage(
    'Sign in to the console',
    <>
      <p>
        For operators of this service. A sign-in lasts eight hours; actions need one that is younger than fifteen
        minutes.
      </p>
      {secretPlace === undefined ? null : <p>Here the secret is {secretPlace}.</p>}
      {alert === undefined ? null : (
        <p class="warning" role="alert" id="alert">
          {alert}
        </p>
      )}
      <form method="post" action="/console/signin">
        <HiddenFields fields={{ csrf, return_to: returnTo }} />
        <label for="secret">Operator secret</label>
        <input
          id="secret"
          name="secret"
          type="password"
          required
          maxlength={1024}
          autocomplete="current-password"
          aria-describedby={alert === undefined ? undefined : 'alert'}
          aria-invalid={alert === undefined ? undefined : 'true'}
        />
        <button>Sign in</button>
      </form>
    </>,
  );
