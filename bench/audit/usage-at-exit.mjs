// Loaded before a command line tool: when it ends, its own CPU (ms) and peak memory (MiB) go to the file of BENCH_USAGE.
import { writeFileSync } from 'node:fs';

process.on('exit', (code) => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024, code };
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage));
});
