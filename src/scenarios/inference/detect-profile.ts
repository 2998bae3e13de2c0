import { isJsonObject } from "../../foundation/json/json.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { profileNamesOf } from "../../foundation/spec/spec.ts";
import { objectOf, objectsOf, textOf } from "./_json.ts";
import type { Call } from "./call.ts";

/** What answers tell of the release that gave them. */
export class ProfileSigns {
  #version = "";
  #isDocument: boolean | undefined;
  #hasPartyAuthentication: boolean | undefined;

  note({ operation, status, response, responseText }: Call): void {
    if (operation.api !== "ledger" || status === 0) return;
    const json = objectOf(response);
    if (operation.operationId === "getV2Version" && status === 200) this.#version ||= textOf(json["version"]);
    const user = objectsOf(json["users"])[0] ?? json["user"];
    if (isJsonObject(user)) this.#hasPartyAuthentication ??= user["primaryPartyAuthentication"] !== undefined;
    if (status === 400) this.#isDocument ??= signOf400(isJsonObject(response), responseText);
    else if (status > 400 && isJsonObject(response)) this.#isDocument ??= !Object.values(response).includes(null);
    else if (status === 200 && isJsonObject(response) && Object.values(response).includes(null))
      this.#isDocument ??= false;
  }

  /** The profiles that fit, the likeliest first; all of them where none fits all signs. */
  get candidates(): readonly string[] {
    const releases = profileNamesOf("ledger")
      .filter((name) => name !== "spec")
      .reverse();
    const told = releases.filter((name) => this.#version !== "" && this.#isOf(name));
    const has = this.#hasPartyAuthentication;
    const shaped = releases.filter((name) => has === undefined || hasPartyAuthentication(name) === has);
    const fitting = told.length > 0 ? told : shaped;
    if (this.#isDocument === true) return ["spec"];
    return this.#isDocument === false ? fitting : [...fitting, "spec"];
  }

  /** The release with the same version, else those of the same line. */
  #isOf(name: string): boolean {
    const of = (profile: string) => contracts.profiles.find((known) => known.name === profile)?.version ?? "";
    const isSame = profileNamesOf("ledger").some((other) => of(other) === this.#version);
    if (isSame) return of(name) === this.#version;
    const line = (version: string) => version.split(".").slice(0, 2).join(".");
    return line(of(name)) === line(this.#version);
  }
}

function hasPartyAuthentication(name: string): boolean {
  return contracts.profiles.find((profile) => profile.name === name)?.behaviour?.hasPrimaryPartyAuthentication === true;
}

/** A node's own refusal is JSON in a release and a text in the spec; what could not be decoded is a text in both. */
function signOf400(isJson: boolean, text: string): boolean | undefined {
  if (isJson) return false;
  return /^[A-Z][A-Z0-9_]+[:(]/.test(text) ? true : undefined;
}
