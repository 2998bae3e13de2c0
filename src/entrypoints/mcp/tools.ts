import { readFileSync } from "node:fs";
import { objectOf } from "../../foundation/json/members.ts";
import { packagedFile } from "../library/files.ts";
import { jsonIn } from "./json-in.ts";
import type { Tool } from "./tool.ts";
import { checkHar } from "./tools/check-har.ts";
import { explain } from "./tools/explain.ts";
import { injectFaultOf } from "./tools/inject-fault.ts";
import { listTraffic } from "./tools/list-traffic.ts";
import { reassignContract } from "./tools/reassign-contract.ts";
import { searchDocs } from "./tools/search-docs.ts";
import { sendRequest } from "./tools/send-request.ts";
import { startStub } from "./tools/start-stub.ts";
import { stopStub } from "./tools/stop-stub.ts";

/** All tools, in the order in which an assistant sees them. */
export function allTools(): readonly Tool[] {
  const scenarioSchema = jsonIn(readFileSync(packagedFile("schemas/scenario.schema.json"), "utf8"));
  return [
    startStub,
    sendRequest,
    listTraffic,
    injectFaultOf(objectOf(scenarioSchema)),
    reassignContract,
    stopStub,
    checkHar,
    explain,
    searchDocs,
  ];
}
