import { defineConfig } from "vitest/config";

const configuration: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    deps: { interopDefault: false },
    testTimeout: 30_000,
  },
});

export default configuration;
