import type { PageLanguage } from './language/language.ts';
import { passkeyScriptWords } from './passkey-words.ts';

export const PASSKEY_SCRIPT = '/web/passkey.js';

export type PasskeyButtonProps = {
  language: PageLanguage;
  csrf: string;
  /** Whether the browser uses a passkey or makes one. */
  does: 'use' | 'make';
  /** Where what it answers is posted; its options are at `/options` below. */
  path: string;
  returnTo: string;
  text: string;
  isQuiet?: boolean;
};

/** A button that has the browser use or make a passkey, and what becomes of it. Its script is `PASSKEY_SCRIPT`. */
export const PasskeyButton = ({ language, csrf, does, path, returnTo, text, isQuiet = false }: PasskeyButtonProps) => (
  <div class="passkey" data-passkey={does}>
    <button
      type="button"
      class={isQuiet ? 'quiet' : undefined}
      disabled
      data-path={path}
      data-csrf={csrf}
      data-return-to={returnTo}
      data-words={JSON.stringify(passkeyScriptWords[language])}
    >
      {text}
    </button>
    <p role="status"></p>
  </div>
);
