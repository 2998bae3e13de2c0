import { limits } from "../../../foundation/limits/limits.ts";
import { compareDescriptions, type DescriptionDifference } from "../../../foundation/spec/compare-descriptions.ts";
import {
  type Api,
  contracts,
  type Divergence,
  type EffectOfRelease,
  type Profile,
} from "../../../foundation/spec/contracts.ts";
import { operationsOf } from "../../../foundation/spec/operation.ts";
import { publishedIn } from "../../../foundation/spec/published-operations.ts";
import { defaultProfileOf, impliedRegistryProfile, loadSpec } from "../../../foundation/spec/spec.ts";
import { disabledFeatureDifferences } from "./disabled-feature-differences.ts";
import type { ReleaseChange } from "./release-change.ts";
import { sentenceOf } from "./schema-sentence.ts";

/** The differences between two profiles of one API, each with its effect on a client. */
export function releaseDifferences(from: Profile, to: Profile, api: Api): readonly ReleaseChange[] {
  const switches = switchDifferences(from, to);
  const features = disabledFeatureDifferences(from.disables ?? [], to.disables ?? []);
  const repeated = new Set([...switches, ...features].flatMap(({ divergences }) => divergences));
  const nameOf = operationNames(from, to, api);
  return [
    ...features.flatMap(({ changes }) => changes),
    ...operationDifferences(from, to, api),
    ...switches.flatMap(({ operations, ...change }) => operations.map((id) => ({ ...change, operation: nameOf(id) }))),
    ...divergenceDifferences(from, to, repeated, nameOf),
  ].map(({ effect, operation, text, source }) => ({ effect, operation, text, source }));
}

/** A switch or limit that differs, with its sentence. */
interface SwitchDifference extends EffectOfRelease {
  readonly source: string;
  readonly operations: readonly string[];
  readonly divergences: readonly string[];
}

/** The switches and limits that differ between two profiles. */
export function switchDifferences(from: Profile, to: Profile): readonly SwitchDifference[] {
  const [before, after] = [valuesOf(from), valuesOf(to)];
  return [...before].flatMap(([source, was]) => {
    const [is, known] = [after.get(source), contracts.releaseDifferences[source]];
    if (is === undefined || is === was || known === undefined) return [];
    const { effect, text } = Number(is) > Number(was) ? known.on : known.off;
    const filled = text.replace("{from}", numberText(was)).replace("{to}", numberText(is));
    return [{ source, effect, text: filled, operations: known.operations, divergences: known.divergences }];
  });
}

/** The switches and limits of a profile; no limit counts as infinite. Profile `spec` has none. */
function valuesOf({
  behaviour,
  registryBehaviour,
  bodyBytesMax = limits.bodyBytesMax.byDefault,
}: Profile): ReadonlyMap<string, boolean | number> {
  const values = Object.entries({ ...behaviour, ...registryBehaviour }).map(
    ([name, value]) => [name, value ?? Number.POSITIVE_INFINITY] as const,
  );
  return new Map([...values, ...(behaviour === undefined ? [] : [["bodyBytesMax", bodyBytesMax] as const])]);
}

function numberText(value: boolean | number): string {
  return value === Number.POSITIVE_INFINITY ? "any number of" : String(value);
}

/** Whether a client notices the end of a divergence: not if the node only accepted more than its description requires. */
function isNoticed({ rule, match }: Divergence): boolean {
  return rule !== "invalid-request-refused" || match.keyword !== "required";
}

function operationDifferences(from: Profile, to: Profile, api: Api): readonly ReleaseChange[] {
  const found = compareDescriptions(descriptionOf(from, api), descriptionOf(to, api));
  const [before, after] = [publishedIn(api, from.name), publishedIn(api, to.name)];
  const described = new Set([...idsOf(from, api), ...idsOf(to, api)].map(([, name]) => name));
  const published = (names: readonly string[], others: readonly string[], change: "added" | "removed") =>
    names
      .filter((operation) => !others.includes(operation) && !described.has(operation))
      .map(
        (operation): DescriptionDifference => ({
          operation,
          part: "operation",
          kind: "operation",
          change,
          member: "",
          value: "",
          isRequired: false,
        }),
      );
  return [
    ...found.map((difference) => ({ operation: difference.operation, source: "schema", ...sentenceOf(difference) })),
    ...[...published(before, after, "removed"), ...published(after, before, "added")].map((difference) => {
      const { effect, text } = sentenceOf(difference);
      return { operation: difference.operation, source: "schema", effect, text: `${text} The stub does not serve it.` };
    }),
  ];
}

function descriptionOf({ name }: Profile, api: Api) {
  const registry = api === "registry" ? name : impliedRegistryProfile(name);
  const ledger = api === "ledger" ? name : defaultProfileOf("ledger");
  return loadSpec({ ledger, registry }, { hasAdditionalOperations: true }).descriptions[api];
}

function idsOf(profile: Profile, api: Api): readonly (readonly [id: string, name: string])[] {
  return operationsOf(api, descriptionOf(profile, api)).map(
    ({ operationId, method, path }) => [operationId, `${method} ${path}`] as const,
  );
}

/** Gives method and path of an operation id. */
function operationNames(from: Profile, to: Profile, api: Api): (id: string) => string {
  const names = new Map([...idsOf(from, api), ...idsOf(to, api)]);
  return (id) => names.get(id) ?? id;
}

function divergenceDifferences(
  from: Profile,
  to: Profile,
  repeated: ReadonlySet<string>,
  nameOf: (id: string) => string,
): readonly ReleaseChange[] {
  const known = (name: string) => new Map((contracts.divergences[name] ?? []).map((entry) => [entry.id, entry]));
  const [before, after] = [known(from.name), known(to.name)];
  const rows = (
    entries: Iterable<Divergence>,
    others: ReadonlyMap<string, Divergence>,
    textOf: (entry: Divergence) => string,
  ) =>
    [...entries]
      .filter(({ id }) => !others.has(id) && !repeated.has(id))
      .flatMap((entry) =>
        entry.operations.map((id) => ({
          effect: "changes" as const,
          operation: nameOf(id),
          text: textOf(entry),
          source: entry.id,
        })),
      );
  return [
    ...rows([...before.values()].filter(isNoticed), after, ({ title }) => `No longer so: ${title}.`),
    ...rows(after.values(), before, ({ title, actual }) => `Unlike the spec, ${title}. ${actual}`),
  ];
}
