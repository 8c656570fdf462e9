import { expect, test } from 'vitest';
import { classifyUserAgent } from '../../../src/traffic/agents/classify-agent.ts';
import { findAssistantReferral } from '../../../src/traffic/agents/referrals.ts';

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

test.each([
  ['GPTBot/1.3', 'GPTBot'],
  [`${chrome}; compatible; ChatGPT-User/1.0; +https://openai.com/bot`, 'ChatGPT-User'],
  ['curl/8.5.0 (ClaudeBot/1.0)', 'ClaudeBot'],
  ['Mozilla/5.0 (compatible; BINGBOT/2.0)', 'Bingbot'],
  ['Googlebot/2.1 GPTBot/1.3', 'Googlebot'],
])('%s names %s', (userAgent, token) => {
  expect(classifyUserAgent(userAgent)).toMatchObject({ token });
});

test.each([
  '',
  '-',
  'NotGPTBot/1.0',
  'GPTBot2/1.0',
  'Googlebot-Image/1.0',
  'MyFetcher/1.0 (+https://openai.com/gptbot)',
  'Tester/1.0 (rules for GPTBot and ClaudeBot)',
  'Mozilla/5.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
  chrome.replace('Chrome', 'HeadlessChrome'),
  `${chrome} SomeBot/1.0`,
  `User-Agent: ${chrome}`,
  'okhttp/4.12.0',
  `${'('.repeat(50_000)}GPTBot`.slice(0, 50_000),
])('%.80s is automation without a token', (userAgent) => {
  expect(classifyUserAgent(userAgent)).toEqual({ class: 'automation' });
});

test.each([
  chrome,
  `${chrome} Edg/142.0.0.0`,
  `${chrome} my-gptbot-extension/1.0`,
  'Mozilla/5.0 (Linux; Android 12; CUBOT_NOTE) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.0; Trident/4.0)',
  'Mozilla/4.77 [en] (Win98; U)',
  'Lynx/2.9.0 libwww-FM/2.14',
  'DoCoMo/2.0 SH01A(c100;TB;W24H16)',
])('%.80s is a person', (userAgent) => {
  expect(classifyUserAgent(userAgent)).toEqual({ class: 'person' });
});

test.each([
  ['https://www.CHATGPT.com/c/1', '/', 'ChatGPT'],
  ['https://chatgpt.com.evil.example/', '/', undefined],
  ['https://google.com/?q=chatgpt.com', '/', undefined],
  ['', '/?utm_source=perplexity', 'Perplexity'],
  ['', '/?q=utm_source%3Dchatgpt.com', undefined],
  ['', '/?x_utm_source=chatgpt.com', undefined],
  ['https://www.perplexity.ai/', '/?utm_source=chatgpt.com', 'Perplexity'],
])('the referral of %s and %s is %s', (referrer, path, assistant) => {
  expect(findAssistantReferral(referrer, path)).toBe(assistant);
});
