// Writes a report of the public API of each entry point into docs/reference/api/, from declarations like those that are published, and
// docs/reference/library.md from the doc comments.
// They are not type-checked here: `npm run types` does that. `--check` writes nothing and fails if a report is not current.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { packageProgram, writeDeclarations } from "./declarations.ts";
import { libraryPage } from "./reference/library-page.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const isCheck = process.argv.includes("--check");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries: readonly (readonly [name: string, types: string])[] = Object.entries(exports).flatMap(
  ([path, entry]: [string, unknown]) => {
    const types = typeof entry === "object" && entry !== null && "types" in entry ? entry.types : undefined;
    return typeof types === "string" && path !== "./worker"
      ? [[path === "." ? "index" : path.slice(2), types] as const]
      : [];
  },
);
// Below the root, so that the extractor finds package.json and the libraries.
const temporary = join(root, `.bundled/api-${process.pid}`);
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
const program = packageProgram({ noCheck: true });
writeDeclarations(program, join(temporary, "dist"));
const configs = entries.map(([name, types]) => [name, configOf(name, types)] as const);
const compilerState = sharedState(configs.map(([, config]) => config));
const pages = configs.map(([name, config]) => [`docs/reference/api/${name}.api.md`, reportOf(name, config)] as const);
const stale = [...pages, ["docs/reference/library.md", libraryPage(program, entries.map(sourceOf))] as const]
  .filter(([file, page]) => !emit(file, page))
  .map(([file]) => file);
if (stale.length > 0) {
  console.error(`Not current: ${stale.join(", ")}. Run \`npm run api\`.`);
  process.exitCode = 1;
}

/** Whether the page was, or now is, current. */
function emit(name: string, page: string): boolean {
  const file = join(root, name);
  if (existsSync(file) && readFileSync(file, "utf8") === page) return true;
  if (isCheck) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, page);
  console.log(`wrote ${name}`);
  return true;
}

/** The name by which users import an entry point, and its source. */
function sourceOf([name, types]: readonly [name: string, types: string]): Parameters<typeof libraryPage>[1][number] {
  return {
    name: name === "index" ? "canton-understudy" : `canton-understudy/${name}`,
    source: join(root, types.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts")),
  };
}

function configOf(name: string, types: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(temporary, types),
      newlineKind: "lf",
      compiler: { tsconfigFilePath: join(root, "tsconfig.json"), skipLibCheck: true },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: temporary,
        reportTempFolder: temporary,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
}

/** The declarations, parsed once for all entry points. */
function sharedState([first, ...others]: readonly ExtractorConfig[]): CompilerState {
  if (first === undefined) throw new Error("package.json exports no types");
  const additionalEntryPoints = others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  return CompilerState.create(first, { additionalEntryPoints });
}

function reportOf(name: string, config: ExtractorConfig): string {
  const { succeeded } = Extractor.invoke(config, { localBuild: true, showVerboseMessages: false, compilerState });
  if (!succeeded) throw new Error(`the API of ${name} cannot be reported`);
  return readFileSync(join(temporary, `${name}.api.md`), "utf8");
}
