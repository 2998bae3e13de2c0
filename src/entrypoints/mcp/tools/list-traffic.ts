import type { JsonObject } from "../../../foundation/json/json.ts";
import { listOf, objectsOf, optionalTextOf } from "../../../foundation/json/members.ts";
import { bounds } from "../bounds.ts";
import type { Session } from "../session.ts";
import { shownFinding } from "../shown-finding.ts";
import { stubArgument, type Tool } from "../tool.ts";

const exchangesDefault = 20;

export const listTraffic: Tool = {
  name: "list_traffic",
  title: "List traffic with client findings",
  description:
    "Lists the newest exchanges of a stub, those of the application under test included, and the client findings: which requests break the spec, and what to change in the client. Secrets are masked.",
  isReadOnly: true,
  input: {
    stub: stubArgument,
    limit: { type: "integer", minimum: 1, maximum: bounds.exchanges, description: `Default: ${exchangesDefault}.` },
    onlyProblems: {
      type: "boolean",
      description: "Only exchanges with a client finding, a status from 400, an unexpected path or no response.",
    },
  },
  required: [],
  output: {
    total: { type: "integer", description: "Exchanges since the stub started." },
    exchanges: { type: "array", description: "Oldest first." },
    clientFindings: { type: "array", description: "One of each kind, with its count." },
    note: { type: "string" },
  },
  run: runListTraffic,
};

async function runListTraffic(given: JsonObject, { stubs }: Session): Promise<JsonObject> {
  const stub = stubs.find(optionalTextOf(given["stub"]));
  const { last, lines } = await stub.read("traffic");
  const listed = objectsOf(lines).filter((line) => given["onlyProblems"] !== true || isProblem(line));
  const limit = Number(given["limit"] ?? exchangesDefault);
  const findings = stub.understudy.clientFindings();
  const omitted = [
    ...omittedText(listed.length - limit, "older exchanges"),
    ...omittedText(findings.length - bounds.kinds, "kinds of client findings"),
  ];
  return {
    total: last ?? 0,
    exchanges: listed.slice(-limit).map(shownLine),
    clientFindings: findings.slice(0, bounds.kinds).map(({ exchange, count, operationId, ...finding }) => ({
      operation: operationId,
      count,
      ...shownFinding({ ...finding }),
    })),
    ...(omitted.length === 0 ? {} : { note: `Not listed: ${omitted.join(", ")}.` }),
  };
}

function omittedText(count: number, what: string): readonly string[] {
  return count > 0 ? [`${count} ${what}`] : [];
}

function isProblem({ status, unexpected, clientRules }: JsonObject): boolean {
  return unexpected !== null || listOf(clientRules).length > 0 || Number(status ?? 500) >= 400;
}

function shownLine(line: JsonObject): JsonObject {
  const { number = 0, method = "", target = "", operationId = null, status = null, broken, outcome = "" } = line;
  const { reason = null } = line;
  const rules = objectsOf(line["clientRules"]).flatMap(({ rule }) => rule ?? []);
  return {
    exchange: number,
    request: `${method} ${target}`,
    operation: operationId,
    status,
    ...(status === null ? { noResponse: broken ?? "" } : {}),
    ...(outcome === "PLANNED" ? { isInjectedFault: true } : {}),
    ...(line["unexpected"] === null ? {} : { unexpected: line["unexpected"] ?? "" }),
    ...(reason === null ? {} : { reason }),
    ...(rules.length === 0 ? {} : { clientRules: rules }),
  };
}
