import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: './emulator.js', fileParallelism: false } });
