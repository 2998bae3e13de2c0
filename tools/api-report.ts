// Writes a report of the public API of each entry point into docs/api/, from the declarations that are published.
// `--check` writes nothing and fails where a report is not current.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

const root = fileURLToPath(new URL("..", import.meta.url));
const isCheck = process.argv.includes("--check");
const folder = join(root, "docs/api");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries: readonly (readonly [name: string, types: string])[] = Object.entries(exports).flatMap(
  ([path, entry]: [string, unknown]) => {
    const types = typeof entry === "object" && entry !== null && "types" in entry ? entry.types : undefined;
    return typeof types === "string" && path !== "./worker"
      ? [[path === "." ? "index" : path.slice(2), types] as const]
      : [];
  },
);
if (!existsSync(join(root, "dist/index.d.ts"))) throw new Error("There is no dist; run `npm run build` first.");
const stale = entries.filter(([name, types]) => !emit(name, reportOf(name, types))).map(([name]) => name);
if (stale.length > 0) {
  console.error(`Not current: ${stale.join(", ")} in docs/api. Run \`npm run api\`.`);
  process.exitCode = 1;
}

/** Whether the report was, or now is, current. */
function emit(name: string, report: string): boolean {
  const file = join(folder, `${name}.api.md`);
  if (existsSync(file) && readFileSync(file, "utf8") === report) return true;
  if (isCheck) return false;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, report);
  console.log(`wrote docs/api/${name}.api.md`);
  return true;
}

function reportOf(name: string, types: string): string {
  const temporary = mkdtempSync(join(tmpdir(), "understudy-api-"));
  try {
    const config = ExtractorConfig.prepare({
      configObjectFullPath: undefined,
      packageJsonFullPath: join(root, "package.json"),
      configObject: {
        projectFolder: root,
        mainEntryPointFilePath: join(root, types),
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
    const { succeeded } = Extractor.invoke(config, { localBuild: true, showVerboseMessages: false });
    if (!succeeded) throw new Error(`the API of ${name} cannot be reported`);
    return readFileSync(join(temporary, `${name}.api.md`), "utf8");
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
