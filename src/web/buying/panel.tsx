import { NETWORK, USDC } from '../../payment/terms/constants.ts';
import { formatCliCommand } from '../../lib/release.ts';
import { Code } from '../design/parts.tsx';

/** How a page can pay: by a wallet of the browser, or on the local stack by its demo buyer (rule P8). */
export type BuyMode = { kind: 'wallet' } | { kind: 'demo'; token: string };

export type BuyPanelProps = {
  capability: string;
  /** As the catalogue spells it: `0.060000`. */
  priceUsd: string;
  mode: BuyMode;
  /** The payee, as the 402 names it. Undefined: this deployment sells nothing. */
  payTo: string | undefined;
  /** Origin of the service, for the commands. */
  baseUrl: string;
  goods: Goods;
  /** Pays on a test network: the page itself signs for real money only. */
  testNetwork?: string;
};

/** What is sold, in words and as a command. */
export type Goods = {
  heading: string;
  promise: string;
  /** The fields of the order as words of a command, quoted for a shell. */
  fields: string;
};

const QUOTED_EXAMPLE = "'https://example.com/'";

/** The full audit of a site. @param url the address, where there is one already */
export const describeAuditOrder = (url?: string): Goods => ({
  heading: 'Buy the full result',
  promise:
    'every check with its evidence and its fix, as a report that you can share, print and read as JSON, Markdown or SARIF. When the site cannot be read, nothing is charged.',
  fields: url === undefined ? QUOTED_EXAMPLE : formatCommandUrl(url),
});

/**
 * Everything a person needs to buy a result in the page. `mountBuying` brings it to life: it reads what was agreed on
 * (price, payee) from the data attributes and finds its parts by `data-buy`. Without scripts the commands are left.
 */
export const BuyPanel = (props: BuyPanelProps) => (
  <section
    class="card buy"
    aria-labelledby="buy-title"
    data-buy="panel"
    data-capability={props.capability}
    data-price={props.priceUsd}
    data-pay-to={props.testNetwork === undefined ? props.payTo : undefined}
    data-mode={props.mode.kind}
    data-token={props.mode.kind === 'demo' ? props.mode.token : undefined}
  >
    <h2 id="buy-title">{props.goods.heading}</h2>
    {props.payTo === undefined ? <p>Nothing is sold here now.</p> : <Ways {...props} payTo={props.payTo} />}
  </section>
);

type Selling = BuyPanelProps & { payTo: string };

const Ways = (props: Selling) => (
  <>
    <p>
      <strong class="price">{formatPriceUsd(props.priceUsd)} USDC</strong> once, without an account:{' '}
      {props.goods.promise}
    </p>
    {props.testNetwork === undefined ? <PageWays {...props} /> : <p>{describeTestNetwork(props.testNetwork)}</p>}
    <CommandLine {...props} />
  </>
);

const describeTestNetwork = (name: string): string =>
  `This deployment is paid on ${name}, a test network whose USDC is worth nothing. So that no one sends real money here, this page takes no wallet and no transaction hash. Buy by the command line:`;

const PageWays = (props: Selling) => (
  <div class="scripted">
    {props.mode.kind === 'demo' ? <DemoWay /> : <WalletWay {...props} />}
    <HashWay {...props} />
    <Outcome />
  </div>
);

/** Where the page says what happens. The room for it is there from the start, so that nothing below moves. */
const Outcome = () => (
  <div class="outcome">
    <p role="status" data-buy="status"></p>
    <p class="small" data-buy="countdown"></p>
    <progress data-buy="progress" aria-label="Progress of the purchase" hidden></progress>
    <p class="buttons">
      <button type="button" data-buy="again" hidden>
        Ask again with the same payment
      </button>
      <button type="button" data-buy="prove-again" hidden>
        Prove that the transfer is mine
      </button>
      <button type="button" class="quiet" data-buy="give-up" aria-describedby="buy-kept-note" hidden>
        I give this one up
      </button>
      <a class="button" data-buy="report" href="/audit" hidden>
        Open the report
      </a>
    </p>
    <p class="small" id="buy-kept-note" data-buy="kept-note" hidden></p>
  </div>
);

