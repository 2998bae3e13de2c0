import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** What needs more than Node: `npm run nightly` runs it where that is installed, and says where it is not. */
const configuration: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    deps: { interopDefault: false },
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/nightly/replicas-behind-nginx.ts", "test/nightly/shared-sandbox.ts"],
    globalSetup: ["test/command-line-setup.ts"],
    setupFiles: ["test/end-of-file.ts"],
    testTimeout: 60_000,
  },
});

export default configuration;
