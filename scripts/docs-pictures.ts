/**
 * Makes the pictures of README: starts the local stack, buys an audit of the good demo site as the demo buyer, and takes the
 * top of its report in light and dark. `npm run docs:pictures`; they are committed, so that README needs no build.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { type Stack, startStack } from '../local/stack.ts';
import { chromiumPath } from './chromium.js';

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
/** As wide as README is shown, times two for fine screens; as high as one look. */
const WIDTH = 1_000;
const HEIGHT = 920;
const SCALE = 2;
/** The demo site at the address that README names. */
const PORTS = { api: 0, control: 0, webhook: 0, grpc: 0, rpc: 0, facilitator: 0, good: 8080, poor: 8081 };
const SCHEMES = ['light', 'dark'] as const;

async function buyReport({ file, api }: Stack): Promise<string> {
  const account = privateKeyToAccount(z.templateLiteral(['0x', z.string()]).parse(file.buyer.privateKey));
  const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', new ExactEvmScheme(account)));
  const answer = await pay(`${api.url}/api/agent/full_audit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${file.sites.good}/` }),
  });
  const { report_id: id } = z.object({ report_id: z.string() }).parse(await answer.json());
  return `${api.url}/reports/${id}`;
}

async function takePictures(url: string, executablePath: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    for (const colorScheme of SCHEMES) {
      const viewport = { width: WIDTH, height: HEIGHT };
      const page = await browser.newPage({ colorScheme, viewport, deviceScaleFactor: SCALE });
      await page.goto(url, { waitUntil: 'networkidle' });
      await page.screenshot({ path: `${FOLDER}report-${colorScheme}.png` });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

const executablePath = chromiumPath();
if (executablePath === undefined) throw new Error('Install Chromium, or name its program in CHROMIUM.');
mkdirSync(FOLDER, { recursive: true });
const stack = await startStack({ ports: PORTS });
try {
  await takePictures(await buyReport(stack), executablePath);
} finally {
  await stack.stop();
}
