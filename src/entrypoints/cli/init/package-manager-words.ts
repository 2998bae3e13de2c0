import type { PackageManager } from "./project.ts";

/** Command lines of a package manager. */
interface PackageManagerWords {
  /** Adds a dev dependency. */
  readonly add: string;
  /** Installs what the lock file has. */
  readonly install: string;
  readonly run: string;
  /** Steps of a workflow that install the package manager. */
  readonly setUp: string;
}

const corepack = "      - run: corepack enable\n";

export const packageManagerWords: Readonly<Record<PackageManager, PackageManagerWords>> = {
  npm: { add: "npm install --save-dev", install: "npm ci", run: "npm run", setUp: "" },
  pnpm: { add: "pnpm add --save-dev", install: "pnpm install --frozen-lockfile", run: "pnpm run", setUp: corepack },
  yarn: { add: "yarn add --dev", install: "yarn install", run: "yarn run", setUp: corepack },
  bun: { add: "bun add --dev", install: "bun install", run: "bun run", setUp: "      - uses: oven-sh/setup-bun@v2\n" },
};
