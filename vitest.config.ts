import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The commands that tests start read the same sources again and again. */
const compiledSources: string = fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url));

const configuration: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    deps: { interopDefault: false },
    globalSetup: ["test/command-line-setup.ts"],
    testTimeout: 30_000,
    env: { NODE_COMPILE_CACHE: compiledSources },
  },
});

export default configuration;
