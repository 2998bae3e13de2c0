import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { notedLibraries } from "./bundle-plugins.ts";
import { licencesOf } from "./licences.ts";

const libraryFiles = new Set<string>();

/** The page is served under /__understudy/, from dist/inspector of the package. */
const configuration: ReturnType<typeof defineConfig> = defineConfig({
  root: fileURLToPath(new URL("../src/stub/inspector", import.meta.url)),
  base: "/__understudy/",
  logLevel: "warn",
  plugins: [
    notedLibraries(libraryFiles),
    {
      name: "licences",
      generateBundle() {
        this.emitFile({ type: "asset", fileName: "licenses.txt", source: licencesOf(libraryFiles) });
      },
    },
  ],
  // Whatever NODE_ENV says: what React calls development writes the paths of the sources into the page.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
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
