import { formatCliCommand } from '../../lib/release.ts';
import { MICRO_USDC_PER_USD } from '../../payment/terms/constants.ts';
import { Code } from '../design/parts.tsx';
import { formatDollars, formatUsdcAmount } from '../language/amounts.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { HashWay } from './hash-way.tsx';
import { formatOrderFields } from './order-command.ts';
import { goodsWords, panelWords, PURCHASE_STEPS } from './panel-words.ts';

/** How a page can pay: by a wallet of the browser, or on the local stack by its demo buyer (rule P8). */
export type BuyMode = { kind: 'wallet' } | { kind: 'demo'; token: string };

export type BuyPanelProps = {
  language: PageLanguage;
  capability: string;
  /** As the catalogue spells it: `0.060000`. */
  priceUsd: string;
  mode: BuyMode;
  /** The payee, as the 402 names it. Undefined: this deployment sells nothing. */
  payTo: string | undefined;
  /** Origin of the service, for the commands. */
  baseUrl: string;
  goods: Goods;
  /** The browser has a session: the page asks whether its account has credits. */
  hasSession?: boolean;
  /** Where a wallet can pay, the first network first; a choice where there are several. */
  networks?: readonly PanelNetwork[];
  /** Pays on a test network: the page itself signs for real money only. */
  testNetwork?: string;
};

/** A network with its payee, as the page shows and agrees on them. */
export type PanelNetwork = { id: string; name: string; payTo: string };

/** What is sold, in words and as a command. */
export type Goods = {
  heading: string;
  promise: string;
  /** The fields of the order as words of a command, quoted for a shell. */
  fields: string;
};

const EXAMPLE = 'https://example.com/';

/** The full audit of a site. @param url the address, where there is one already */
export const describeAuditOrder = (url?: string, language: PageLanguage = DEFAULT_LANGUAGE): Goods => ({
  ...goodsWords[language].audit,
  fields: formatOrderFields({ url: url !== undefined && URL.canParse(url) ? new URL(url).href : EXAMPLE }),
});

/**
 * Everything a person needs to buy a result in the page. `mountBuying` brings it to life: it reads what was agreed on
 * (price, payee) from the data attributes and finds its parts by `data-buy`. Without scripts the commands are left.
 */
export const BuyPanel = (props: BuyPanelProps) => (
  <section
    class="card buy"
    lang={props.language}
    aria-labelledby="buy-title"
    data-buy="panel"
    data-capability={props.capability}
    data-price={props.priceUsd}
    data-pay-to={props.testNetwork === undefined ? props.payTo : undefined}
    data-mode={props.mode.kind}
    data-token={props.mode.kind === 'demo' ? props.mode.token : undefined}
  >
    <h2 id="buy-title">{props.goods.heading}</h2>
    {props.payTo === undefined ? (
      <p>{panelWords[props.language].nothingSold}</p>
    ) : (
      <Ways {...props} payTo={props.payTo} microUsdc={computeMicroUsdc(props.priceUsd)} />
    )}
  </section>
);

const computeMicroUsdc = (priceUsd: string): number => Math.round(Number(priceUsd) * MICRO_USDC_PER_USD);

type Selling = BuyPanelProps & { payTo: string; microUsdc: number };

const Ways = (props: Selling) => {
  const { language, microUsdc, goods, testNetwork } = props;
  const words = panelWords[language];
  return (
    <>
      <p>
        <strong class="price">{formatDollars(microUsdc, language)}</strong>{' '}
        <span class="dim">({formatUsdcAmount(microUsdc, language)})</span> {words.once(goods.promise)}
      </p>
      {testNetwork === undefined ? <PageWays {...props} /> : <p>{words.testNetwork(testNetwork)}</p>}
      <CommandLine {...props} />
    </>
  );
};

const PageWays = (props: Selling) => {
  const isDemo = props.mode.kind === 'demo';
  return (
    <div class="scripted">
      {props.hasSession === true ? <CreditWay {...props} /> : null}
      {isDemo ? <DemoWay {...props} /> : <WalletWay {...props} />}
      <HashWay {...props} amount={formatPriceUsd(props.priceUsd)} isDemo={isDemo} isOnlyOnFirst={hasChoice(props)} />
      <Outcome {...props} />
    </div>
  );
};

