/**
 * The script of the sign-in page, as it is served: it asks a wallet of the browser (EIP-1193) to sign a message (EIP-4361)
 * and posts the signature. Wallets announce themselves (EIP-6963); one that does not is `window.ethereum`. With several,
 * each has a button. On the account's page the same proof adds the wallet (`data-to`). On the local stack the demo buyer signs, where the page has its button. It reads what it needs from the
 * buttons' data, and what wallets call themselves gets into the page as text only.
 */
export const walletScript = `'use strict';
(() => {
  const MAX_WALLETS = 12;
  const MAX_NAME = 40;
  const REFUSED = 4001;

  class Answered extends Error {}

  const post = async (path, body, words, more) => {
    let answer;
    try {
      answer = await window.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...more },
        credentials: 'same-origin',
        body: JSON.stringify(body),
      });
    } catch {
      throw new Answered(words.unreachable);
    }
    const json = await answer.json().catch(() => ({}));
    if (answer.ok) return json;
    const said = json.detail || json.title || words.answered + ' ' + answer.status;
    throw new Answered(words.failed + ' ' + [said, json.next || words.retry].join('. ').replace(/[.][.]/g, '.'));
  };

  const messageOf = (terms, address, nonce) => [
    terms.domain + ' wants you to sign in with your Ethereum account:',
    address,
    '',
    terms.statement,
    '',
    'URI: ' + terms.uri,
    'Version: ' + terms.version,
    'Chain ID: ' + terms.chainId,
    'Nonce: ' + nonce,
    'Issued At: ' + new Date().toISOString(),
  ].join('\\n');

  const hexOf = (text) =>
    '0x' + [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

  const nameOf = (text) => String(text).replace(/[\\p{C}\\p{Zl}\\p{Zp}]/gu, '').trim().slice(0, MAX_NAME);

  const describe = (error, words) => {
    if (error instanceof Answered) return error.message;
    if (error && error.code === REFUSED) return words.refused;
    const said = error && error.message ? nameOf(error.message.slice(0, 200)) : '';
    return [words.failed, said + '.', words.retry].join(' ').replace(' .', '');
  };

  const offer = (button, status, signIn) => {
    const words = JSON.parse(button.dataset.words);
    const say = (text) => { status.textContent = text; };
    button.disabled = false;
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        const { csrf, returnTo, to } = button.dataset;
        const { message, signature } = await signIn(button.dataset, words, say);
        await post(to || '/signin/siwe', { message, signature, csrf }, words);
        window.location.assign(returnTo);
      } catch (error) {
        say(describe(error, words));
        button.disabled = false;
      }
    });
  };

  const by = (wallet) => async (terms, words, say) => {
    say(words.connect);
    const [account] = await wallet.request({ method: 'eth_requestAccounts' });
    if (!account) throw new Answered(words.noAccount);
    const { nonce, address } = await post('/signin/siwe/nonce', { address: account, csrf: terms.csrf }, words);
    const message = messageOf(terms, address, nonce);
    say(words.sign);
    const signature = await wallet.request({ method: 'personal_sign', params: [hexOf(message), account] });
    return { message, signature };
  };

  const first = document.getElementById('wallet-button');
  const status = document.getElementById('wallet-status');
  if (first && status) {
    const known = new Set();
    const add = (wallet, name) => {
      if (!wallet || typeof wallet.request !== 'function' || known.has(wallet) || known.size >= MAX_WALLETS) return;
      const button = known.size === 0 ? first : first.cloneNode(false);
      if (button !== first) button.removeAttribute('id');
      if (name) button.textContent = JSON.parse(first.dataset.words).signInWith + ' ' + name;
      if (button !== first) {
        if (!name) return;
        first.parentNode.append(button);
      } else status.textContent = '';
      known.add(wallet);
      offer(button, status, by(wallet));
    };
    window.addEventListener('eip6963:announceProvider', ({ detail }) => {
      if (detail && detail.info) add(detail.provider, nameOf(detail.info.name));
    });
    window.dispatchEvent(new window.Event('eip6963:requestProvider'));
    if (known.size === 0) add(window.ethereum, '');
  }

  const demo = document.getElementById('demo-button');
  const demoStatus = document.getElementById('demo-status');
  if (demo && demoStatus) offer(demo, demoStatus, async ({ token, csrf }, words, say) => {
    say(words.demo);
    const { nonce } = await post('/signin/siwe/nonce', { csrf }, words);
    return post('/local/demo-buyer', { sign_in: { nonce } }, words, { 'x-demo-token': token });
  });
})();
`;
