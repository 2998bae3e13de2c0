import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { type HostScenarioOptions, hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { type ControlAccess, loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import type { PageFiles } from "../../src/stub/inspection/page.ts";
import { startServer } from "../../src/transport/server/http-server.ts";
import { scenarioOf } from "../_scenario.ts";
import { root } from "../acceptance/_command-line.ts";

/** A served stub with the inspector. */
export interface Inspected extends AsyncDisposable {
  readonly url: string;
  readonly hosting: Hosting;
  /** Plays the steps of the scenario that is served. */
  play(): Promise<void>;
  /** Sends a request to the stub over HTTP. */
  send(method: string, path: string, body?: object): Promise<globalThis.Response>;
  /** Opens the page with a URL fragment. */
  open(place: string, look?: { readonly scheme?: "light" | "dark"; readonly width?: number }): Promise<Opened>;
}

interface Opened {
  readonly page: Page;
  /** Console messages and errors of the page. */
  readonly noise: readonly string[];
}

/** Builds the page into its own folder, separate from other builds. */
export async function buildPage(): Promise<PageFiles> {
  const { build } = await import("vite");
  const outDir = mkdtempSync(join(tmpdir(), "understudy-inspector-"));
  await build({ configFile: join(root, "tools/vite.config.ts"), build: { outDir, emptyOutDir: true } });
  const types: Readonly<Record<string, string>> = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
  };
  const files = readdirSync(outDir, { recursive: true, encoding: "utf8" }).filter((file) => extname(file) !== "");
  return new Map(
    files.map((file) => [
      file === "index.html" ? "/" : `/${file}`,
      { contentType: types[extname(file)] ?? "", body: readFileSync(join(outDir, file)) },
    ]),
  );
}

/** Serves a bundled scenario with the inspector on a free loopback port. */
export async function inspect(
  browser: Browser,
  files: PageFiles,
  file = "quickstart",
  access: ControlAccess = loopbackAccess,
  stubs: Pick<HostScenarioOptions, "sharedStubs"> = {},
): Promise<Inspected> {
  const scenario = load(file);
  const hosting = hostScenario(scenario, { wallNowMs: Date.now, ...stubs });
  const inner = withControl(hosting, access);
  const options = { source: hosting, access, page: files, later: setTimeout, inner };
  const inspection = new Inspection(options);
  const server = await startServer({
    handler: inspection.handler,
    host: "127.0.0.1",
    port: 0,
    isCorsAllowed: false,
    onFault: (fault) => {
      throw fault;
    },
  });
  const pages: Page[] = [];
  return {
    url: server.url,
    hosting,
    play: async () => {
      const handler = (request: Request) => inner({ ...request, headers: [["Host", "localhost"], ...request.headers] });
      const results = await runScenario(scenario, { handler, hasControl: true, nowMs: () => 0 });
      expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => "passed"));
    },
    send: (method, path, body) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: { Authorization: "Bearer any", "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    open: async (place, { scheme = "light", width = 1280 } = {}) => {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
      pages.push(page);
      const noise: string[] = [];
      page.on("console", (message) => noise.push(`console ${message.text()}`));
      page.on("pageerror", (error) => noise.push(`error ${error.message}`));
      await page.goto(`${server.url}/__understudy/#/${place}`);
      await page.getByText("live", { exact: true }).waitFor();
      return { page, noise };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(pages.map((page) => page.close()));
      inspection.close();
      await server.close();
    },
  };
}

function load(file: string): Scenario {
  return scenarioOf(file);
}
