import type { HandlerResponse } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { textResponse, withHeaders } from "../../src/foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, jsonOf } from "../../src/foundation/json/json.ts";
import type { User } from "../../src/simulator/ledger/ledger-state.ts";
import type { WorldChange } from "../../src/simulator/world/plan.ts";
import type { World } from "../../src/simulator/world/world.ts";
import type { Planted } from "./_simulation.ts";

// Faults of a stub, each with one wrong behaviour. They need no change of the sources.

export interface PlantedFault {
  /** Made anew for each walk. */
  readonly plant: () => Planted;
  /** What it breaks. */
  readonly breaks: RegExp;
}

/** A fault in the responses of a world to requests of that method and path. */
function responding(
  method: string,
  path: RegExp,
  change: (
    response: HandlerResponse,
    requested: { readonly request: Request; readonly world: World },
  ) => HandlerResponse,
): Pick<Planted, "onWorld"> {
  return {
    onWorld: (hosted) => {
      const { stub, world } = hosted;
      const faulty: typeof stub = (request, verified) => {
        const responded = stub(request, verified);
        if (request.method !== method || !path.test(request.target)) return responded;
        return { ...responded, response: change(responded.response, { request, world }) };
      };
      Object.assign(hosted, { stub: faulty });
    },
  };
}

function withJson(response: HandlerResponse, change: (json: JsonObject) => Json): HandlerResponse {
  const json = response.type === "response" && response.status === 200 ? jsonOf(response.body.text()) : undefined;
  return isJsonObject(json) ? textResponse(200, "application/json", formatJson(change(json))) : response;
}

function isRefused(response: HandlerResponse): boolean {
  return response.type === "response" && response.status >= 400;
}

const administrator: WorldChange = {
  type: "rights-granted",
  userId: "participant_admin",
  rights: [{ type: "CanReadAsAnyParty" }],
};

const emptyContext = { choiceContextData: { values: {} }, disclosedContracts: [] };
const found = formatJson({ factoryId: "00ab", transferKind: "offer", choiceContext: emptyContext });

export const plantedFaults: Readonly<Record<string, PlantedFault>> = {
  "what is granted in a fork is granted in its origin too": {
    plant: () => ({
      handler: (inner, hosting) => async (request) => {
        const response = await inner(request);
        const isGrant = /^\/w\/fork-\d+\/v2\/users\/[^/]+\/rights$/.test(request.target);
        if (isGrant && response.type === "response" && response.status === 200)
          hosting.worlds.get("default")?.world.perform([administrator]);
        return response;
      },
    }),
    breaks: /^isolation$/,
  },
  "a row that worlds share is changed in place": {
    plant: () => ({
      onWorld: ({ world }) => {
        let made: User | undefined;
        const perform = world.perform.bind(world);
        world.perform = (changes) => {
          if (made !== undefined) Object.assign(made, { primaryParty: "unknown::1220ab" });
          made = changes.find((change) => change.type === "user-created")?.user;
          perform(changes);
        };
      },
    }),
    breaks: /^(?:states|rebuild)$|^rule /,
  },
  "an update leaves the version": {
    plant: () => ({
      onWorld: ({ world }) => {
        const perform = world.perform.bind(world);
        world.perform = (changes) =>
          perform(
            changes.map((change) =>
              change.type === "user-updated" ? { type: "user-created", user: withRights(world, change.user) } : change,
            ),
          );
      },
    }),
    breaks: /^(?:rule |rebuild$)/,
  },
  "a lookup succeeds while a contract moves": {
    plant: () =>
      responding("POST", /\/transfer-factory$/, (response) =>
        response.type === "response" && response.status === 409
          ? textResponse(200, "application/json", found)
          : response,
      ),
    breaks: /^rule /,
  },
  "a refused creation changes something": {
    plant: () =>
      responding("POST", /^\/v2\/users$/, (response, { world }) => {
        if (isRefused(response)) world.perform([administrator]);
        return response;
      }),
    breaks: /^no effect$/,
  },
  "time passes during a read": {
    plant: () =>
      responding("GET", /\/v2\/state\/ledger-end$/, (response, { world }) => {
        world.advanceBy(1000);
        return response;
      }),
    breaks: /^no effect$/,
  },
  "a page repeats the last user of the page before": { plant: repeatingPages, breaks: /^(?:pages$|rule )/ },
  "the journal loses one exchange in three": {
    plant: () => ({
      onWorld: ({ journal }) => {
        const add = journal.add.bind(journal);
        let count = 0;
        journal.add = (entry, pointInTime) => {
          count += 1;
          if (count % 3 !== 0) add(entry, pointInTime);
        };
      },
    }),
    breaks: /^journal$/,
  },
  "a reset keeps what was planned": {
    plant: () => ({
      onWorld: ({ world }) => {
        const reset = world.reset.bind(world);
        world.reset = () => {
          const { plan } = world.state;
          reset();
          if (plan !== world.state.plan) world.plan(plan);
        };
      },
    }),
    breaks: /^reset$/,
  },
  "a fork begins where its origin began": {
    plant: () => ({
      onWorld: ({ world }) => {
        world.fork = () => world.fresh();
      },
    }),
    breaks: /^fork$/,
  },
  "a reassignment is never completed": {
    plant: () => ({
      onWorld: ({ world }) => {
        world.completeReassignment = () => undefined;
      },
    }),
    breaks: /^reassignment$/,
  },
  "an operation throws": {
    plant: () =>
      responding("GET", /\/v2\/parties$/, () => {
        throw new Error("out of order");
      }),
    breaks: /^no handler throws$/,
  },
  "a response is never the same": {
    plant: () =>
      responding("GET", /\/v2\//, (response) =>
        response.type === "response" ? withHeaders(response, [["X-Moment", String(performance.now())]]) : response,
      ),
    breaks: /^(?:determinism|rebuild)$/,
  },
};

function repeatingPages(): Planted {
  let last: Json | undefined;
  return responding("GET", /\/v2\/users\?.*pageSize/, (response, { request }) =>
    withJson(response, (page) => {
      const users: readonly Json[] = Array.isArray(page["users"]) ? page["users"] : [];
      const repeated = request.target.includes("pageToken=C") && last !== undefined ? [last] : [];
      last = users.at(-1);
      return { ...page, users: [...repeated, ...users] };
    }),
  );
}

function withRights(world: World, user: User): User {
  return { ...user, rights: world.state.ledger.users.get(user.id)?.rights ?? user.rights };
}
