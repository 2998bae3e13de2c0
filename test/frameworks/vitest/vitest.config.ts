import { defineConfig } from "vitest/config";

const configuration: ReturnType<typeof defineConfig> = defineConfig({
  test: { include: ["*.spec.ts"], deps: { interopDefault: false } },
});

export default configuration;
