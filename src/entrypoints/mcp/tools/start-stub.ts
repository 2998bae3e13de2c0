import { resolve } from "node:path";
import type { JsonObject } from "../../../foundation/json/json.ts";
import { optionalTextOf, textOf } from "../../../foundation/json/members.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import type { WorldSnapshot } from "../../../stub/control/world-snapshot.ts";
import { authenticationModes } from "../../../stub/pipeline/claims.ts";
import { UnderstudyError } from "../../library/understudy-error.ts";
import { knownProfile, type StartOptions } from "../../library/understudy-options.ts";
import { bounds } from "../bounds.ts";
import type { RunningStub } from "../running-stub.ts";
import type { Session } from "../session.ts";
import type { Tool } from "../tool.ts";

const clocks = ["frozen", "real", "x60"] as const;

export const startStub: Tool = {
  name: "start_stub",
  title: "Start a stub",
  description: `Starts a stateful stub of a Canton participant's JSON Ledger API (/v2/…) and of a token registry (/registry/…), on loopback at a free port. The application under test can use its base URL like that of a node. Returns the base URL, a bearer token, the URL of the inspector page, and the names in its world. At most ${bounds.stubs} run at a time; all stop when the assistant disconnects.`,
  isReadOnly: false,
  input: {
    scenario: {
      type: "string",
      description:
        "Scenario file (Arazzo) or a single fixture file (YAML), relative to the working folder. Default: the built-in quickstart with users such as alice and participant_admin.",
    },
    profile: {
      type: "string",
      description: "Release to behave like, such as canton-3.5 or canton-3.6, or spec. Default: the scenario's.",
    },
    auth: {
      enum: authenticationModes,
      description:
        "bearer (default): any token has every right. user: the token is a user id, and the rights of the user apply. jwt: tokens are verified. none: no token is needed.",
    },
    user: {
      type: "string",
      description: "User of the returned token, and of requests that name no other. Default: an administrator.",
    },
    clock: {
      enum: clocks,
      description: "Virtual time: frozen (default, unless the scenario says otherwise), real, or 60 times as fast.",
    },
    start: { enum: ["now"], description: "now: virtual time starts now. Default: the time in the scenario." },
  },
  required: [],
  output: {
    stub: { type: "string" },
    baseUrl: { type: "string" },
    inspectorUrl: { type: "string" },
    user: { type: "string" },
    token: { type: "string" },
    auth: { type: "string" },
    profile: { type: "object" },
    now: { type: "string", description: "Virtual time." },
    world: { type: "object", description: `Names that requests can use, at most ${bounds.names} of each kind.` },
  },
  run: runStartStub,
};

async function runStartStub(given: JsonObject, { folder, stubs }: Session): Promise<JsonObject> {
  const user = optionalTextOf(given["user"]);
  const auth = authenticationModes.find((mode) => mode === given["auth"]) ?? "bearer";
  const stub = await stubs.start({ ...optionsFrom(given, folder), auth }, user);
  const { understudy } = stub;
  const { users, ...world } = understudy.world;
  if (user !== undefined && !users.some(({ id }) => id === user)) {
    await stubs.stop(stub);
    throw new UnderstudyError(
      `user: the fixture has no user ${JSON.stringify(user)}. ${advise(
        user,
        users.map(({ id }) => id),
        "The ledger fixture lists all.",
      )}`,
    );
  }
  return {
    stub: stub.id,
    baseUrl: understudy.ledgerUrl,
    inspectorUrl: stub.inspectorUrl,
    ...(await credentialsOf(stub)),
    auth,
    profile: { ...understudy.profile },
    now: world.now,
    world: namesOf({ users, ...world }),
  };
}

function optionsFrom(given: JsonObject, folder: string): StartOptions {
  const scenario = optionalTextOf(given["scenario"]);
  const profile = optionalTextOf(given["profile"]);
  const clock = clocks.find((mode) => mode === given["clock"]);
  return {
    ...(scenario === undefined ? {} : { scenario: resolve(folder, scenario) }),
    ...(profile === undefined ? {} : { profile: knownProfile("ledger", profile) }),
    ...(clock === undefined ? {} : { clock }),
    ...(textOf(given["start"]) === "now" ? { start: "now" } : {}),
  };
}

async function credentialsOf({ user, understudy }: RunningStub): Promise<JsonObject> {
  return user === undefined ? {} : { user, token: await understudy.token({ user }) };
}

function namesOf({ users, parties, synchronizers, contracts }: WorldSnapshot): JsonObject {
  return {
    users: users.slice(0, bounds.names).map(({ id }) => id),
    parties: parties.slice(0, bounds.names).map(({ id }) => id),
    synchronizers: synchronizers.slice(0, bounds.names).map(({ alias }) => alias),
    registryContracts: contracts.slice(0, bounds.names).map(({ name }) => name),
  };
}
