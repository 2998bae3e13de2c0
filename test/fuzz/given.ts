import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { readReport } from "../../src/checker/reports/read-report.ts";
import { targetOf as describedBy, targetFlags } from "../../src/entrypoints/cli/check/target-flags.ts";
import { type Environment, flagOf, readOptions } from "../../src/entrypoints/cli/options.ts";
import { readNames } from "../../src/entrypoints/cli/redaction/names-file.ts";
import { serve } from "../../src/entrypoints/cli/serve/serve.ts";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { baselineIn } from "../../src/entrypoints/programs/check/baseline-file.ts";
import { namedFile } from "../../src/entrypoints/programs/files/named-file.ts";
import { UserError } from "../../src/entrypoints/programs/user-error.ts";
import { formatJson, type Json } from "../../src/foundation/json/json.ts";
import { mintToken } from "../../src/stub/tokens/mint-token.ts";
import { createTokenVerifier } from "../../src/stub/tokens/verify-token.ts";
import { below, garbage, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind, FuzzTarget } from "./_fuzz-kind.ts";
import { mutatedJson } from "./_mutate-json.ts";
import { targetOf, thrown } from "./_target-of.ts";
import { mutatedFile } from "./fixture.ts";

/** What else the command line is given: flags, target files, baselines, files of names, reports; and tokens. */
export const KIND: FuzzKind = {
  name: "given",
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), "understudy-fuzz-"));
    const token = await mintToken({ ...tokenContent, userId: "alice" }, { secret });
    const target: FuzzTarget = targetOf({
      draw: (random) => drawn(token, random),
      check: (input) => check(input, join(folder, "given")),
      show: ({ type, text }) => `(${type})\n${text}`,
    });
    return { ...target, close: async () => rmSync(folder, { recursive: true }) };
  },
};

const secret = "unsafe";
const nowMs = Date.parse("2026-01-01T00:00:00Z");
const tokenContent = {
  audience: "a",
  scope: "s",
  issuer: "i",
  issuedAtMs: nowMs - 1000,
  expiresAtMs: nowMs + 1000,
} as const;

interface Input {
  readonly type: "flags" | "target" | "baseline" | "names" | "report" | "token";
  readonly text: string;
}

function drawn(token: string, random: Random): Input {
  if (isDrawn(random, 0.002)) return { type: "report", text: mutatedJson(report, random) };
  const type = oneOf(random, ["flags", "target", "baseline", "names", "token"] as const);
  return { type, text: textOf(type, token, random) };
}

function textOf(type: Exclude<Input["type"], "report">, token: string, random: Random): string {
  switch (type) {
    case "flags":
      return formatJson(Array.from({ length: 1 + below(random, 5) }, () => word(random)));
    case "target":
      return mutatedFile(target, random);
    case "baseline":
      return mutatedFile(baseline, random);
    case "names":
      return mutatedJson(names, random);
    case "token":
      return mutatedToken(token, random);
  }
}

const target = readFileSync(packagedFile("fixtures/targets/quickstart.target.yaml"), "utf8");
const baseline = `accepted:
  - { fingerprint: "media-type getV2Users 200", outcome: FAIL, says: "a: expected b, came c", reason: because }
  - { fingerprint: "page-size getV2Users 200", outcome: WARN, says: "x" }
`;
const party = `alice::1220${"ab".repeat(32)}`;
const names: Json = {
  names: [
    { kind: "party", original: party, name: `party-1::1220${"00".repeat(32)}` },
    { kind: "user", original: "alice", name: "user-1" },
    { kind: "offset", original: "0", name: "5" },
  ],
};
const report: Json = { version: 1, summary: { exchanges: 1, violations: [] }, isStrict: false, sources: ["x.har"] };

function word(random: Random): string {
  const { name } = oneOf(random, serve.flags);
  return oneOf(random, [
    `--${name}`,
    `--${name}=`,
    `--${name}=1`,
    `--${name.slice(1)}`,
    `--no-${name}`,
    "--",
    "-",
    "x",
    "-h",
    "--__proto__",
    "--constructor=1",
    garbage(random, 8),
  ]);
}

function mutatedToken(token: string, random: Random): string {
  const parts = token.split(".");
  const at = below(random, parts.length);
  const part = parts[at] ?? "";
  const json = Buffer.from(part, "base64url").toString();
  const instead =
    at === 2 || isDrawn(random, 0.3)
      ? `${part.slice(0, below(random, part.length))}${garbage(random, 5)}`
      : Buffer.from(mutatedJson(JSON.parse(json), random)).toString("base64url");
  return parts.toSpliced(at, 1, instead).join(".");
}

const environment: Environment = {
  folder: "/",
  input: Readable.from([]),
  program: undefined,
  variables: {},
  isTerminal: false,
  isColoured: false,
  nameOf: flagOf,
  print: () => undefined,
  printError: () => undefined,
  progress: () => undefined,
  stopped: async () => undefined,
};

const targetCommand = { name: "check", usage: "check", flags: targetFlags, run: async () => 0 } as const;
const verify = createTokenVerifier({ key: { type: "secret", secret }, audiences: ["a"], scopes: ["s"] });
const messageLengthMax = 250_000;

/** A wrong input is reported as a UserError, a refusal, or a problem. */
async function check({ type, text }: Input, file: string): Promise<string | undefined> {
  if (type === "token") return tokenProblem(text);
  if (type === "report")
    return readReport(text).type === undefined ? "a report is neither read nor mistaken" : undefined;
  if (type !== "flags") writeFileSync(file, text);
  try {
    if (type === "flags") readOptions(serve, JSON.parse(text), environment);
    else if (type === "target") describedBy(readOptions(targetCommand, ["--target", file], environment), environment);
    else if (type === "baseline") baselineIn(namedFile(file, environment));
    else readNames(namedFile(file, environment));
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) return thrown(error);
    if (error.message.length > messageLengthMax) return `the message about a ${type} is too long`;
    return error.message === "" ? `the message about a ${type} is empty` : undefined;
  }
}

/** A changed token is invalid. A signature may be encoded in several ways. */
async function tokenProblem(text: string): Promise<string | undefined> {
  const verified = await verify(text, { nowMs, wallNowMs: nowMs, participantId: "p::1220ab" });
  if (verified.type === "invalid") return verified.reason === "" ? "a token is refused without a reason" : undefined;
  return verified.type === "valid" && verified.userId === "alice" ? undefined : "an unsigned token is accepted";
}
