/** What the stack gives its api Worker for the demo buyer: its key, and a token that is made anew at each start. */
export const buildDemoBuyerBindings = (privateKey: string, token: string): Record<string, string> => ({
  LOCAL_DEMO_BUYER_KEY: privateKey,
  LOCAL_DEMO_BUYER_TOKEN: token,
});
