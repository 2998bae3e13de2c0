import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The commands that tests start read the same sources again and again. */
const compiledSources: string = fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url));

const configuration: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    deps: { interopDefault: false },
    globalSetup: ["test/command-line-setup.ts"],
    // These end what hangs, and nothing else: a machine may be much slower than the one a test was written on.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    env: { NODE_COMPILE_CACHE: compiledSources },
  },
});

export default configuration;
