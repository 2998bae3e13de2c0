import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

/** The commands that tests start read the same sources again and again. */
const compiledSources: string = fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url));

/** What `npm test` has no time for; CONTRIBUTING.md says what belongs there. */
const deep = "*.deep.test.ts";

const configuration: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    deps: { interopDefault: false },
    globalSetup: ["test/command-line-setup.ts"],
    setupFiles: ["test/each-file.ts"],
    // Half the processor time of a worker and modules of its own for each file.
    isolate: false,
    pool: "forks",
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    // These end what hangs, and nothing else: a machine may be much slower than the one a test was written on.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    env: { NODE_COMPILE_CACHE: compiledSources, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/*.test.ts"],
          exclude: [`**/${deep}`],
        },
      },
      { extends: true, test: { name: "deep", include: [`src/**/${deep}`, `test/**/${deep}`] } },
    ],
  },
});

export default configuration;
