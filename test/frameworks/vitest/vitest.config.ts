import { defineConfig } from "vitest/config";

const configuration: ReturnType<typeof defineConfig> = defineConfig({
  // Concurrent tests wait for each other: the timeouts only end a run that hangs.
  test: { include: ["*.spec.ts"], deps: { interopDefault: false }, testTimeout: 300_000, hookTimeout: 300_000 },
});

export default configuration;
