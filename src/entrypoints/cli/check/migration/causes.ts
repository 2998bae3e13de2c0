import { limits } from "../../../../foundation/limits/limits.ts";
import { contracts, type Profile, type ReleaseBehaviour } from "../../../../foundation/spec/contracts.ts";
import { bodyBytesMaxOf } from "../../../../foundation/spec/spec.ts";
import { switchDifferences } from "../../profiles/release-differences.ts";
import type { Cause, CauseType } from "./cause.ts";
import { DescribedChanges } from "./described-changes.ts";
import { disabledPartIn, type RecordedRequest } from "./recorded-request.ts";
import { type Migration, profileNamed, sinceOf } from "./releases.ts";
import { isSwitchName, type SwitchReading, switchReadings } from "./switches.ts";

/** Names what changes for a recorded request, by data of the profiles, their descriptions, and their switches of behaviour. */
export class Causes {
  readonly #migration: Migration;
  readonly #from: Profile | undefined;
  readonly #after: Profile | undefined;
  readonly #described: DescribedChanges;
  /** What a client notices of each switch or limit that differs. */
  readonly #sentences: ReadonlyMap<string, string>;

  constructor(migration: Migration) {
    this.#migration = migration;
    const [from, after] = [migration.from, migration.checked].map(profileNamed);
    [this.#from, this.#after] = [from, after];
    const differences = from === undefined || after === undefined ? [] : switchDifferences(from, after);
    this.#sentences = new Map(differences.map(({ source, text }) => [source, text.replace(/\.$/, "")]));
    this.#described = new DescribedChanges(migration, this.#sentences);
  }

  /** The causes of one request: one refusal, or the end of one, or all changes of its response. */
  of(request: RecordedRequest): readonly Cause[] {
    const { recorded } = request;
    // In the order in which a node checks a request. One without a valid token gets no further.
    const causes = [
      ...this.#bodySize(request),
      ...this.#disabled(request),
      ...this.#switches(request),
      ...this.#described.of(request),
      ...this.#version(request),
    ].filter(
      ({ type, later }) =>
        type !== "refuses" ||
        (recorded.status !== 401 && !(later?.status === recorded.status && later.code === recorded.code)),
    );
    const first = (type: CauseType) => causes.filter((cause) => cause.type === type).slice(0, 1);
    const refused = first("refuses");
    if (refused.length > 0) return refused;
    const accepted = first("accepts");
    return [
      ...accepted,
      ...causes.filter(({ type }) => type === "undecided" || (accepted.length === 0 && type !== "accepts")),
    ];
  }

  #bodySize({ exchange, recorded }: RecordedRequest): readonly Cause[] {
    const bytesMaxOf = (profile: string) => bodyBytesMaxOf(profile) ?? limits.bodyBytesMax.byDefault;
    const { from, checked } = this.#migration;
    const [before, after] = [bytesMaxOf(from), bytesMaxOf(checked)];
    const { size } = exchange.request.body;
    const title = this.#sentences.get("bodyBytesMax") ?? "the limit of request bodies";
    const since = sinceOf(this.#migration, (profile) => profile.bodyBytesMax === after);
    if (size > after && size <= before)
      return [{ type: "refuses", title, since, advice: "Send smaller bodies.", later: { status: 413, code: "" } }];
    return size > before && size <= after && recorded.status >= 400
      ? [{ type: "accepts", title, since, advice: "No change is needed." }]
      : [];
  }

  #disabled(request: RecordedRequest): readonly Cause[] {
    const earlier = new Set(this.#from?.disables?.map(({ feature }) => feature));
    return (this.#after?.disables ?? []).flatMap((disabled): readonly Cause[] => {
      const found = disabledPartIn(disabled, request);
      const { feature, instead } = disabled;
      if (found === undefined || earlier.has(feature)) return [];
      return [
        {
          type: "refuses",
          title: `${found.name} is disabled (${feature})`,
          advice: `Use ${instead?.[found.request] ?? "its replacement"}. Until then a node can set ${feature} = true.`,
          since: sinceOf(this.#migration, ({ disables }) => (disables ?? []).some((each) => each.feature === feature)),
          later: { status: 400, code: "DEPRECATED_API_DISABLED" },
        },
      ];
    });
  }

  #switches(request: RecordedRequest): readonly Cause[] {
    return [...this.#sentences].flatMap(([name, title]): readonly Cause[] => {
      if (!isSwitchName(name) || !isConcerned(name, request)) return [];
      const { advice, later, read }: SwitchReading = switchReadings[name];
      const value = this.#after?.behaviour?.[name];
      const type = read(request, value);
      if (type === undefined) return [];
      const since = sinceOf(this.#migration, ({ behaviour }) => behaviour?.[name] === value);
      return [{ type, title, advice, since, ...(type === "refuses" && later !== undefined ? { later } : {}) }];
    });
  }

  #version({ operation, recorded }: RecordedRequest): readonly Cause[] {
    const { from, checked } = this.#migration;
    if (from === checked || operation?.operationId !== "getV2Version" || recorded.status !== 200) return [];
    const title = `GET /v2/version reports ${this.#after?.version}`;
    return [{ type: "changes", title, advice: "Accept later versions.", since: checked }];
  }
}

/** Whether a switch concerns the operation of a request. */
function isConcerned(name: keyof ReleaseBehaviour, { path, operation }: RecordedRequest): boolean {
  const operations = contracts.releaseDifferences[name]?.operations ?? [];
  if (operations.includes("*")) return path.startsWith("/v2/");
  return operation !== undefined && operations.includes(operation.operationId);
}
