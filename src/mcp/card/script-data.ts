/**
 * The script of the card: plain JavaScript, since the page is one text without a build. It speaks JSON-RPC with the host
 * by `postMessage`, believes messages of its parent only, and writes all that it is given with `textContent`.
 */
export const CARD_SCRIPT = `
'use strict';
(() => {
  const MAX_FIXES = 5, MAX_TEXT = 400, MAX_FIX_TEXT = 20000;
  const card = document.getElementById('card');
  const NAMES = { aeo: 'AEO', geo: 'GEO', agent: 'Agent readiness', mcp: 'MCP readiness' };
  const waiting = new Map();
  let nextId = 1, host = {}, shown;

  const post = (message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method, params) => post({ method, params });
  const request = (method, params) => new Promise((resolve, reject) => {
    const id = nextId++;
    waiting.set(id, { resolve, reject });
    post({ id, method, params });
  });

  const cut = (value, most = MAX_TEXT) => typeof value === 'string' ? value.slice(0, most) : typeof value === 'number' ? String(value) : '';
  const record = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const list = (value) => Array.isArray(value) ? value : [];
  const add = (parent, tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name !== undefined) made.className = name;
    parent.append(made);
    return made;
  };

  function drawScores(scores, label) {
    const rows = Object.entries(record(scores)).filter(([name]) => name in NAMES);
    if (rows.length === 0) return;
    if (label) add(card, 'p', label, 'muted');
    const all = add(card, 'ul', undefined, 'scores');
    for (const [name, given] of rows) {
      const row = add(all, 'li');
      add(row, 'span', NAMES[name], 'muted');
      add(row, 'strong', cut(record(given).score));
      add(row, 'span', 'Grade ' + cut(record(given).grade, 1));
    }
  }

  function drawFixes(result) {
    const fixes = list(result.do_first).slice(0, MAX_FIXES).map(record);
    if (fixes.length === 0) return;
    add(card, 'p', 'Do first');
    const all = add(card, 'ol');
    for (const fix of fixes) {
      const row = add(all, 'li');
      add(row, 'span', cut(fix.title) + ' ');
      const gains = Object.entries(record(fix.gains)).filter(([name]) => name in NAMES).map(([name, points]) => '+' + cut(points) + ' ' + NAMES[name]);
      add(row, 'span', [...gains, cut(fix.effort, 20)].filter((part) => part !== '').join(', ') + ' ', 'muted');
      if (host.serverTools && cut(result.report_id) !== '') drawHow(row, result.report_id, cut(fix.id));
    }
  }

  function drawHow(row, reportId, fixId) {
    const button = add(row, 'button', 'Show how');
    button.type = 'button';
    button.addEventListener('click', async () => {
      button.disabled = true;
      const answer = await request('tools/call', { name: 'get_fix', arguments: { report_id: reportId, fix_id: fixId } }).catch(() => ({}));
      const text = cut(record(list(record(answer).content)[0]).text, MAX_FIX_TEXT);
      add(row, 'pre', text === '' ? 'The fix cannot be read now.' : text);
      button.remove();
    });
  }

  function drawLink(url) {
    if (!host.openLinks || !/^https?:/.test(cut(url, 2048))) return;
    const button = add(card, 'button', 'Open the report');
    button.type = 'button';
    button.addEventListener('click', () => request('ui/open-link', { url }).catch(() => undefined));
  }

  function draw({ structuredContent, isError }) {
    const result = record(structuredContent);
    card.replaceChildren();
    if (isError === true) {
      const isUnpaid = Array.isArray(result.accepts);
      add(card, 'h1', isUnpaid ? 'This call has to be paid for' : cut(result.title) || 'The call failed');
      add(card, 'p', isUnpaid ? 'Nothing was charged.' : cut(result.detail));
      return;
    }
    add(card, 'h1', cut(result.headline) || 'Done');
    if (cut(result.url) !== '') add(card, 'p', cut(result.url), 'muted');
    drawScores(result.scores, result.competitor_scores ? 'Your site' : '');
    drawScores(result.competitor_scores, 'Competitor');
    drawFixes(result);
    drawLink(result.report_url);
  }

  function applyContext({ theme, styles }) {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    for (const [name, value] of Object.entries(record(record(styles).variables)))
      if (name.startsWith('--') && typeof value === 'string') document.documentElement.style.setProperty(name, value);
  }

  const watchSize = () => new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    notify('ui/notifications/size-changed', { width, height });
  }).observe(document.body);

  const onMethod = {
    'ui/notifications/tool-result': (params) => { shown = params; draw(params); },
    'ui/notifications/tool-cancelled': () => { card.replaceChildren(); add(card, 'p', 'The call was cancelled.', 'muted'); },
    'ui/notifications/host-context-changed': applyContext,
  };

  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || record(data).jsonrpc !== '2.0') return;
    const { id, method, params, result, error } = data;
    if (typeof method !== 'string') {
      const open = waiting.get(id);
      waiting.delete(id);
      if (open) error === undefined ? open.resolve(result) : open.reject(new Error('refused'));
      return;
    }
    if (id !== undefined)
      return post(method === 'ping' || method === 'ui/resource-teardown' ? { id, result: {} } : { id, error: { code: -32601, message: 'Method not found' } });
    if (Object.hasOwn(onMethod, method)) onMethod[method](record(params));
  });

  request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'sightline-report', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  }).then((answer) => {
    host = record(record(answer).hostCapabilities);
    applyContext(record(record(answer).hostContext));
    notify('ui/notifications/initialized', {});
    watchSize();
    if (shown) draw(shown);
  }, () => undefined);
})();
`;
