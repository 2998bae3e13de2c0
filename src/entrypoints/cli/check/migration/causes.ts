import type { Difference } from "../../../../checker/comparison/difference.ts";
import { type Json, jsonOf } from "../../../../foundation/json/json.ts";
import { limits } from "../../../../foundation/limits/limits.ts";
import type { Profile, ReleaseBehaviour } from "../../../../foundation/spec/contracts.ts";
import { bodyBytesMaxOf, type Spec } from "../../../../foundation/spec/spec.ts";
import { switchDifferences } from "../../profiles/release-differences.ts";
import { disabledPartIn, type PlayedRequest } from "./played-request.ts";
import { type Migration, profileNamed, sinceOf } from "./releases.ts";
import { type SeenDifference, switchEffects } from "./switches.ts";

/** Why the responses of two releases differ. Requests with the same title have the same cause. */
export interface Cause {
  readonly title: string;
  readonly advice: string;
  /** The release that brings it. */
  readonly since: string;
  /** Whether the request alone decides it, whatever the state of the node. */
  readonly isOfRequest: boolean;
}

/** Names causes of differences between two releases: data of their profiles, their schemas, and switches of behaviour. */
export class Causes {
  readonly #migration: Migration;
  readonly #specs: readonly [before: Spec, after: Spec];
  readonly #after: Profile | undefined;
  /** What a client notices of each switch or limit that differs. */
  readonly #sentences: ReadonlyMap<string, string>;
  readonly #switches: readonly (keyof ReleaseBehaviour)[];

  constructor(migration: Migration, specs: readonly [before: Spec, after: Spec]) {
    this.#migration = migration;
    this.#specs = specs;
    const [before, after] = [migration.from, migration.played].map(profileNamed);
    this.#after = after;
    const differences = before === undefined || after === undefined ? [] : switchDifferences(before, after);
    this.#sentences = new Map(differences.map(({ source, text }) => [source, text.replace(/\.$/, "")]));
    this.#switches = switchNames.filter((name) => this.#sentences.has(name));
  }

  /** The cause that a request shows without its responses. */
  ofRequest(played: PlayedRequest): Cause | undefined {
    return this.#disabled(played) ?? this.#bodySize(played);
  }

  /** The cause of a difference; undefined if no named change explains it. */
  ofDifference(seen: SeenDifference): Cause | undefined {
    const { played, difference } = seen;
    const known = this.#operation(played) ?? (isWhole(difference) ? this.#schema(seen) : undefined);
    if (known !== undefined) return known;
    if (difference.pointer === "/version" && played.sent.operationId === "getV2Version")
      return this.#cause(`GET /v2/version reports ${this.#after?.version}`, "Accept later versions.", () => true);
    const name = this.#switches.find((candidate) => switchEffects[candidate].isCauseOf(seen));
    return name === undefined ? undefined : this.#ofSwitch(name);
  }

  /** The causes that the recorded response shows, where the stub of its release does not give it. */
  ofRecorded(played: PlayedRequest): readonly Cause[] {
    return this.#switches
      .filter((name) => switchEffects[name].isShownBy?.(played.recorded) === true)
      .map((name) => this.#ofSwitch(name));
  }

  #ofSwitch(name: keyof ReleaseBehaviour): Cause {
    const { advice, isOfRequest = false } = switchEffects[name];
    const value = this.#after?.behaviour?.[name];
    const title = this.#sentences.get(name) ?? name;
    return { ...this.#cause(title, advice, ({ behaviour }) => behaviour?.[name] === value), isOfRequest };
  }

  #cause(title: string, advice: string, holds: (profile: Profile) => boolean): Cause {
    return { title, advice, since: sinceOf(this.#migration, holds), isOfRequest: true };
  }

  #disabled(played: PlayedRequest): Cause | undefined {
    const { after } = played;
    if (after === undefined || after.status < 400) return undefined;
    const earlier = new Set(profileNamed(this.#migration.from)?.disables?.map(({ feature }) => feature));
    for (const disabled of this.#after?.disables ?? []) {
      const found = disabledPartIn(disabled, played);
      if (found === undefined || earlier.has(disabled.feature)) continue;
      const instead = disabled.instead?.[found.request];
      const advice = `Use ${instead ?? "its replacement"}. Until then a node can set ${disabled.feature} = true.`;
      return this.#cause(`${found.name} is disabled (${disabled.feature})`, advice, ({ disables }) =>
        (disables ?? []).some(({ feature }) => feature === disabled.feature),
      );
    }
    return undefined;
  }

  #bodySize({ exchange }: PlayedRequest): Cause | undefined {
    const bytesMaxOf = (profile: string) => bodyBytesMaxOf(profile) ?? limits.bodyBytesMax.byDefault;
    const { from, played } = this.#migration;
    const [before, after] = [bytesMaxOf(from), bytesMaxOf(played)];
    const { size } = exchange.request.body;
    if (before === after || size > before === size > after) return undefined;
    const title = this.#sentences.get("bodyBytesMax") ?? "the limit of request bodies";
    const advice = after > before ? "No change is needed." : "Send smaller bodies.";
    return this.#cause(title, advice, (profile) => profile.bodyBytesMax === after);
  }

  #operation({ exchange, path }: PlayedRequest): Cause | undefined {
    const { method } = exchange.request;
    const [before, after] = this.#specs.map((spec) => spec.route(method, path));
    if (before?.type === "found" && after?.type !== "found") {
      const { operationId } = before.operation;
      return this.#cause(`${method} ${before.operation.path} is removed`, "Replace the request.", ({ lacks }) =>
        (lacks ?? []).includes(operationId),
      );
    }
    if (before?.type === "found" || after?.type !== "found") return undefined;
    const { operationId } = after.operation;
    const title = `${method} ${after.operation.path} is a new operation`;
    return this.#cause(title, "No change is needed.", ({ lacks }) => !(lacks ?? []).includes(operationId));
  }

  /** A value of the request that the schema of only one release allows. */
  #schema({ played }: SeenDifference): Cause | undefined {
    const { exchange, path } = played;
    const body = jsonOf(exchange.request.body.text());
    if (body === undefined) return undefined;
    const [before = [], after = []] = this.#specs.map((spec) =>
      violationsIn(spec, exchange.request.method, path, body),
    );
    const isAdded = before.length > 0 && after.length === 0;
    const isRemoved = before.length === 0 && after.length > 0;
    const place = [...before, ...after][0];
    if ((!isAdded && !isRemoved) || place === undefined) return undefined;
    const where = place.replaceAll(/\/\d+(?=\/|$)/g, "/*");
    return isAdded
      ? this.#cause(`a value of the request at ${where} is new`, "No change is needed.", () => true)
      : this.#cause(`a value of the request at ${where} is no longer allowed`, "Send another value.", () => true);
  }
}

/** Whether the responses differ as a whole. */
function isWhole({ aspect }: Difference): boolean {
  return aspect === "status" || aspect === "media-type";
}

const switchNames = Object.keys(switchEffects).filter(isSwitchName);

function isSwitchName(name: string): name is keyof ReleaseBehaviour {
  return Object.hasOwn(switchEffects, name);
}

/** The JSON pointers of values that the schema of an operation forbids. */
function violationsIn(spec: Spec, method: string, path: string, body: Json): readonly string[] {
  const route = spec.route(method, path);
  if (route.type !== "found" || route.operation.requestSchema === undefined) return [];
  const { api, requestSchema } = route.operation;
  return spec.validate[api](requestSchema, body).map(({ pointer }) => pointer);
}
