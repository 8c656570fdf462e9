// Written by scripts/client/generate.ts from src/payment/terms/networks-data.ts. Not edited by hand.

/** The only tokens that are signed for, each with its EIP-712 domain. */
export const tokens = {
  "eip155:8453": {"chainId":8453,"asset":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913","domain":{"name":"USD Coin","version":"2"}},
  "eip155:137": {"chainId":137,"asset":"0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359","domain":{"name":"USD Coin","version":"2"}},
  "eip155:84532": {"chainId":84532,"asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e","domain":{"name":"USDC","version":"2"}},
} as const;
