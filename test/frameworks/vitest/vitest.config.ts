import { defineConfig } from "vitest/config";

const configuration: ReturnType<typeof defineConfig> = defineConfig({
  // Tests that run at once wait for each other: their time is bounded only so that what hangs ends.
  test: { include: ["*.spec.ts"], deps: { interopDefault: false }, testTimeout: 300_000, hookTimeout: 300_000 },
});

export default configuration;
