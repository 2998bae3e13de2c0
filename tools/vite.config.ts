import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The page is served under /__understudy/, from dist/inspector of the package. */
const configuration: ReturnType<typeof defineConfig> = defineConfig({
  root: fileURLToPath(new URL("../src/inspector", import.meta.url)),
  base: "/__understudy/",
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../dist/inspector", import.meta.url)),
    emptyOutDir: true,
    // Nothing is inlined: the page's Content-Security-Policy allows what comes from its own address only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
  },
});

export default configuration;