/** Where the page says what happens. The room for it is there from the start, so that nothing below moves. */
const Outcome = ({ language }: Selling) => {
  const words = panelWords[language];
  return (
    <div class="outcome">
      <ol class="steps" data-buy="steps" aria-label={words.stepsLabel}>
        {PURCHASE_STEPS.map((step) => (
          <li data-step={step}>{words.steps[step]}</li>
        ))}
      </ol>
      <p role="status" data-buy="status"></p>
      <p class="small" data-buy="kept-for" hidden></p>
      <p class="small" data-buy="clock" hidden></p>
      <p class="small" data-buy="countdown"></p>
      <progress data-buy="progress" aria-label={words.progressLabel} hidden></progress>
      <p class="buttons">
        <button type="button" data-buy="switch" hidden>
          {words.wallet.switch}
        </button>
        <button type="button" class="quiet" data-buy="stop" hidden>
          {words.wallet.stop}
        </button>
        <button type="button" class="quiet" data-buy="second" hidden>
          {words.second}
        </button>
        <button type="button" data-buy="again" hidden>
          {words.again}
        </button>
        <button type="button" data-buy="prove-again" hidden>
          {words.proveAgain}
        </button>
        <button type="button" class="quiet" data-buy="give-up" aria-describedby="buy-kept-note" hidden>
          {words.giveUp}
        </button>
        <a class="button" data-buy="report" href="/audit" hidden>
          {words.openReport}
        </a>
      </p>
      <p class="small" id="buy-kept-note" data-buy="kept-note" hidden></p>
    </div>
  );
};

/** What the order, as it is in the page, cannot be used for. */
const OrderNote = () => <p class="small" id="buy-order-note" data-buy="order-note" role="status" hidden></p>;

const CreditWay = ({ language, microUsdc }: Selling) => {
  const { credits, payByCredits } = panelWords[language];
  return (
    <div data-buy="credits-way">
      <h3>{credits.heading}</h3>
      <p>{credits.text}</p>
      <p data-buy="credits-note">{credits.reading}</p>
      <p class="buttons">
        <button type="button" data-buy="credits" aria-describedby="buy-order-note" disabled>
          {payByCredits(formatDollars(microUsdc, language))}
        </button>
        <a class="button quiet" data-buy="top-up" href="/account#credits" hidden>
          {credits.topUp}
        </a>
      </p>
    </div>
  );
};

const DemoWay = ({ language }: Selling) => {
  const { demo } = panelWords[language];
  return (
    <>
      <h3>{demo.heading}</h3>
      <p>{demo.text}</p>
      <OrderNote />
      <p>
        <button type="button" data-buy="demo" aria-describedby="buy-order-note" disabled>
          {demo.button}
        </button>
      </p>
    </>
  );
};

const hasChoice = ({ networks = [] }: Selling): boolean => networks.length > 1;

/** Which network is paid on, each with its payee. */
const NetworkChoice = ({ language, networks = [] }: Selling) => {
  const { wallet, payee } = panelWords[language];
  return (
    <fieldset class="wallets" data-buy="networks" disabled>
      <legend>{wallet.networks}</legend>
      {networks.map(({ id, name, payTo }, index) => (
        <div class="choice">
          <input
            type="radio"
            name="buy-network"
            id={`buy-network-${index}`}
            value={id}
            data-pay-to={payTo}
            checked={index === 0}
          />
          <label for={`buy-network-${index}`}>
            <bdi>{name}</bdi> <span class="small">{payee(payTo)}</span>
          </label>
        </div>
      ))}
    </fieldset>
  );
};

const WalletWay = (props: Selling) => {
  const { language, microUsdc } = props;
  const { wallet, payByWallet } = panelWords[language];
  return (
    <>
      <h3>{wallet.heading}</h3>
      <p>{hasChoice(props) ? wallet.textOfChoice : wallet.text}</p>
      <OrderNote />
      {hasChoice(props) ? <NetworkChoice {...props} /> : null}
      <fieldset class="wallets" data-buy="wallets" hidden>
        <legend>{wallet.list}</legend>
        <div data-buy="wallet-list"></div>
      </fieldset>
      <p>
        <button type="button" data-buy="wallet" aria-describedby="buy-order-note" disabled>
          {payByWallet(formatUsdcAmount(microUsdc, language))}
        </button>
      </p>
      <p class="small" data-buy="wallet-note">
        {wallet.looking}
      </p>
    </>
  );
};

/** Works everywhere, and is all there is without scripts. */
const CommandLine = ({ language, capability, priceUsd, mode, baseUrl, testNetwork, goods: { fields } }: Selling) => {
  const words = panelWords[language];
  const atMost = ` --max-usd ${formatPriceUsd(priceUsd)}`;
  const [before, after] =
    mode.kind === 'demo'
      ? [`npm run buy -- ${capability} `, Number(priceUsd) > 1 ? atMost : '']
      : [
          formatCliCommand(`buy ${capability} `),
          ` --base ${baseUrl}${atMost}${testNetwork === undefined ? '' : ' --testnet'}`,
        ];
  return (
    <>
      <h3>{words.commandLine}</h3>
      <p>{mode.kind === 'demo' ? words.commandAsDemo : words.commandWithKey}</p>
      <div data-buy="command" data-before={before} data-after={after}>
        <Code text={`${before}${fields}${after}`} label={words.copyCommand} language="sh" />
      </div>
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
