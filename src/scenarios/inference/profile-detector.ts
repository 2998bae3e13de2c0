import { isJsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { releaseOfVersion } from "../../foundation/spec/release-of-version.ts";
import { defaultProfileOf, profileNamesOf } from "../../foundation/spec/spec.ts";
import type { RecordedCall } from "./recorded-call.ts";

/** Infers the possible profiles of a node from its responses. */
export class ProfileDetector {
  #version = "";
  #isSpec: boolean | undefined;
  #hasPartyAuthentication: boolean | undefined;

  note({ operation, status, response, responseText }: RecordedCall): void {
    if (operation.api !== "ledger" || status === 0) return;
    const json = objectOf(response);
    if (operation.operationId === "getV2Version" && status === 200) this.#version ||= textOf(json["version"]);
    const user = objectsOf(json["users"])[0] ?? json["user"];
    if (isJsonObject(user)) this.#hasPartyAuthentication ??= user["primaryPartyAuthentication"] !== undefined;
    if (status === 400) this.#isSpec ??= isSpec400(isJsonObject(response), responseText);
    else if (status > 400 && isJsonObject(response)) this.#isSpec ??= !Object.values(response).includes(null);
    else if (status === 200 && isJsonObject(response) && Object.values(response).includes(null)) this.#isSpec ??= false;
  }

  /** The version that the node reports; empty if the recording does not have it. */
  get version(): string {
    return this.#version;
  }

  /** The profiles that match the responses, the likeliest first. */
  get candidates(): readonly string[] {
    const newestFirst = profileNamesOf("ledger").filter((name) => name !== "spec");
    const releases = [...new Set([defaultProfileOf("ledger"), ...newestFirst])];
    const has = this.#hasPartyAuthentication;
    const shaped = releases.filter((name) => has === undefined || hasPartyAuthentication(name) === has);
    const reported = releaseOfVersion(this.#version)?.name;
    const fitting = reported === undefined ? shaped : [reported];
    if (this.#isSpec === true) return ["spec"];
    return this.#isSpec === false ? fitting : [...fitting, "spec"];
  }
}

function hasPartyAuthentication(name: string): boolean {
  return contracts.profiles.find((profile) => profile.name === name)?.behaviour?.hasPrimaryPartyAuthentication === true;
}

/** Whether a 400 response has the form of the spec: a refusal is text there and JSON in a release. Undefined for decoding errors, which are text in both. */
function isSpec400(isJson: boolean, text: string): boolean | undefined {
  if (isJson) return false;
  return /^[A-Z][A-Z0-9_]+[:(]/.test(text) ? true : undefined;
}