/** What the order, as it is in the page, cannot be used for. */
const OrderNote = () => <p class="small" id="buy-order-note" data-buy="order-note" role="status" hidden></p>;

const DemoWay = () => (
  <>
    <h3>On this local stack</h3>
    <p>
      The demo buyer of the stack signs with a key and money that exist on this machine only. Wallets are not asked.
    </p>
    <OrderNote />
    <p>
      <button type="button" data-buy="demo" aria-describedby="buy-order-note" disabled>
        Buy with the demo buyer
      </button>
    </p>
  </>
);

const WalletWay = ({ priceUsd }: Selling) => (
  <>
    <h3>With a wallet in this browser</h3>
    <p>
      You sign one transfer of exactly this amount (EIP-3009); you need USDC on Base and no ETH. It is settled when the
      result is ready.
    </p>
    <OrderNote />
    <p>
      <button type="button" data-buy="wallet" aria-describedby="buy-order-note" disabled>
        Pay {formatPriceUsd(priceUsd)} USDC with your wallet
      </button>
    </p>
    <p class="small" data-buy="wallet-note">
      Looking for a wallet.
    </p>
  </>
);

const HashWay = ({ payTo, priceUsd }: Selling) => (
  <details data-buy="hash-way">
    <summary>I have paid: here is my transaction hash</summary>
    <p>Transfer at least the price from any wallet, then enter the hash of the transaction.</p>
    <dl>
      <dt>Pay to</dt>
      <dd>
        <code>{payTo}</code>
      </dd>
      <dt>Amount</dt>
      <dd>{priceUsd} USDC; more is accepted and not refunded</dd>
      <dt>Network</dt>
      <dd>
        Base (<code>{NETWORK}</code>)
      </dd>
      <dt>Asset</dt>
      <dd>
        USDC (<code>{USDC}</code>)
      </dd>
      <dt>Conditions</dt>
      <dd data-buy="conditions">They are read from the service when this is opened.</dd>
    </dl>
    <form data-buy="hash-form">
      <label for="buy-hash">Transaction hash (0x and 64 hexadecimal digits)</label>
      <input
        id="buy-hash"
        name="hash"
        data-buy="hash"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxlength={80}
        required
        aria-describedby="buy-hash-note"
      />
      <div class="choice" data-buy="prove-choice" hidden>
        <input type="checkbox" id="buy-prove" data-buy="prove" />
        <label for="buy-prove">Sign with my wallet that I made this transfer</label>
      </div>
      <p class="small" id="buy-hash-note" data-buy="prove-note">
        A transfer pays for the first request that presents its hash, once.
      </p>
      <button type="submit" data-buy="hash-button" disabled>
        Present this transfer
      </button>
    </form>
  </details>
);

/** Works everywhere, and is all there is without scripts. */
const CommandLine = ({ capability, priceUsd, mode, baseUrl, testNetwork, goods: { fields } }: Selling) => {
  const command =
    mode.kind === 'demo'
      ? `npm run buy -- ${capability} ${fields}${Number(priceUsd) > 1 ? ` --max-usd ${formatPriceUsd(priceUsd)}` : ''}`
      : formatCliCommand(
          `buy ${capability} ${fields} --base ${baseUrl} --max-usd ${formatPriceUsd(priceUsd)}${testNetwork === undefined ? '' : ' --testnet'}`,
        );
  return (
    <>
      <h3>By command line</h3>
      <p>
        {mode.kind === 'demo'
          ? 'In the folder of this stack, as its demo buyer:'
          : 'Pays with the key in SIGHTLINE_WALLET_KEY, and never more than you say:'}
      </p>
      <Code text={command} label="Copy the command" language="sh" />
    </>
  );
};

/** `0.060000` as `0.06`. */
export const formatPriceUsd = (usd: string): string => {
  const [whole = '0', fraction = ''] = usd.split('.');
  return `${whole}.${fraction.slice(0, 2)}${withoutEndingZeros(fraction.slice(2))}`;
};

function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** An address as it may be in a command line: what a shell could take for more than text is percent-encoded. */
const formatCommandUrl = (url: string): string =>
  URL.canParse(url) ? `'${new URL(url).href.replaceAll("'", '%27')}'` : QUOTED_EXAMPLE;
