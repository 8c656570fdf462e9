/** The part of bunyan that is used: its types are a package of their own. */
declare module 'bunyan' {
  type Log = (fields: object | string, message?: string) => void;
  export function createLogger(options: {
    name: string;
    streams: readonly object[];
  }): Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', Log>;
}
