import { type DriftReport, driftOf } from "../../../checker/reports/drift.ts";
import type { Report } from "../../../checker/reports/report.ts";
import { isJsonObject } from "../../../foundation/json/json.ts";
import type { Spec } from "../../../foundation/spec/spec.ts";
import { readYaml } from "../../../scenarios/files/read-yaml.ts";
import { fetchResponse, type TargetSession } from "./contact.ts";

const path = "/docs/openapi";
/** The description of release 3.6 has 0.3 MB. The slowest YAML of this size takes some seconds. */
const descriptionBytesMax: number = 1024 * 1024;

/** The drift of the ledger as a member of the report; undefined without a ledger. It names a failure as its problem. */
export async function driftInReport(
  session: TargetSession,
  spec: Spec,
  mask: (text: string) => string,
): Promise<Pick<Report, "drift">> {
  return session.target.baseUrls.ledger === undefined ? {} : { drift: await readDrift(session, spec, mask) };
}

async function readDrift(session: TargetSession, spec: Spec, mask: (text: string) => string): Promise<DriftReport> {
  const response = await fetchResponse(session, "ledger", path);
  if (response.type !== "response") return unread(`GET ${path} had no complete response`);
  if (response.status !== 200) return unread(`GET ${path} returned ${response.status}`);
  if (response.body.size > descriptionBytesMax)
    return unread(`the response of GET ${path} is larger than ${descriptionBytesMax} bytes`);
  const read = readYaml(path, response.body.text());
  const description = read.type === "read" ? read.source.value : undefined;
  if (!isJsonObject(description) || !isJsonObject(description["paths"]))
    return unread(`the response of GET ${path} is not an OpenAPI description`);
  return driftOf(spec, description, mask);
}

function unread(problem: string): DriftReport {
  return { problem, differences: [], dropped: 0 };
}
