import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { build } from "vite";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { impliedRegistryProfile, knownProfiles } from "../../src/foundation/spec/spec.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import type { PageFiles } from "../../src/stub/inspection/page.ts";
import { startServer } from "../../src/transport/server/http-server.ts";
import { faultyStubs } from "../_faulty-stubs.ts";
import { scenarioOf } from "../_scenario.ts";
import { launchBrowser } from "./_browser.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A request to the stub; a body that is not a string is sent as JSON. */
export interface Requested {
  readonly method?: string;
  readonly target: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface InspectorOptions {
  /** A file of scenarios/. */
  readonly scenario?: string;
  readonly profile?: string;
  /** Whether planned responses count as faults of the stub, so that the page shows broken rules. */
  readonly isFaulty?: boolean;
  /** Requests to send before the page opens. */
  readonly requests?: readonly Requested[];
  /** The URL fragment. */
  readonly place?: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** Prepares the page before it opens. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** A served stub, and a page that shows it. */
interface OpenInspector extends AsyncDisposable {
  readonly page: Page;
  readonly url: string;
  /** Requests to other servers, console messages and errors of the page. */
  readonly noise: readonly string[];
  /** Sends requests to the stub in order and returns the statuses; 0 for a broken response. */
  ask(...requests: readonly Requested[]): Promise<readonly number[]>;
  /** Calls an action of the control API on a world, such as `clock/advance`. */
  control(path: string, body?: object, world?: string): Promise<unknown>;
}

/** One browser and the built page, shared by the tests of a file. */
export interface Inspectors {
  openInspector(options?: InspectorOptions): Promise<OpenInspector>;
  close(): Promise<void>;
}

export async function startInspectors(): Promise<Inspectors> {
  const [files, browser] = await Promise.all([builtPage(), launchBrowser()]);
  return {
    openInspector: (options = {}) => open(browser, files, options),
    close: () => browser.close(),
  };
}

/** Builds the page in memory from the current sources, independent of dist. */
async function builtPage(): Promise<PageFiles> {
  const built = await build({ configFile: join(root, "tools/vite.config.ts"), build: { write: false } });
  if (!("output" in built)) throw new Error("Vite gave no single output.");
  return new Map(
    built.output.map((file) => {
      const path = file.fileName === "index.html" ? "/" : `/${file.fileName}`;
      const text = file.type === "chunk" ? file.code : file.source;
      const body = typeof text === "string" ? new TextEncoder().encode(text) : text;
      return [path, { contentType: contentTypes[file.fileName.split(".").at(-1) ?? ""] ?? "", body }];
    }),
  );
}

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html",
  js: "text/javascript",
  svg: "image/svg+xml",
};

async function open(browser: Browser, files: PageFiles, options: InspectorOptions): Promise<OpenInspector> {
  const server = await serve(files, options);
  const { width = 1280, height = 800, colorScheme = "light" } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  const noise = noiseOf(context, page, server.url);
  const ask = (...requests: readonly Requested[]) => askStub(server.url, requests);
  const control = async (path: string, body: object = {}, world = "default") => {
    const headers = { "Content-Type": "application/json" };
    const address = `${server.url}/__understudy/worlds/${world}/${path}`;
    const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  await ask(...(options.requests ?? []));
  await options.prepare?.(page);
  await page.goto(`${server.url}/__understudy/${options.place ?? ""}`);
  return {
    page,
    url: server.url,
    noise,
    ask,
    control,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await server.close();
    },
  };
}

function serve(files: PageFiles, { scenario: name = "quickstart", profile, isFaulty }: InspectorOptions) {
  const scenario = scenarioOf(name, { profile });
  const names = knownProfiles({ ledger: scenario.profile, registry: impliedRegistryProfile(scenario.profile) });
  const faulty = isFaulty === true ? { sharedStubs: faultyStubs(names) } : {};
  const hosting = hostScenario(scenario, { wallNowMs: Date.now, ...faulty });
  const inner = withControl(hosting, loopbackAccess);
  const later = setTimeoutOfNode;
  const inspection = new Inspection({ source: hosting, access: loopbackAccess, page: files, later, inner });
  return startServer({
    handler: inspection.handler,
    host: "127.0.0.1",
    port: 0,
    isCorsAllowed: false,
    onFault: (fault) => process.emitWarning(String(fault)),
  });
}

const setTimeoutOfNode = (run: () => void, ms: number): void => {
  setTimeout(run, ms);
};

function noiseOf(context: BrowserContext, page: Page, url: string): readonly string[] {
  const noise: string[] = [];
  context.on("request", (request) => {
    if (!request.url().startsWith(`${url}/__understudy/`)) noise.push(`request ${request.url()}`);
  });
  page.on("console", (message) => noise.push(`console ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error ${error.message}`));
  return noise;
}

async function askStub(url: string, requests: readonly Requested[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const { method = "GET", target, body, headers = {} } of requests) {
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const own = { Authorization: "Bearer any", "Content-Type": "application/json", ...headers };
    const response = fetch(`${url}${target}`, { method, headers: own, ...sent });
    statuses.push(await response.then(statusOfWhole).catch(() => 0));
  }
  return statuses;
}

async function statusOfWhole(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
}
