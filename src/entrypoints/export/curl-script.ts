import { curlLine, shellWord } from "../../checker/engine/curl-line.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import { plainMask } from "../../foundation/secrets/mask.ts";
import { requestOf } from "../../scenarios/files/run-step.ts";
import type { PlayedScenario, PlayedStep } from "./played-scenario.ts";

/** Time limit in seconds for a request whose response is incomplete on purpose. */
const brokenSecondsMax = 2;

/**
 * A script for a POSIX shell with a curl line for each step. Each line prints the status and the step. The variables LEDGER,
 * REGISTRY and TOKEN set base URLs and token; the defaults are those of `understudy serve`. Node reads values from earlier
 * responses, because no standard shell tool reads JSON.
 */
export function curlScript(played: PlayedScenario): string {
  const outputs = outputsIn(played.steps);
  const bearers = [...new Set(played.steps.flatMap(({ exchange }) => bearerIn(exchange.request.headers) ?? []))];
  const blocks = played.steps.map((step) => stepLines(step, { outputs, bearers }).join("\n"));
  const used = usedOutputs(blocks, outputs);
  const lines = [
    "#!/bin/sh",
    comment(`${played.title}: understudy serve ${played.file} --profile ${played.profile.ledger}`),
    comment(
      'LEDGER, REGISTRY and TOKEN set the base URLs and the token. The file "$body" contains the last response body.',
    ),
    `LEDGER=\${LEDGER:-http://127.0.0.1:7575}`,
    `REGISTRY=\${REGISTRY:-$LEDGER}`,
    ...bearers.map((bearer, index) => tokenLine(tokenName(index), bearer)),
    "body=$(mktemp)",
    "head=$(mktemp)",
    `trap 'rm -f "$body" "$head"' EXIT`,
    ...(used.size === 0 ? [] : [valueFunction]),
    ...blocks.map((block, index) => ["", block, ...outputLines(played.steps[index], used)].join("\n")),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * A Node program with several modes. `take` prints the value of a runtime expression in the last response as JSON. The others
 * print such a value as text (`text`), as a part of a URL (`encoded`), or inside a JSON string (`inner`). The program must not
 * contain apostrophes: it is quoted for the shell.
 */
const reader = `
const [mode, given, body, head] = process.argv.slice(1);
const read = (file) => require("fs").readFileSync(file, "utf8");
const headers = () => read(head).split(/\\r?\\n/);
const unescaped = (segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~");
const header = (name) => headers().find((line) => line.toLowerCase().startsWith(name + ":"))?.slice(name.length + 1).trim();
const named = () => {
  if (given.startsWith("$response.header.")) return header(given.slice(17).toLowerCase());
  if (given === "$statusCode") return Number(headers()[0].split(" ")[1]);
  if (given === "$response.body") try { return JSON.parse(read(body)); } catch { return read(body); }
  const path = given.slice(14);
  const segments = path.startsWith("#/") ? path.slice(2).split("/").map(unescaped) : path.match(/[^.[\\]]+/g);
  return segments.reduce((value, segment) => value?.[segment], JSON.parse(read(body)));
};
const text = () => { const value = JSON.parse(given); return typeof value === "string" ? value : given; };
const modes = {
  take: () => JSON.stringify(named() ?? null),
  text,
  encoded: () => encodeURIComponent(text()),
  inner: () => given === "null" ? "" : JSON.stringify(text()).slice(1, -1),
};
modes[mode]();
`;

const valueFunction = [`reader='${reader}'`, 'value() { node -p "$reader" "$1" "$2" "$body" "$head"; }'].join("\n");

/** An output of a step. The marker replaces its value in later requests; the shell variable replaces the marker. */
interface Output {
  readonly stepId: string;
  readonly name: string;
  readonly expression: string;
  readonly marker: string;
  readonly variable: string;
}

function outputsIn(steps: readonly PlayedStep[]): readonly Output[] {
  return steps.flatMap(({ stepId, source }, step) => {
    const outputs = isJsonObject(source["outputs"]) ? source["outputs"] : {};
    return Object.entries(outputs).map(([name, expression], index) => ({
      stepId,
      name,
      expression: String(expression),
      marker: `UNDERSTUDY-OUTPUT-${step}-${index}-`,
      variable: `step_${step + 1}_${name.replaceAll(/[^A-Za-z0-9]/g, "_")}`,
    }));
  });
}

interface Options {
  readonly outputs: readonly Output[];
  readonly bearers: readonly string[];
}

function stepLines(step: PlayedStep, { outputs, bearers }: Options): readonly string[] {
  const { operation, source, stepId, description, exchange, scope: values } = step;
  const known = new Map<string, Record<string, Json>>();
  for (const output of outputs) known.set(output.stepId, { ...known.get(output.stepId), [output.name]: output.marker });
  const scope = { ...values, request: undefined, response: undefined, responseJson: undefined, outputs: known };
  const request = requestOf(source, operation, scope);
  const isBroken = exchange.response.type === "broken";
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== "host");
  const line = curlLine({ ...request, headers }, "administrator", shellWord);
  const options = `-o "$body" -D "$head" -w ${shellWord(`%{http_code} ${stepId.replaceAll(/[%\\]/g, "")}\\n`)}`;
  const token = bearers.indexOf(bearerIn(request.headers) ?? "");
  const at = line.lastIndexOf('"$BASE_URL"');
  const addressed = `${line.slice(0, at)}"$${operation.api === "registry" ? "REGISTRY" : "LEDGER"}"${line.slice(at + '"$BASE_URL"'.length)}`;
  const whole = addressed
    .replace("curl -sS", () => `curl -sS ${options}${isBroken ? ` -m ${brokenSecondsMax}` : ""}`)
    .replace('-H "Authorization: Bearer $TOKEN"', () => `-H "Authorization: Bearer $${tokenName(Math.max(0, token))}"`);
  return [
    comment([stepId, description].filter((part) => part !== "").join(": ")),
    `${joined(withVariables(whole, outputs))}${isBroken ? " || true" : ""}`,
  ];
}

/** Replaces the markers by shell variables. Every text is in single quotes, which end before a variable. */
function withVariables(line: string, outputs: readonly Output[]): LineParts {
  return outputs.reduce(({ headers, data, address }, { marker, variable }) => {
    const as = (how: string) => () => `'"$(value ${how} "$${variable}")"'`;
    return {
      headers: headers.replaceAll(marker, as("text")),
      data: data.replaceAll(`"${marker}"`, () => `'"$${variable}"'`).replaceAll(marker, as("inner")),
      address: address.replaceAll(marker, as("encoded")),
    };
  }, partsOf(line));
}

/** The parts of a curl line. In each, values are encoded in another way. */
interface LineParts {
  readonly headers: string;
  readonly data: string;
  readonly address: string;
}

function joined({ headers, data, address }: LineParts): string {
  return `${headers}${data}${address}`;
}

function partsOf(line: string): LineParts {
  const end = line.lastIndexOf(' "$');
  const begin = line.indexOf(" --data-raw ");
  const cut = begin < 0 ? end : begin;
  return { headers: line.slice(0, cut), data: line.slice(cut, end), address: line.slice(end) };
}

function usedOutputs(blocks: readonly string[], outputs: readonly Output[]): ReadonlySet<Output> {
  return new Set(outputs.filter(({ variable }) => blocks.some((block) => block.includes(`"$${variable}"`))));
}

function outputLines(step: PlayedStep | undefined, used: ReadonlySet<Output>): readonly string[] {
  return [...used]
    .filter(({ stepId }) => stepId === step?.stepId)
    .map(({ variable, expression }) => `${variable}=$(value take ${shellWord(expression)})`);
}

/** The line that sets a token variable. A user id as token is its default; a real token must be set by the user. */
function tokenLine(name: string, bearer: string): string {
  const isIssued = plainMask(bearer) !== bearer;
  return isIssued ? `: "\${${name}:?a token is needed}"` : `${name}=\${${name}:-${shellWord(bearer)}}`;
}

/** The bearer token in the headers of a step. */
function bearerIn(headers: HeaderList): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === "authorization")?.[1] ?? "";
  return /^bearer +(\S+)$/i.exec(value)?.[1];
}

function tokenName(index: number): string {
  return index === 0 ? "TOKEN" : `TOKEN_${index + 1}`;
}

/** A shell comment; line breaks become spaces. */
function comment(text: string): string {
  return `# ${text.replaceAll(/\s+/g, " ")}`;
}
