import type { JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, textOf } from "../../foundation/json/members.ts";
import { allocatedIn, danglingProblems, definedIn, isDefinedOrForeign, together } from "./defined-names.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { Fixture } from "./read-fixture.ts";
import { danglingInPlan, danglingInRegistry } from "./references.ts";
import type { SourceFile } from "./source-file.ts";

/** The fixtures of a scenario. */
export interface Fixtures {
  readonly ledger: Fixture;
  readonly registry: Fixture;
  /** The ledgers of the further participants by name. */
  readonly participants: readonly (readonly [name: string, fixture: Fixture])[];
}

export function fixtureList({ ledger, registry, participants }: Fixtures): readonly Fixture[] {
  return [ledger, registry, ...participants.map(([, fixture]) => fixture)];
}

/** Problems of fixtures that none of them has alone: names that another fixture defines, and what the profile requires. */
export function checkFixtures(extension: SourceFile, fixtures: Fixtures, profile: string): readonly Problem[] {
  const ledgers = [fixtures.ledger, ...fixtures.participants.map(([, fixture]) => fixture)];
  return [
    ...sameParticipant(extension, ledgers),
    ...acrossFixtures(extension, fixtures, ledgers),
    ...(profile === "spec" ? ledgers.flatMap(withoutProvider) : []),
  ];
}

/** Names in the registry and in the plan that no ledger defines. */
function acrossFixtures(
  extension: SourceFile,
  { registry: { source } }: Fixtures,
  ledgers: readonly Fixture[],
): readonly Problem[] {
  if (source?.isChecked === true && ledgers.every((ledger) => ledger.source?.isChecked === true)) return [];
  const [registry, options] = [rootOf(source), objectOf(extension.value)];
  const defined = ledgers.map((ledger) => definedIn(rootOf(ledger.source), ledger.problems.length > 0));
  const others = [textOf(registry["admin"]), ...allocatedIn(options)];
  const names = {
    parties: together(defined, "parties")?.union(new Set(others)),
    synchronizers: together(defined, "synchronizers"),
  };
  const isDefined = isDefinedOrForeign(names);
  return [
    ...danglingProblems(extension, danglingInPlan(options["plan"], isDefined), names, ["plan"]),
    ...(source === undefined ? [] : danglingProblems(source, danglingInRegistry(registry, isDefined), names)),
  ];
}

function rootOf(source: SourceFile | undefined): JsonObject {
  return objectOf(source?.value);
}

/** The problem of a participant whose id another participant has. */
function sameParticipant(extension: SourceFile, ledgers: readonly Fixture[]): readonly Problem[] {
  const ids = ledgers.map(({ source }) => textOf(rootOf(source)["participantId"])).filter((id) => id !== "");
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return [];
  const advice = "Give each participant a ledger fixture with its own participantId.";
  return [problemAt(extension, ["given", "participants"], `two participants have the id ${twice}`, advice)];
}

/** The problem of a ledger without an identity provider. Its list is never empty (spec §8). */
function withoutProvider({ source, problems }: Fixture): readonly Problem[] {
  if (source === undefined || problems.length > 0 || listOf(rootOf(source)["identityProviders"]).length > 0) return [];
  const advice = "Add one under identityProviders, or use the profile of a release, such as canton-3.5.";
  return [problemAt(source, ["identityProviders"], "a ledger in profile spec needs an identity provider", advice)];
}
