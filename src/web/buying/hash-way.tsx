import { CHAIN_ID, NETWORK, USDC } from '../../payment/terms/constants.ts';
import { BASE } from '../../payment/terms/networks-data.ts';
import { Code } from '../design/parts.tsx';
import { formatUsdcAmount } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { hashWords } from './hash-words.ts';

type HashWayProps = {
  language: PageLanguage;
  payTo: string;
  /** Of USDC, a whole number. */
  microUsdc: number;
  /** The same as wallets take it: digits and a point, whatever the language. */
  amount: string;
  /** Wallets can pay on other networks too, and transfers cannot. */
  isOnlyOnFirst: boolean;
  /** On the local stack: wallets are not asked (rule P8). */
  isDemo: boolean;
};

/** A transfer of someone's own: what to send, which it was, the proof of its payer (rule P9), and the result. */
export const HashWay = (props: HashWayProps) => {
  const words = hashWords[props.language];
  return (
    <details data-buy="hash-way">
      <summary>{words.summary}</summary>
      <p>{words.intro}</p>
      {props.isOnlyOnFirst ? <p>{words.onlyOn(BASE.name)}</p> : null}
      <form data-buy="hash-form" novalidate>
        <ol class="guide">
          <li>
            <h4>{words.send}</h4>
            <SendStep {...props} />
          </li>
          <li>
            <h4>{words.paste}</h4>
            <PasteStep {...props} />
          </li>
          <li>
            <h4 id="buy-prove-title">{words.prove}</h4>
            <ProveStep {...props} />
          </li>
          <li>
            <h4>{words.present}</h4>
            <p class="small" id="buy-present-note">
              {words.presentNote}
            </p>
            <button type="submit" data-buy="hash-button" aria-describedby="buy-present-note" disabled>
              {words.button}
            </button>
          </li>
        </ol>
      </form>
    </details>
  );
};

/** A transfer of a token as a link that wallets read; people copy it. @see https://eips.ethereum.org/EIPS/eip-681 */
const formatPaymentRequest = (payTo: string, microUsdc: number): string =>
  `ethereum:${USDC}@${CHAIN_ID}/transfer?address=${payTo}&uint256=${microUsdc}`;

const SendStep = ({ language, payTo, microUsdc, amount }: HashWayProps) => {
  const words = hashWords[language];
  return (
    <>
      <p class="small">{words.sendNote}</p>
      <dl>
        <dt>{words.amount}</dt>
        <dd>
          {formatUsdcAmount(microUsdc, language)}. {words.more}
          <Code text={amount} label={words.copy} />
        </dd>
        <dt>{words.payTo}</dt>
        <dd>
          <Code text={payTo} label={words.copy} />
        </dd>
        <dt>{words.network}</dt>
        <dd>
          {BASE.name} (<code>{NETWORK}</code>)
        </dd>
        <dt>{words.asset}</dt>
        <dd>
          USDC
          <Code text={USDC} label={words.copy} />
        </dd>
        <dt>{words.request}</dt>
        <dd>
          <Code text={formatPaymentRequest(payTo, microUsdc)} label={words.copy} />
        </dd>
        <dt>{words.conditions}</dt>
        <dd data-buy="conditions">{words.conditionsLater}</dd>
      </dl>
    </>
  );
};

const PasteStep = ({ language }: HashWayProps) => {
  const words = hashWords[language];
  return (
    <>
      <label for="buy-hash">{words.hash}</label>
      <input
        id="buy-hash"
        name="hash"
        data-buy="hash"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="buy-hash-note buy-hash-fault"
      />
      <p class="small" id="buy-hash-note">
        {words.pasteNote}
      </p>
      <p class="fault" id="buy-hash-fault" data-buy="hash-fault" role="status"></p>
    </>
  );
};

const ProveStep = ({ language, isDemo }: HashWayProps) => {
  const words = hashWords[language];
  return (
    <>
      <p class="small">{words.proveNote}</p>
      <div role="radiogroup" aria-labelledby="buy-prove-title">
        <div class="choice">
          <input type="radio" name="buy-proof" value="signer" id="buy-proof-signer" data-buy="proof-signer" disabled />
          <label for="buy-proof-signer">{isDemo ? words.byDemo : words.byWallet}</label>
        </div>
        <div class="choice">
          <input type="radio" name="buy-proof" value="pasted" id="buy-proof-pasted" data-buy="proof-pasted" checked />
          <label for="buy-proof-pasted">{words.byPasting}</label>
        </div>
      </div>
      <div data-buy="pasting">
        <p>
          <button type="button" class="quiet" data-buy="show-message">
            {words.showMessage}
          </button>
        </p>
        <p class="small" data-buy="message-note" role="status"></p>
        <div data-buy="message-box" hidden>
          <Code text="" label={words.copy} language="json" />
        </div>
        <label for="buy-signature">{words.signature}</label>
        <input
          id="buy-signature"
          name="signature"
          data-buy="signature"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="buy-signature-note buy-signature-fault"
        />
        <p class="small" id="buy-signature-note">
          {words.signatureNote}
        </p>
        <p class="fault" id="buy-signature-fault" data-buy="signature-fault" role="status"></p>
      </div>
    </>
  );
};
