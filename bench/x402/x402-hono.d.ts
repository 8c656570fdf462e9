/**
 * The part of the peer that the floor calls. The package is installed with the peers (`bench/package.json`), and types are
 * judged without them.
 */
declare module '@x402/hono' {
  export { x402ResourceServer } from '@x402/core/server';
  export function paymentMiddleware(
    routes: import('@x402/core/server').RoutesConfig,
    server: import('@x402/core/server').x402ResourceServer,
  ): import('hono').MiddlewareHandler;
}
