import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { controlPrefix } from "../../stub/control/access.ts";
import type { Understudy } from "../library/understudy.ts";
import { UnderstudyError } from "../library/understudy-error.ts";
import { jsonIn } from "./json-in.ts";

/** A stub that an assistant started, with its control API. */
export class RunningStub {
  readonly id: string;
  readonly understudy: Understudy;
  /** User of requests that name none; undefined if the fixture has no user. */
  readonly user: string | undefined;
  #requests = 0;

  constructor(id: string, understudy: Understudy, user: string | undefined) {
    this.id = id;
    this.understudy = understudy;
    const { users } = understudy.world;
    const administrator = users.find(({ rights }) => rights.some(({ type }) => type === "ParticipantAdmin"));
    this.user = user ?? (administrator ?? users[0])?.id;
  }

  /** Address of the inspector's page. */
  get inspectorUrl(): string {
    return `${this.understudy.ledgerUrl}${controlPrefix}/`;
  }

  /** An id that no other request of the stub has. */
  newRequestId(): string {
    this.#requests += 1;
    return `${this.id}-${this.#requests}`;
  }

  /** Reads from the control API, below the default world. Secrets are masked there. */
  read(path: string): Promise<JsonObject> {
    return this.#call(path, { method: "GET" });
  }

  /** Changes the default world by the control API. Throws an UnderstudyError with the reason of a refusal. */
  change(path: string, body: JsonObject): Promise<JsonObject> {
    return this.#call(path, { method: "POST", body: JSON.stringify(body) });
  }

  async #call(path: string, init: RequestInit): Promise<JsonObject> {
    const response = await this.control(`${controlPrefix}/worlds/default/${path}`, init);
    const body = objectOf(jsonIn(await response.text()));
    if (!response.ok) throw new UnderstudyError(textOf(body["error"]));
    return body;
  }

  /**
   * Sends a request to a path of the control API. Each has a connection of its own: client and server share a process, which
   * can be late, so that the server ends an idle connection just when the client uses it again.
   */
  control(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("Connection", "close");
    return fetch(`${this.understudy.ledgerUrl}${path}`, { ...init, headers });
  }
}
