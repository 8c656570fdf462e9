import type { Plugin } from 'esbuild';

/** Options of esbuild that every bundle of a Worker for workerd has. */
export const workerBuild: {
  bundle: true;
  format: 'esm';
  target: string;
  conditions: string[];
  mainFields: string[];
  external: string[];
  alias: Record<string, string>;
  plugins: Plugin[];
};
