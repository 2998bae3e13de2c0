import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** What needs more time, or more than Node: `npm run nightly` runs these files by their names. */
const configuration: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    deps: { interopDefault: false },
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: [
      "test/nightly/replicas-behind-nginx.ts",
      "test/nightly/shared-sandbox.ts",
      "test/nightly/killed-replicas.ts",
      "test/nightly/rolling-restarts.ts",
      "test/nightly/store-faults.ts",
      "test/nightly/store-failover.ts",
    ],
    globalSetup: ["test/command-line-setup.ts"],
    setupFiles: ["test/each-file.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 300_000,
  },
});

export default configuration;
